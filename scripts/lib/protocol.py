"""What one connection sent and received, and the messages in its lines."""

from __future__ import annotations

import copy
import functools
import json
import re
from typing import NamedTuple

NEWS = frozenset(("LOT", "TERMS", "PRICE", "ASK", "SEALED", "COUNTDOWN", "GOING", "LAST", "RESERVE", "REVEALED", "WINNER",
                  "PASSED", "VALUE", "NEXT", "OVER", "CHAMPION", "AWARD", "WAITING", "REMATCH", "JOINED", "LEFT", "SAID",
                  "REACTED", "DISPLAY", "PAUSED", "RESUMED", "HAMMERED", "VOIDED", "KICKED", "STOPPED"))
"""The first words of the lines that everybody in a room receives."""
TOLD = ("content", "award", "people", "games", "firstLot", "amount", "bidder", "bid", "reason", "title", "seconds", "score",
        "leadingAmount", "leadingBidder")
"""The members in JSON that stand in the line too."""
COMMAND = re.compile(r"(?:#(\w+) +)?(\S*) *(.*)")
LOT = re.compile(r"(?:^| )lot=\d+$")


@functools.lru_cache(maxsize=1 << 14)
def parse(text: str) -> dict:
    """The members of a message in JSON; of a line of text the type, as in JSON."""
    return json.loads(text) if text.startswith("{") else {"type": text.partition(" ")[0].lower()}


def is_told(fields: dict, words: str) -> bool:
    """Whether the message in JSON tells the event that has these words."""
    told = {word for name in TOLD if name in fields for word in str(fields[name]).replace("=", " ").split()}
    return words.partition(" ")[0] == fields["type"].upper() and told <= set(words.replace("=", " ").split())


def news_of(lines: list[str]) -> list[str]:
    """The lines of text that everybody in a room receives, and the first snapshot."""
    return [line for line in lines if line.partition(" ")[0] in NEWS]


def split(text: str) -> tuple[str | None, str, str]:
    """The tag, the verb and the rest of a command without the lot that an offer is for; a number alone is a bid."""
    tag, verb, rest = COMMAND.fullmatch(text).groups()
    if verb.isdigit():
        verb, rest = "bid", f"{verb} {rest}"
    return tag, verb, LOT.sub("", rest.strip()) if verb in ("bid", "take", "buy", "max") else rest


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
