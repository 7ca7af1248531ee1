"""What the server knows of each bidder and tells nobody else: purses, worths, sealed and maximum bids.

It follows the notes of a journal; where there is none, only the rules of the game and what was announced.
"""

from __future__ import annotations

import bisect
import collections
import re
from typing import NamedTuple

from checks import Failure
from terms import Maximum, Terms, parse

RANGE = re.compile(r"(\d+)\.\.(\d+)")


class Play(NamedTuple):
    """The rules of the game around the lots."""

    purse: int | None = None
    worth: tuple[int, int] | None = None
    """The least and the most of the private values."""
    common: tuple[int, int] | None = None
    """The least and the most of the common value."""
    noise: int = 0
    profits: bool = False
    """Whether the standings have the profits during the sale."""

    @property
    def has_values(self) -> bool:
        return bool(self.worth or self.common)


class Worth(NamedTuple):
    """What a lot is worth to a bidder, or an estimate of the value that it has for all."""

    amount: int
    is_estimate: bool

    def words(self) -> str:
        return f"about {self.amount}" if self.is_estimate else str(self.amount)


class Win(NamedTuple):
    """A lot that a bidder has won."""

    lot: int
    price: int
    event: int


def play_of(words: str) -> Play:
    """The rules in the words `purse=N worth=A..B common=A..B noise=N seed=N profits=yes`."""
    fields = dict(word.split("=", 1) for word in words.split())
    ranges = {name: (int(found[1]), int(found[2])) for name in ("worth", "common")
              if (found := RANGE.fullmatch(fields.get(name, "")))}
    purse = fields.get("purse")
    return Play(int(purse) if purse else None, noise=int(fields.get("noise", 0)),
                profits=fields.get("profits") == "yes", **ranges)


class Timeline:
    """The values that something had, each from some event on; several may be between two events."""

    def __init__(self):
        self._events = [-1]
        self._values: list[str | None] = [None]

    def add(self, event: int, value: str | None):
        if self._values[-1] != value:
            self._events.append(event)
            self._values.append(value)

    def between(self, first: int, last: int) -> list[str | None]:
        """The values from right after the event `first` to right before the event after `last`."""
        low = bisect.bisect_left(self._events, first) - 1
        return self._values[low:bisect.bisect_right(self._events, last)]


