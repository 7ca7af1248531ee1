"""Finds the place of each connection, and of each line that it received, in the order of events."""

from __future__ import annotations

from typing import NamedTuple

from checks import Failure
from game import Game
from ledger import play_of
from protocol import Connection, Message, parse

LONGEST_SNAPSHOT = 12
"""Lines: those of an open lot, or those at the end of a sale with a few champions."""


class PlacedLine(NamedTuple):
    """A received line, and the last event that its connection had received by then."""

    message: Message
    moment: int
    place: int


class Places:
    """Compares the news that connections received with the events of a game."""

    def __init__(self, game: Game, floor: int = 0):
        """No connection joined before the event `floor`."""
        self._game, self._floor = game, max(floor, game.first)

    def lines(self, connection: Connection) -> list[list[PlacedLine]]:
        """The places of the connection's lines, for each event at which it may have joined, latest first.

        - Throws: `Failure` if it did not receive a snapshot and then all news, in order.
        """
        items = [(parse(line.text), line.moment) for line in connection.received]
        for message, _ in items:
            if message.kind == "game" and play_of(message.words) != self._game.ledger.play._replace(profits=False):
                raise Failure(f"{connection.label}: the game is {self._game.ledger.play}", message.words)
        items = [(message, moment) for message, moment in items if message.kind != "game"]
        skipped = [message.words for message, _ in items if message.kind == "skipped"]
        if skipped:
            raise Failure(f"{connection.label} missed news", *skipped)
        news = _without_status(items)
        if not news:
            return [[PlacedLine(message, moment, self._game.last) for message, moment in items]]
        messages = [items[index][0] for index in news]
        unknown = [message.words for message in messages if (message.number or 0) > self._game.last]
        if unknown:
            raise Failure(f"{connection.label} received events that there are not", *unknown)
        found = self._find(messages, _greeting(items))
        if not found:
            self._complain(connection, [message.words for message in messages])
        for start, length in found[:1]:
            self._check_facts(connection, messages[length:], start)
        return [_placed_from(start, length, items, set(news)) for start, length in found]

    def _find(self, messages, longest):
        """The possible pairs of the event at which it joined and the length of its snapshot.

        There can be several if it received few lines. The latest comes first.
        """
        game, found = self._game, []
        words, numbers = [message.words for message in messages], [message.number for message in messages]
        for length in range(min(longest, len(words)) + 1):
            rest = words[length:]
            for place in self._candidates(rest, numbers[length:]):
                begin = place + 1 - game.first
                if game.state(place).snapshot() == words[:length] \
                        and game.words[begin:begin + len(rest)] == rest \
                        and _is_counting(numbers[length:], place + 1):
                    found.append((place, length))
        return sorted(found, reverse=True)

    def _candidates(self, rest, numbers):
        """The events after which these lines may follow."""
        for index, number in enumerate(numbers):
            if number is not None:
                place = number - index - 1
                return [place] if self._floor <= place <= self._game.last else []
        if not rest:
            return range(self._game.last, self._floor - 1, -1)
        return [number - 1 for number in range(self._floor + 1, self._game.last + 1)
                if self._game.event(number) == rest[0]]

    def _check_facts(self, connection, messages, start):
        """Fails unless the lot and the exact time are right that only JSON has."""
        for number, message in enumerate(messages, start + 1):
            time = self._game.time(number)
            if message.lot is not None and message.lot != self._game.state(number).lot:
                raise Failure(f"{connection.label}: event {number} with another lot", message)
            if message.words.startswith(("PRICE ", "WINNER ")) and None not in (message.elapsed, time) \
                    and message.elapsed != time:
                raise Failure(f"{connection.label}: event {number} with another time than {time} ms", message)

    def _complain(self, connection, words):
        """Fails, and says where the news of the connection differ from those of the game."""
        best, place = -1, 0
        for start in range(self._floor, self._game.last):
            for length in range(1, LONGEST_SNAPSHOT):
                if self._game.state(start).snapshot() == words[:length]:
                    due = self._game.words[start + 1 - self._game.first:]
                    count = next((index for index, pair in enumerate(zip(due, words[length:]))
                                  if pair[0] != pair[1]), min(len(due), len(words) - length))
                    if count > best:
                        best, place = count, start + count + 1
                        received = words[length + count:length + count + 3]
        if best < 0:
            raise Failure(f"{connection.label}: its snapshot was never true", *words[:6])
        raise Failure(f"{connection.label}: where event {place} was due it received other news",
                      f"due: {self._game.event(place)}", f"received: {received}")


def _is_counting(numbers, first) -> bool:
    """Whether the known numbers increase by one from the first."""
    return all(number is None or number == first + index for index, number in enumerate(numbers))


def _placed_from(start, length, items, news) -> list[PlacedLine]:
    """The lines of a connection that joined after the event `start`."""
    lines, place, count = [], start, 0
    for index, (message, moment) in enumerate(items):
        if index in news:
            count += 1
            place += count > length
        lines.append(PlacedLine(message, moment, place))
    return lines


def _greeting(items) -> int:
    """The greatest possible length of the snapshot, which follows `HELLO`."""
    start, count = items[0][0].kind == "hello", 0
    while count < min(LONGEST_SNAPSHOT, len(items) - start) and items[start + count][0].kind == "news":
        count += 1
    return count


def _without_status(items) -> list[int]:
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


def check_received(game: Game, connection: Connection, is_complete=True):
    """Fails unless the connection received a snapshot and then all events, with `is_complete` up to the last."""
    lines = Places(game).lines(connection)
    if is_complete and not any(choice[-1].place == game.last for choice in lines):
        raise Failure(f"{connection.label} did not receive the last events", game.event(game.last))
