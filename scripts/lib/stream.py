"""Reads the rooms of a cluster from the messages of its stream, without any code of the server."""

from __future__ import annotations

import collections
import re
from typing import NamedTuple

from checks import check
from history import History
from nats import Stored

LOG, NAME = "auction.log.", "auction.name."
ENTRY = re.compile(r"(\+|-|=\d+) (\d+|-) (.+)")
"""What an entry is, the number that its words do not have, and its words."""
STATE = re.compile(r"STATE \S+ (\d+) \d+")
ID, KIND, INSTANCE, NODE = "Nats-Msg-Id", "Auction-Kind", "Auction-Instance", "Auction-Node"
AFTER = "Nats-Expected-Last-Subject-Sequence"
"""The header with the message of the same subject after which a message was to be put."""


class Takeover(NamedTuple):
    """A message with which a node became the owner of a room."""

    sequence: int
    node: str
    instance: str
    """The start of the node's process."""
    event: int
    """The last event before."""


class StreamRoom:
    """The events of one room, and who wrote them."""

    def __init__(self):
        self.history = History()
        self.takeovers: list[Takeover] = []
        self.stored: list[Stored] = []
        """The message that has each event, by its number less 1."""
        self.notes: set[tuple[int, str]] = set()
        """The lot and the words of each sealed bid and maximum."""
        self.sealed: dict[tuple[int, str], int] = {}
        """By lot and bidder: the newest sealed bid."""
        self.prices: dict[tuple[int, str, int], list[int]] = collections.defaultdict(list)
        """By lot, bidder and amount: the events that are this bid."""
        self._leader: tuple[str, str] | None = None
        """The amount and the bidder of the last price, or of the first sealed bid that was revealed."""
        self._revealed: set[str] = set()
        """The bidders whose sealed bids on the newest lot were revealed."""

    @property
    def is_owned_by(self) -> str:
        """The instance that may append."""
        return self.takeovers[-1].instance if self.takeovers else ""

    def apply(self, words: str, message: Stored):
        """Takes the next event."""
        self.history.apply(words)
        self.stored.append(message)
        lot = self.history.newest_lot
        match words.split():
            case ["LOT", *_]:
                self._revealed, self._leader = set(), None
            case ["WINNER", bidder, amount, *_]:
                secret = {name for at, name in self.sealed if at == lot}
                check(self._revealed == secret, f"lot {lot}: not all sealed bids were revealed",
                      *secret ^ self._revealed)
                check((amount, bidder) == self._leader, f"lot {lot}: another bidder has won than led", words,
                      self._leader)
            case ["PRICE", amount, bidder, *_] if not self.history.event(self.history.last - 1).startswith("VOIDED "):
                check(self.history.is_new_price(self.history.last), f"event {self.history.last} does not raise the price",
                      words)
                self.prices[lot, bidder, int(amount)].append(self.history.last)
                self._leader = amount, bidder
            case ["REVEALED", amount, bidder]:
                self._revealed.add(bidder)
                self._leader = self._leader or (amount, bidder)
                check(self.sealed.get((lot, bidder)) == int(amount), f"lot {lot}: another bid was revealed than made",
                      words)

    def note(self, words: str):
        """Takes an entry that is no event."""
        match words.split():
            case ["BID", bidder, amount]:
                self.notes.add((self.history.newest_lot, words))
                self.sealed[self.history.newest_lot, bidder] = int(amount)
            case ["MAX", *_]:
                self.notes.add((self.history.newest_lot, words))


class Stream:
    """The rooms of all messages, which come from the first one on."""

    def __init__(self):
        self.rooms: dict[str, StreamRoom] = collections.defaultdict(StreamRoom)
        self._ids: set[str] = set()
        self._last = 0
        self._lasts: dict[str, int] = {}
        """By subject."""

    def read(self, messages: list[Stored]) -> Stream:
        """Takes the next messages.

        - Throws: `Failure` if one is missing, is there twice, was appended without comparing, or comes from a node that
          does not own the room.
        """
        for message in messages:
            check(message.sequence == self._last + 1, f"message {self._last + 1} of the stream was not read")
            self._last = message.sequence
            name, kind = message.headers.get(ID), message.headers.get(KIND)
            check(name and name not in self._ids, f"message {message.sequence} is in the stream twice", name)
            self._ids.add(name)
            last = self._lasts.get(message.subject, 0)
            check(message.headers.get(AFTER) == str(last), f"message {message.sequence} was not put there after message "
                  f"{last} alone", message.headers)
            self._lasts[message.subject] = message.sequence
            if message.subject.startswith(LOG):
                self._read(self.rooms[message.subject[len(LOG):]], kind, message)
            else:
                check(message.subject.startswith(NAME) and kind == "name", f"message {message.sequence} is of no kind", kind)
        return self

    def _read(self, room, kind, message):
        instance = message.headers[INSTANCE]
        if kind == "owner":
            room.takeovers.append(Takeover(message.sequence, message.headers[NODE], instance, room.history.last))
            return
        check(instance == room.is_owned_by, f"message {message.sequence} is by {message.headers[NODE]}, which does not own "
              "the room", *room.takeovers[-1:])
        for line in message.payload.decode("utf-8", "replace").splitlines():
            match = ENTRY.fullmatch(line)
            check(match, f"message {message.sequence} has a line that is no entry", line)
            mark, _, words = match.groups()
            if kind == "events" and mark == "+":
                room.apply(words, message)
            elif kind == "events" and mark == "-":
                room.note(words)
            elif mark.startswith("="):
                check(room.history.event(int(mark[1:])) == words, f"message {message.sequence} repeats another event", line)
            elif found := STATE.fullmatch(words):
                check(int(found[1]) == room.history.last, f"message {message.sequence} is the state of another event", line)