class Ledger:
    """Purses, worths, sealed and maximum bids."""

    def __init__(self, play: Play = Play()):
        self.play = play
        self.has_notes = False
        """Whether it has read a journal, so that it knows every secret."""
        self.lot, self.base = 0, Terms(1)
        self.plan: tuple[Terms, int | None] | None = None
        """The terms and the reserve of the next lot."""
        self.reserve: int | None = None
        self.spent, self.wins = collections.Counter(), collections.defaultdict(list)
        self.bidders: dict[str, int] = {}
        """By name: the event that first made a bid of this bidder public."""
        self.worths: dict[tuple[int, str], Worth] = {}
        self.drawn: dict[int, int] = {}
        """By lot: its common value."""
        self.sealed: dict[str, Maximum] = {}
        self.maxima: dict[str, Maximum] = {}
        self.muted: set[str] = set()
        self.added: list[str] = []
        self.notes: list[tuple[int, str]] = []
        """Each secret that a command caused, and the event before it."""
        self._notes_at = collections.defaultdict(list)
        self.told: dict[tuple[str, str], Timeline] = collections.defaultdict(Timeline)
        """By kind of a private line and name: what the line may say."""
        self._leader: tuple[str, int] | None = None
        self._order, self._minimum = 0, 1

    # Notes of the journal

    def note(self, words: str, event: int):
        """Takes a note that follows the event; fails if the rules do not allow it."""
        word, _, rest = words.partition(" ")
        take = getattr(self, f"_note_{word.lower()}", None)
        if take:
            take(rest, event)
        if word in ("BID", "MAX", "MUTE", "UNMUTE", "ADD"):
            self.notes.append((event, words))
            self._notes_at[event].append(words)

    def notes_at(self, event: int) -> list[str]:
        """The notes of commands between the event and the next."""
        return self._notes_at.get(event, [])

    def spent_at(self, name: str, event: int) -> int:
        """What the bidder has paid by then."""
        return sum(win.price for win in self.wins.get(name, ()) if win.event <= event)

    def agrees(self, words: str) -> bool:
        """Whether a note in the state of a segment repeats what is known."""
        word, _, rest = words.partition(" ")
        name, _, value = rest.partition(" ")
        if word == "WORTH":
            return (self.lot, name) not in self.worths or self.worths[self.lot, name].words() == value
        if word in ("BID", "MAX"):
            known = (self.sealed if word == "BID" else self.maxima).get(name)
            return known is not None and str(known.amount) == value
        return True

    def _note_play(self, rest, event):
        self.play = play_of(rest)._replace(profits=self.play.profits)

    def _note_plan(self, rest, event):
        self.plan = parse(rest, self.base)

    def _note_add(self, rest, event):
        self.added.append(rest)

    def _note_drawn(self, rest, event):
        value, common = int(rest), self.play.common
        if self.drawn.setdefault(self.lot, value) != value:
            raise Failure(f"the value of lot {self.lot} changes")
        if common and not common[0] <= value <= common[1]:
            raise Failure(f"a value out of {common}")

    def _note_worth(self, rest, event):
        name, _, words = rest.partition(" ")
        worth = Worth(int(words.split()[-1]), words.startswith("about "))
        if self.worths.setdefault((self.lot, name), worth) != worth:
            raise Failure(f"the worth of lot {self.lot} to {name} changes")
        self.check_worth(worth)
        self.told["WORTH", name].add(event, worth.words())

    def check_worth(self, worth: Worth):
        """Fails unless the worth is one that the game can draw."""
        play, value = self.play, self.drawn.get(self.lot)
        if worth.is_estimate != bool(play.common):
            raise Failure("an estimate where values are private, or none where they are common")
        low, high = play.worth or (play.common[0] - play.noise, play.common[1] + play.noise)
        if worth.is_estimate and value is not None:
            low, high = value - play.noise, value + play.noise
        if not low <= worth.amount <= high:
            raise Failure(f"a worth out of {low}..{high}")

    def _note_bid(self, rest, event):
        name, amount = rest.split()
        self._set(self.sealed, "YOURS", name, int(amount), event)

    def _note_max(self, rest, event):
        name, amount = rest.split()
        self._set(self.maxima, "MAX", name, int(amount) if amount.isdigit() else 0, event)

    def _set(self, amounts, kind, name, amount, event):
        self._order += 1
        if amount:
            amounts[name] = Maximum(amount, self._order)
            self._check_purse(name, amount)
        else:
            amounts.pop(name, None)
        self.told[kind, name].add(event, str(amount) if amount else None)
        self.update(event, name)

    def _note_mute(self, rest, event):
        self.muted.add(rest)

    def _note_unmute(self, rest, event):
        self.muted.discard(rest)

    # Events

    def open(self, lot: int, minimum: int, event: int):
        """A lot opens: worths are drawn anew, and nobody has bid."""
        self.lot, self._leader, self._minimum = lot, None, minimum
        self.reserve = self.plan[1] if self.plan else None
        self._forget("WORTH", event)
        self._clear(event)

    def set_minimum(self, minimum: int, event: int):
        """The least amount of the next bid changes."""
        self._minimum = minimum
        self.update(event, *self.maxima)

    def lead(self, leader: tuple[str, int] | None, minimum: int, event: int):
        """Somebody leads now, or nobody."""
        before, self._leader = self._leader, leader
        if leader:
            self.bidders.setdefault(leader[0], event)
            self._check_purse(*leader)
        self.set_minimum(minimum, event)
        self.update(event, *(each[0] for each in (before, leader) if each), *self.sealed)

    def win(self, name: str, amount: int, event: int):
        """A lot is sold: its price is paid, and what was reserved is free again."""
        self.bidders.setdefault(name, event)
        self.spent[name] += amount
        self.wins[name].append(Win(self.lot, amount, event))
        if self.play.purse is not None and self.spent[name] > self.play.purse:
            raise Failure(f"{name} has paid {self.spent[name]} with a purse of {self.play.purse}")
        self.end(event)
        self.update(event, name)

    def end(self, event: int):
        """The lot has ended; the plan was of that lot."""
        leader, self._leader, self.plan = self._leader, None, None
        self._clear(event)
        self.update(event, *(leader or ())[:1])

    def reveal(self, name: str, event: int):
        """A sealed bid is told to all."""
        self.bidders.setdefault(name, event)

    def withdraw(self, name: str, event: int, kinds=("YOURS", "MAX")):
        """Takes back the bids that nobody knows of somebody who was kicked, or whose bid was voided."""
        for kind, amounts in (("YOURS", self.sealed), ("MAX", self.maxima)):
            if kind in kinds and amounts.pop(name, None):
                self.told[kind, name].add(event, None)
        self.update(event, name)

    def left(self, name: str) -> int | None:
        """What the bidder may still spend; None without purses."""
        if self.play.purse is None:
            return None
        return self.play.purse - self.spent[name] - self.reserved(name)

    def reserved(self, name: str) -> int:
        """The most that the open lot can cost the bidder by what was bid so far."""
        leading = self._leader[1] if self._leader and self._leader[0] == name else 0
        if name in self.sealed and not self._leader:
            return self.sealed[name].amount
        most = self.maxima[name].amount if name in self.maxima else 0
        return max(leading, most) if leading or most >= self._minimum else 0

    def update(self, event: int, *names: str):
        """Records what the purses of these are now."""
        if self.play.purse is not None:
            for name in names:
                self.told["PURSE", name].add(event, str(self.left(name)))

    def _clear(self, event):
        for kind, amounts in (("YOURS", self.sealed), ("MAX", self.maxima)):
            names = list(amounts)
            amounts.clear()
            for name in names:
                self.told[kind, name].add(event, None)
                self.update(event, name)

    def _forget(self, kind, event):
        for (each, _), timeline in self.told.items():
            if each == kind:
                timeline.add(event, None)

    def _check_purse(self, name, amount):
        if self.play.purse is not None and self.spent[name] + amount > self.play.purse:
            raise Failure(f"{name} may pay {amount} more with a purse of {self.play.purse}, "
                          f"of which {self.spent[name]} is paid")

    @property
    def has_worths(self) -> bool:
        """Whether lots have values, and those are known."""
        return self.play.has_values and self.has_notes

    def profit(self, wins: list[Win], name: str) -> int:
        """Value minus price of these lots that the bidder has won."""
        return sum(self._value(win.lot, name) - win.price for win in wins)

    def _value(self, lot, name):
        return self.drawn[lot] if self.play.common else self.worths[lot, name].amount
