"""The lines of the protocol as messages, the same for text and JSON; and what one connection sent and received."""

from __future__ import annotations

import copy
import functools
import json
import re
from typing import NamedTuple

NEWS = frozenset(("LOT", "TERMS", "PRICE", "ASK", "SEALED", "COUNTDOWN", "GOING", "LAST", "RESERVE", "REVEALED", "WINNER",
                  "PASSED", "VALUE", "NEXT", "OVER", "CHAMPION", "JOINED", "LEFT", "SAID", "PAUSED", "RESUMED",
                  "HAMMERED", "VOIDED", "KICKED", "STOPPED"))
DATA = frozenset(("LAP", "WHO", "HELP", "RESULT", "STANDING", "ROOM"))
PRIVATE = frozenset(("PURSE", "WORTH", "MAX", "YOURS"))
"""What one bidder alone is told; it has no number."""


class Message(NamedTuple):
    """The parts of a received line."""

    kind: str
    """`news`, `data`, `private`, `ok`, `error`, `hello`, `game`, `state`, `bye` or `skipped`."""
    words: str
    """The line as text; of an `ok` or an error the part after the tag."""
    number: int | None = None
    """Of an event, where JSON has it."""
    tag: str | None = None
    price: int | None = None
    """Of an error."""
    elapsed: int | None = None
    remaining: int | None = None
    """The milliseconds left of the countdown, where JSON has them."""
    room: str = "main"
    """Of a greeting."""


@functools.lru_cache(maxsize=1 << 14)
def parse(text: str) -> Message:
    """The message in a line.

    - Throws: `ValueError` if the protocol has no such line.
    """
    return _parse_json(json.loads(text)) if text.startswith("{") else _parse_text(text)


def _parse_text(text):
    first, _, rest = text.partition(" ")
    if first in NEWS:
        return Message("news", text)
    if first in DATA:
        return Message("data", text)
    if first in PRIVATE:
        return Message("private", text)
    if first in ("OK", "ERROR"):
        tag = None
        if rest.startswith("#"):
            tag, _, rest = rest[1:].partition(" ")
        price = re.match(r"\S+ price=(\d+)", rest)
        return Message(first.lower(), rest, tag=tag, price=int(price[1]) if price else None)
    if first == "HELLO":
        facts = dict(word.split("=") for word in rest.split() if "=" in word)
        return Message("hello", rest, room=facts.get("room", "main"))
    if first in ("GAME", "BYE", "SKIPPED"):
        return Message(first.lower(), rest)
    raise ValueError(f"no line of the protocol: {text!r}")


def _parse_json(fields):
    kind, content, tag = fields["type"], fields.get("content", ""), fields.get("tag")
    word = kind.upper()
    if kind == "ok":
        return Message(kind, content, tag=tag)
    if kind == "error":
        return Message(kind, f"{fields['code']} {content}", tag=tag, price=fields.get("price"))
    if word in DATA:
        return Message("data", f"{word} {content}")
    if word in PRIVATE:
        return Message("private", f"{word} {content}")
    if kind == "hello":
        return Message(kind, content, room=fields.get("room", "main"))
    if kind in ("bye", "game", "skipped", "state"):
        return Message(kind, content)
    elapsed = fields.get("leadingElapsedMilliseconds", fields.get("elapsedMilliseconds"))
    words = _news(fields)
    return Message("news", f"{word} {words}" if words else word, fields["seq"], elapsed=elapsed,
                   remaining=fields.get("remainingMilliseconds"))


def _news(fields):
    """The words after the first."""
    kind, content = fields["type"], fields["content"]
    match kind:
        case "lot":
            return f"{fields['lot']} {content}"
        case "terms":
            return _terms(fields)
        case "price":
            return f"{fields['amount']} {fields['bidder']} {_time(fields['elapsedMilliseconds'])} {fields['bid']}"
        case "revealed":
            return f"{fields['amount']} {fields['bidder']}"
        case "winner":
            return f"{fields['bidder']} {fields['amount']} {_time(fields['elapsedMilliseconds'])} {fields['title']}"
        case "passed":
            return f"{fields['lot']} {fields['reason']} {content}"
        case "next":
            return f"{fields['seconds']} {content}"
        case "champion":
            return f"{fields['bidder']} {fields['score']}"
        case "said":
            return f"{fields['bidder']} {content}"
        case "voided":
            return f"{content} {fields['bidder']} {fields['bid']}{_leading(fields)}"
        case "kicked":
            return f"{content} {fields['reason']}"
        case "paused" | "resumed" | "hammered" | "stopped" | "last":
            return ""
        case "ask" | "sealed" | "value":
            if content != str(fields[{"ask": "amount", "sealed": "bids", "value": "value"}[kind]]):
                raise ValueError(f"the content is another one than the number: {fields}")
            return content
        case "countdown" | "going" | "reserve" | "over" | "joined" | "left":
            return content
    raise ValueError(f"no message of the protocol: {fields}")


def _terms(fields):
    words = [f"{name}={fields[name]}" for name in ("format", "seconds", "start", "step")]
    words += ["reserve=yes"] if fields.get("reserve") else []
    words += [f"{name}={fields[name]}" for name in ("buy", "longest") if name in fields]
    return " ".join(words)


def _leading(fields):
    if "leadingBid" not in fields:
        return ""
    time = _time(fields["leadingElapsedMilliseconds"])
    return f" {fields['leadingAmount']} {fields['leadingBidder']} {time} {fields['leadingBid']}"


def _time(milliseconds):
    """The time within a lot as it is announced: MM:SS.d, cut to the tenth."""
    minutes, rest = divmod(milliseconds // 100, 600)
    return f"{minutes:02}:{rest // 10:02}.{rest % 10}"


class Sent(NamedTuple):
    """A line that a client sent, and the moment at which its last byte was given to the kernel."""

    moment: int
    text: str


class Received(NamedTuple):
    """A line that a client received."""

    moment: int
    at: float
    """When the kernel received it, by the monotonic clock."""
    text: str


class Connection:
    """What one connection sent and received.

    Moments are numbers that increase with each send and each receive of this process, over all connections:
    a line received at a smaller moment was known when a later line was sent.
    """

    def __init__(self, label: str):
        self.label = label
        self.sent: list[Sent] = []
        self.received: list[Received] = []
        self.was_cut = False
        """Whether it ended before all was read: some answers may be missing."""

    def copy(self) -> Connection:
        other = copy.copy(self)
        other.sent, other.received = list(self.sent), list(self.received)
        return other


def save(connections: list[Connection], path: str):
    """Writes the lines of all connections, in order."""
    lines = []
    for connection in connections:
        lines += ((line.moment, connection.label, ">", line.text) for line in connection.sent)
        lines += ((line.moment, connection.label, "<", line.text) for line in connection.received)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{moment} {label} {sign} {text}\n"
                        for moment, label, sign, text in sorted(lines, key=lambda line: line[0]))
