"""Splits what a connection sent and received by the rooms in which it was, each of which has its own events.

A stay begins with the greeting of its room, and has the commands that were answered in it: the first of a stay that
began with `join` or `open` is that command. Commands that a connection sent after one that would have taken it to
another room, and to which it received no answer, may have been carried out in either.
"""

from __future__ import annotations

import collections
from typing import Iterator

from answers import commands_of, split
from checks import Failure
from protocol import Connection, Message, Received, Sent, parse


def stays(connection: Connection) -> list[Connection]:
    """What happened in each room, in order; each stay is a connection of its own."""
    commands, found = collections.deque(commands_of(connection.sent)), [begin(connection, None, "main")]
    for line in connection.received:
        message = parse(line.text)
        if message.kind == "hello":
            if not found[-1].received:
                found[-1].room = message.room
            else:
                check_moves(connection, commands, message.room)
                found.append(begin(connection, found[-1], message.room))
        found[-1].received.append(line)
        if message.kind in ("ok", "error") and commands:
            found[-1].sent.append(commands.popleft())
            if message.kind == "ok" and message.words.startswith("name "):
                found[-1].holds = message.words.split()[1]
    return [*found, *leave_open(connection, found[-1], commands)]


class Stay(Connection):
    """What one connection sent and received in one room."""

    def __init__(self, label: str, room: str, name: str | None):
        super().__init__(label)
        self.room, self.name = room, name
        self.holds = name
        """The name that it has now."""


def begin(connection, before, room) -> Stay:
    label = connection.label if before is None else f"{connection.label}@{room}"
    return Stay(label, room, before.holds if before else connection.name)


def check_moves(connection, commands, room):
    """Fails unless the greeting of another room comes with the answer to a command that asked for it."""
    _, verb, rest = split(commands[0].text) if commands else ("", "", "")
    if verb not in ("join", "open") or rest.split()[:1] != [room]:
        raise Failure(f"{connection.label}: it was taken to {room}, for which it did not ask", *list(commands)[:1])


def leave_open(connection, last, commands) -> list[Stay]:
    """Gives the commands without an answer to the last stay, and to the rooms where they may have been carried out."""
    last.was_cut, moved = connection.was_cut, []
    for command in commands:
        _, verb, rest = split(command.text)
        words = rest.split()
        if verb == "name" and words:
            last.holds = last.holds or words[0]
        if verb in ("join", "open") and words and words[0] not in (last.room, *(stay.room for stay in moved)):
            moved.append(begin(connection, last, words[0]))
            moved[-1].was_cut = True
        for stay in (last, *moved):
            stay.sent.append(command)
    return moved


def answered(stay: Connection) -> Iterator[tuple[Sent, Received, Message, list[str]]]:
    """Each command with its answer, the message in it, and the lines of data before it."""
    commands, data = iter(stay.sent), []
    for line in stay.received:
        message = parse(line.text)
        if message.kind == "data":
            data.append(message.words)
        elif message.kind in ("ok", "error") and (command := next(commands, None)):
            yield command, line, message, data
            data = []
