"""Splits what a connection sent and received by the rooms in which it was, each of which has its own events.

A stay begins with the greeting of its room, and has the commands that were answered in it: the first of a stay that
began with `join` or `open` is that command. Commands that a connection sent after one that would have taken it to
another room, and to which it received no answer, may have been carried out in either.
"""

from __future__ import annotations

import collections
import re
from typing import Iterator

from checks import Failure
from protocol import Connection, Message, Sent, parse

COMMAND = re.compile(r"(?:#(\w+) +)?(\S*) *(.*)")
LOT = re.compile(r"(?:^| )lot=\d+$")


def split(text: str) -> tuple[str | None, str, str]:
    """The tag, the verb and the rest of a command without the lot that an offer is for; a number alone is a bid."""
    tag, verb, rest = COMMAND.fullmatch(text).groups()
    if verb.isdigit():
        verb, rest = "bid", f"{verb} {rest}"
    return tag, verb, LOT.sub("", rest.strip()) if verb in ("bid", "take", "buy", "max") else rest


def commands_of(sent: list[Sent]) -> list[Sent]:
    """The lines that are commands: all except blank ones."""
    return [line for line in sent if line.text.strip()]


class Stay(Connection):
    """What one connection sent and received in one room."""

    def __init__(self, connection: Connection, before: Stay | None, room: str):
        super().__init__(f"{connection.label}@{room}" if before else connection.label)
        self.room = room
        self.name: str | None = before.holds if before else None
        """The name that it had before any of this."""
        self.holds = self.name
        """The name that it has now."""


def stays(connection: Connection) -> list[Stay]:
    """What happened in each room, in order."""
    commands, found = collections.deque(commands_of(connection.sent)), [Stay(connection, None, "main")]
    for line in connection.received:
        message = parse(line.text)
        if message.kind == "hello" and not found[-1].received:
            found[-1].room = message.room
        elif message.kind == "hello":
            _check_move(connection, commands, message.room)
            found.append(Stay(connection, found[-1], message.room))
        found[-1].received.append(line)
        if message.kind in ("ok", "error") and commands:
            found[-1].sent.append(commands.popleft())
            if message.kind == "ok" and message.words.startswith("name "):
                found[-1].holds = message.words.split()[1]
    return [*found, *_leave_open(connection, found[-1], commands)]


def answered(stay: Connection) -> Iterator[tuple[Sent, Message]]:
    """Each command with the message of its answer."""
    answers = (message for line in stay.received if (message := parse(line.text)).kind in ("ok", "error"))
    return zip(stay.sent, answers)


def _check_move(connection, commands, room):
    """Fails unless the greeting of another room comes with the answer to a command that asked for it."""
    _, verb, rest = split(commands[0].text) if commands else ("", "", "")
    if verb not in ("join", "open") or rest.split()[:1] != [room]:
        raise Failure(f"{connection.label}: it was taken to {room}, for which it did not ask", *list(commands)[:1])


def _leave_open(connection, last, commands) -> list[Stay]:
    """Gives the commands without an answer to the last stay, and to the rooms where they may have been carried out."""
    last.was_cut, moved, names = connection.was_cut, [], []
    for command in commands:
        _, verb, rest = split(command.text)
        words = rest.split()
        if verb == "name":
            names.append(command)
        if verb in ("join", "open") and words and words[0] not in (last.room, *(stay.room for stay in moved)):
            moved.append(Stay(connection, last, words[0]))
            moved[-1].was_cut = True
            # Any of these may have given it a name.
            moved[-1].sent += names
        for stay in (last, *moved):
            stay.sent.append(command)
    return moved
