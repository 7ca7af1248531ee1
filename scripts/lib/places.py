"""Finds the place of each line that a connection received in the order of events of its room."""

from __future__ import annotations

from typing import NamedTuple

from checks import Failure
from history import History
from protocol import Connection, Message, parse

LONGEST_SNAPSHOT = 12
"""Lines: those of an open lot, or those at the end of a sale with a few champions."""


class PlacedLine(NamedTuple):
    """A received line, and the last event that its connection had received by then."""

    message: Message
    moment: int
    place: int


def places(history: History, connection: Connection, floor: int = 0) -> list[list[PlacedLine]]:
    """The places of the connection's lines, for each event at which it may have joined, latest first.

    It did not join before the event `floor`.

    - Throws: `Failure` if it did not receive a snapshot and then all news, in order.
    """
    items = [(message, line.moment) for line in connection.received if (message := parse(line.text)).kind != "game"]
    skipped = [message.words for message, _ in items if message.kind == "skipped"]
    if skipped:
        raise Failure(f"{connection.label} missed news", *skipped)
    news = _without_status(items)
    if not news:
        return [[PlacedLine(message, moment, history.last) for message, moment in items]]
    messages = [items[index][0] for index in news]
    found = _find(history, max(floor, history.first), messages, _greeting(items))
    if not found:
        raise Failure(f"{connection.label} did not receive a snapshot and then each event", *_difference(history, messages))
    return [_placed_from(start, length, items, set(news)) for start, length in found]


def check_received(history: History, connection: Connection, is_complete=True):
    """Fails unless the connection received a snapshot and then all events, with `is_complete` up to the last."""
    if is_complete and not any(lines[-1].place == history.last for lines in places(history, connection)):
        raise Failure(f"{connection.label} did not receive the last events", history.event(history.last))


def _find(history, floor, messages, longest):
    """The possible pairs of the event at which it joined and the length of its snapshot.

    There can be several if it received few lines. The latest comes first.
    """
    found, words = [], [message.words for message in messages]
    for length in range(min(longest, len(words)) + 1):
        rest = words[length:]
        for place in _candidates(history, floor, messages[length:]):
            begin = place + 1 - history.first
            if history.words[begin:begin + len(rest)] == rest and history.snapshot(place) == words[:length] \
                    and all(message.number in (None, place + index)
                            for index, message in enumerate(messages[length:], 1)):
                found.append((place, length))
    return sorted(found, reverse=True)


def _candidates(history, floor, rest):
    """The events after which these lines may follow."""
    for index, message in enumerate(rest):
        if message.number is not None:
            place = message.number - index - 1
            return [place] if floor <= place <= history.last else []
    return [place for place in range(floor, history.last + 1)
            if not rest or history.event(place + 1) == rest[0].words]


def _difference(history, messages):
    """The first line that is not the next event after the line before, if it has numbers; else the first lines."""
    for before, message in zip(messages, messages[1:]):
        if message.number is not None and history.event(message.number) != message.words:
            return f"due: {history.event(message.number)}", f"received: {message.words}"
        if None not in (before.number, message.number) and message.number > before.number + 1:
            return before.words, message.words
    return [message.words for message in messages[:6]]


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
