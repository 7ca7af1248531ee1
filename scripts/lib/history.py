"""The events of one room in their order, and what holds after each: without any rule of the auction."""

from __future__ import annotations

import bisect
import collections

from checks import Failure
from protocol import Connection, parse

ORDER = ("LOT", "TERMS", "PRICE", "ASK", "SEALED", "REVEALED", "COUNTDOWN", "LAST", "RESERVE", "WINNER", "PASSED",
         "VALUE", "OVER", "CHAMPION", "PAUSED")
"""The first words of the lines of a snapshot; each replaces the one before, except `CHAMPION`."""


class History:
    """All known events, each with the snapshot after it."""

    def __init__(self, first: int = 1):
        self.first = first
        self.words: list[str] = []
        self.elapsed: list[int | None] = []
        """The exact time of each event that has one, where it is known."""
        self._states: list[dict[str, str] | None] = []
        self._lots: list[int] = []
        self._new_prices: set[int] = set()
        self._comings = collections.defaultdict(list)
        """By name: the events by which its bidder joined, left, joined again and so on."""

    @property
    def last(self) -> int:
        return self.first + len(self.words) - 1

    @property
    def newest_lot(self) -> int:
        """The number of the newest lot, or 0."""
        return self._lots[-1] if self._lots else 0

    def event(self, number: int) -> str:
        """The words of an event; empty if it is not known."""
        place = number - self.first
        return self.words[place] if 0 <= place < len(self.words) else ""

    def state(self, number: int) -> dict[str, str]:
        """The lines that hold after the event, by their first words."""
        return self._states[number - self.first]

    def snapshot(self, number: int) -> list[str]:
        """The lines that a newcomer receives after the event."""
        return sorted(self.state(number).values(), key=lambda line: ORDER.index(line.split()[0]))

    def lot(self, number: int) -> int:
        """The number of the newest lot after the event."""
        return self._lots[number - self.first]

    def present(self, number: int) -> set[str]:
        """The bidders who are present after the event."""
        return {name for name, events in self._comings.items() if bisect.bisect_right(events, number) % 2}

    def is_new_price(self, number: int) -> bool:
        """Whether the event is an accepted bid, and not one that leads again after a void."""
        return number in self._new_prices

    def winners(self) -> list[tuple[int, str, str, int]]:
        """Lot, title, bidder and amount of each sold lot."""
        found = []
        for lot, words in zip(self._lots, self.words):
            if words.startswith("WINNER "):
                _, bidder, amount, _, title = words.split(" ", 4)
                found.append((lot, title, bidder, int(amount)))
        return found

    def apply(self, words: str, elapsed: int | None = None):
        """Adds the next event."""
        word, *rest = words.split()
        before = self._states[-1] if self._states else {}
        self.words.append(words)
        self.elapsed.append(elapsed)
        self._lots.append(int(rest[0]) if word == "LOT" else self.newest_lot)
        if word == "PRICE" and ("PRICE" not in before or int(rest[-1]) > int(before["PRICE"].split()[-1])):
            self._new_prices.add(self.last)
        elif word in ("JOINED", "LEFT"):
            self._comings[rest[0]].append(self.last)
        self._states.append(following(before, words))

    def forget_states(self):
        """Drops all states but the last, for a game that goes on for hours."""
        self._states[:-1] = [None] * (len(self._states) - 1)


def following(state: dict[str, str], words: str) -> dict[str, str]:
    """The lines that hold after the event."""
    word, *rest = words.split()
    gone: tuple[str, ...] = ()
    match word:
        case "LOT":
            return {word: words}
        case "WINNER" | "PASSED":
            gone = tuple(set(state) - {"PAUSED"})
        case "OVER" | "RESUMED":
            gone = ("PAUSED",)
        case "VOIDED":
            gone = ("COUNTDOWN", "RESERVE") if rest[3:] else ("COUNTDOWN", "RESERVE", "PRICE", "LAST")
    after = {key: line for key, line in state.items() if key not in gone}
    if word == "VOIDED" and rest[3:]:
        after["PRICE"] = " ".join(("PRICE", *rest[3:]))
    elif word in ORDER:
        after[words if word == "CHAMPION" else word] = words
    return after


def history_of_observer(observer: Connection) -> History:
    """The events that a connection received which knows the number of each; fails if there is a gap."""
    history = None
    for line in observer.received:
        message = parse(line.text)
        if message.kind == "skipped":
            raise Failure("the observer missed news", line.text)
        if message.number is None:
            continue
        history = history or History(message.number)
        if message.number != history.last + 1:
            raise Failure(f"{observer.label}: event {history.last} was followed by {message.number}", line.text)
        history.apply(message.words, message.elapsed if message.words.startswith(("PRICE ", "WINNER ")) else None)
    if history is None:
        raise Failure("the observer received nothing")
    return history


def compare(journal: History, history: History):
    """Fails unless the journal has the same events; it may have more at the end."""
    for number, (words, time) in enumerate(zip(history.words, history.elapsed), history.first):
        if journal.event(number) != words:
            raise Failure(f"event {number} is another one in the journal", journal.event(number), words)
        stored = journal.elapsed[number - journal.first]
        if None not in (stored, time) and stored != time:
            raise Failure(f"event {number} has another time in the journal", words, stored)
