"""The lines sent and received on each connection, in the order of this process's system calls."""

from __future__ import annotations

import copy
import functools
import json
from typing import NamedTuple

from notices import lot_time, words_of

NEWS = frozenset(("LOT", "PRICE", "COUNTDOWN", "GOING", "WINNER", "PASSED", "OVER", "JOINED", "LEFT",
                  "PAUSED", "RESUMED", "HAMMERED", "VOIDED", "KICKED", "STOPPED"))
DATA = {"lap": "LAP", "who": "WHO", "help": "HELP"}


class Said(NamedTuple):
    """A line that a client sent; `moment` is when its last byte was given to the kernel."""

    moment: int
    text: str
    is_whole: bool
    """Whether its line feed was sent too."""


class Heard(NamedTuple):
    """A line that a client received."""

    moment: int
    at: float
    """When the kernel received it, by the monotonic clock."""
    text: str


class Connection:
    """One connection, from its beginning to its end.

    Moments are numbers that increase with each send and each receive of this process, over all
    connections. A line received at a smaller moment was known when a later line was sent.
    """

    def __init__(self, label: str, moment: int):
        self.label, self.moment = label, moment
        self.said: list[Said] = []
        self.heard: list[Heard] = []
        self.was_cut = False
        """Whether the client closed it without reading the rest: some answers may be missing."""

    def copy(self) -> Connection:
        other = copy.copy(self)
        other.said, other.heard = list(self.said), list(self.heard)
        return other


class Transcript(NamedTuple):
    """All connections of one play; the first is the scribe, which received all news in JSON."""

    seconds: int
    connections: list[Connection]
    journal: list[str] | None
    """The words of each event in the journal, from the first on; None without a journal."""

    def copy(self) -> Transcript:
        journal = None if self.journal is None else list(self.journal)
        return Transcript(self.seconds, [each.copy() for each in self.connections], journal)


class Message(NamedTuple):
    """The parts of a received line; the same for text and JSON."""

    kind: str
    """`news`, `data`, `ok`, `error`, `hello`, `bye` or `skipped`."""
    words: str
    """The line as text; of an `ok` or an error the part after the tag."""
    seq: int | None = None
    tag: str | None = None
    facts: tuple[tuple[str, int], ...] = ()
    """Of an error, such as `minimum`."""
    elapsed: int | None = None

    def fact(self, name: str) -> int | None:
        return dict(self.facts).get(name)


@functools.lru_cache(maxsize=1 << 14)
def parse(text: str) -> Message:
    """The message in a line."""
    return parse_json(json.loads(text)) if text.startswith("{") else parse_text(text)


def parse_text(text):
    first, _, rest = text.partition(" ")
    if first in NEWS:
        return Message("news", text)
    if first in DATA.values():
        return Message("data", text)
    if first in ("OK", "ERROR"):
        tag = None
        if rest.startswith("#"):
            tag, _, rest = rest[1:].partition(" ")
        pairs = [word.partition("=") for word in rest.split()[1:3]]
        facts = tuple((name, int(value)) for name, _, value in pairs if value.isdigit())
        return Message(first.lower(), rest, tag=tag, facts=facts if first == "ERROR" else ())
    if first in ("HELLO", "BYE", "SKIPPED"):
        return Message(first.lower(), rest)
    raise ValueError(f"no line of the protocol: {text!r}")


def parse_json(fields):
    kind, content, tag = fields["type"], fields["content"], fields.get("tag")
    if kind == "ok":
        return Message(kind, content, tag=tag)
    if kind == "error":
        names = ("minimum", "price", "seconds")
        facts = tuple((name, fields[name]) for name in names if name in fields)
        return Message(kind, f"{fields['code']} {content}", tag=tag, facts=facts)
    if kind == "lap":
        time = lot_time(fields["elapsedMilliseconds"])
        return Message("data", f"LAP {fields['bid']} {fields['amount']} {fields['bidder']} {time}")
    if kind in DATA:
        return Message("data", f"{DATA[kind]} {content}")
    if kind in ("bye", "skipped"):
        return Message(kind, content)
    words = words_of(fields)
    if words is None:
        raise ValueError(f"no message of the protocol: {fields}")
    return Message("news", words, fields["seq"], elapsed=fields.get("elapsedMilliseconds"))
