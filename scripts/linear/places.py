"""Finds the place of each connection, and of each line that it received, in the order of events."""

from __future__ import annotations

from typing import NamedTuple

from game import Game
from transcript import Connection, Message, parse
from violation import Violation

LONGEST_SNAPSHOT = 5


class Turn(NamedTuple):
    """A received line, and the last event that its connection had received by then."""

    message: Message
    moment: int
    place: int


class Places:
    """Compares the news that connections received with the events of a game."""

    def __init__(self, game: Game):
        self._game = game

    def turns(self, connection: Connection) -> list[list[Turn]]:
        """The places of the connection's lines, for each event at which it may have joined, latest first.

        - Throws: `Violation` if it did not hear a snapshot and then all news, in order.
        """
        items = [(parse(heard.text), heard.moment) for heard in connection.heard]
        skipped = [message.words for message, _ in items if message.kind == "skipped"]
        if skipped:
            raise Violation(f"{connection.label} missed news", *skipped)
        news = without_status(items)
        if not news:
            return [[Turn(message, moment, self._game.last) for message, moment in items]]
        words = [items[index][0].words for index in news]
        numbers = [items[index][0].seq for index in news]
        found = self._find(words, numbers, greeting(items))
        if not found:
            self._complain(connection, words)
        return [turns_from(start, length, items, set(news)) for start, length in found]

    def _find(self, words, numbers, longest):
        """The possible pairs of the event at which it joined and the length of its snapshot.

        There can be several if it received few lines. The latest comes first.
        """
        game, found = self._game, []
        for length in range(min(longest, len(words)) + 1):
            rest = words[length:]
            for place in self._places(rest, numbers[length:]):
                begin = place + 1 - game.first
                if game.state(place).snapshot() == words[:length] \
                        and game.words[begin:begin + len(rest)] == rest \
                        and is_counting(numbers[length:], place + 1):
                    found.append((place, length))
        return sorted(found, reverse=True)

    def _places(self, rest, numbers):
        """The events after which these lines may follow."""
        for index, number in enumerate(numbers):
            if number is not None:
                place = number - index - 1
                return [place] if self._game.first <= place <= self._game.last else []
        if not rest:
            return range(self._game.last, self._game.first - 1, -1)
        first = rest[0]
        return [number - 1 for number in range(self._game.first + 1, self._game.last + 1)
                if self._game.event(number) == first]

    def _complain(self, connection, words):
        """Fails, and says where the news of the connection differ from those of the game."""
        best, place = -1, 0
        for start in range(self._game.first, self._game.last):
            for length in range(1, LONGEST_SNAPSHOT):
                if self._game.state(start).snapshot() == words[:length]:
                    told = self._game.words[start + 1 - self._game.first:]
                    count = next((index for index, pair in enumerate(zip(told, words[length:]))
                                  if pair[0] != pair[1]), min(len(told), len(words) - length))
                    if count > best:
                        best, place = count, start + count + 1
                        heard = words[length + count:length + count + 3]
        if best < 0:
            raise Violation(f"{connection.label}: what it was told at first holds at no time", *words[:6])
        raise Violation(f"{connection.label}: where event {place} was due it heard other news",
                        f"due: {self._game.event(place)}", f"heard: {heard}")


def is_counting(numbers, first) -> bool:
    """Whether the known numbers increase by one from the first."""
    return all(number is None or number == first + index for index, number in enumerate(numbers))


def turns_from(start, length, items, news) -> list[Turn]:
    """The lines of a connection that joined after the event `start`."""
    turns, place, told = [], start, 0
    for index, (message, moment) in enumerate(items):
        if index in news:
            told += 1
            place += told > length
        turns.append(Turn(message, moment, place))
    return turns


def greeting(items) -> int:
    """The greatest possible length of the snapshot, which follows `HELLO`."""
    count = 0
    while count < min(LONGEST_SNAPSHOT, len(items) - 1) and items[count + 1][0].kind == "news":
        count += 1
    return count


def without_status(items) -> list[int]:
    """The indices of the news and of the first snapshot, without the answers to `status`."""
    news: list[int] = []
    for index, (message, _) in enumerate(items):
        if message.kind == "news":
            news.append(index)
        elif message.kind == "ok" and message.words == "status":
            while news and news[-1] >= index - LONGEST_SNAPSHOT:
                last = items[news.pop()][0].words
                if last.startswith(("LOT ", "WINNER ", "PASSED ")):
                    break
    return news
