"""The events of one room in their order, and what holds after each: without any rule of the auction."""

from __future__ import annotations

import bisect
import collections

from checks import check
from protocol import Connection, news_of

ORDER = ("WAITING", "LOT", "TERMS", "PRICE", "ASK", "SEALED", "REVEALED", "COUNTDOWN", "LAST", "RESERVE", "WINNER",
         "PASSED", "VALUE", "OVER", "CHAMPION", "AWARD", "PAUSED")
"""The first words of the lines of a snapshot; each replaces the one before, except those of `MANY`."""
MANY = "CHAMPION", "AWARD"
"""The words of which several lines hold at once."""


class History:
    """All events, from number 1 on, each with the snapshot after it."""

    def __init__(self):
        self.words: list[str] = []
        self._states: list[dict[str, str] | None] = []
        self._lots: list[int] = []
        self._new_prices: set[int] = set()
        self._comings = collections.defaultdict(list)
        """By name: the events by which its bidder joined, left, joined again and so on."""

    @property
    def last(self) -> int:
        return len(self.words)

    @property
    def newest_lot(self) -> int:
        """The number of the newest lot, or 0."""
        return self._lots[-1] if self._lots else 0

    def event(self, number: int) -> str:
        """The words of an event; empty if it is not known."""
        return self.words[number - 1] if 0 < number <= self.last else ""

    def state(self, number: int) -> dict[str, str]:
        """The lines that hold after the event, by their first words."""
        return self._states[number - 1]

    def lot(self, number: int) -> int:
        """The number of the newest lot after the event."""
        return self._lots[number - 1]

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

    def apply(self, words: str):
        """Adds the next event."""
        word, *rest = words.split()
        before = self._states[-1] if self._states else {}
        self.words.append(words)
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
        case "REMATCH":
            gone = tuple(key for key in state if key.split()[0] in ("OVER", *MANY))
        case "VOIDED":
            gone = ("COUNTDOWN", "RESERVE") if rest[3:] else ("COUNTDOWN", "RESERVE", "PRICE", "LAST")
    after = {key: line for key, line in state.items() if key not in gone}
    if word == "VOIDED" and rest[3:]:
        after["PRICE"] = " ".join(("PRICE", *rest[3:]))
    elif word in ORDER:
        after[words if word in MANY else word] = words
    return after


def history_of_observer(observer: Connection) -> History:
    """The events of a room, from an observer that received them in text, and entered the room before all others."""
    lines = [line.text for line in observer.received]
    greeting = max(place for place, line in enumerate(lines) if line.startswith("HELLO "))
    history = History()
    for words in news_of(lines[greeting:]):
        history.apply(words)
    skipped = [line for line in lines if line.startswith("SKIPPED")]
    check(history.words and not skipped, "the observer missed news", *skipped)
    return history


def compare(journal: History, history: History):
    """Fails unless the journal has the same events; it may have more at the end."""
    for number, words in enumerate(history.words, 1):
        check(journal.event(number) == words, f"event {number} is another one in the journal", journal.event(number), words)
