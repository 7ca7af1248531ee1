"""Judges connections that wander between the rooms of a server: one order of events for each room."""

from __future__ import annotations

import collections

from answers import split
from checks import Failure, check
from journal import RoomLog
from judge import Judge
from protocol import Connection
from stays import answered, stays


class RoomJudges:
    """A judge for each room. What a connection did in a room is judged there; no room may have ended."""

    def __init__(self, rooms: dict[str, RoomLog], **options):
        """More rooms may be added by and by; the options are those of each `Judge`."""
        self._rooms, self._options = rooms, options
        self._judges: dict[str, Judge] = {}
        self.opened: dict[str, int] = {}
        """By room: the moment at which it was known to be open, or 0 if that was in an earlier batch."""

    def floors(self) -> dict[str, int]:
        """The last event of each room, as read so far."""
        return {name: room.game.last for name, room in self._rooms.items()}

    def judge(self, connections: list[Connection], floors: dict[str, int]):
        """Judges connections that began after these events, and all events that are new since the last time."""
        by_room, answers = collections.defaultdict(list), []
        for connection in connections:
            for stay in stays(connection):
                by_room[stay.room].append(stay)
                answers += answered(stay)
        for name, found in by_room.items():
            check(name in self._rooms or not any(stay.received for stay in found),
                  f"{found[0].label}: there is no room {name}")
        for name, room in self._rooms.items():
            self._judge_of(room).judge(by_room[name], floors.get(name, 0))
        self._check_rooms(answers)

    @property
    def news(self) -> int:
        """The number of events of all rooms."""
        return sum(len(room.game.words) for room in self._rooms.values())

    def total(self, figure: str) -> int:
        """The sum of a figure of all judges, such as `answers`."""
        return sum(getattr(judge, figure) for judge in self._judges.values())

    def _judge_of(self, room: RoomLog) -> Judge:
        if room.name not in self._judges:
            self._judges[room.name] = Judge(
                room.game, room.tokens, key=room.key, **self._options, is_known_elsewhere=lambda name: any(
                    other.game.has_seen(name) for other in self._rooms.values() if other is not room))
        return self._judges[room.name]

    def _check_rooms(self, answers):
        """Fails unless a room that was acknowledged is there, with its options, for everybody and from then on."""
        self.opened = dict.fromkeys(self.opened, 0)
        for command, line, message, _ in answers:
            _, verb, rest = split(command.text)
            if verb == "open" and message.kind == "ok":
                name, *options = rest.split()
                self.opened[name] = line.moment
                room = self._rooms[name]
                check(set(options) <= set(room.options.split()),
                      f"{name} was opened with other options", command.text, room.options)
        for name in self.opened.keys() - self._rooms.keys():
            raise Failure(f"{name} was opened, and the journal does not have it")
        for command, line, message, data in answers:
            self._check_answer(command, message, data)

    def _check_answer(self, command, message, data):
        _, verb, rest = split(command.text)
        name = rest.split()[0] if rest.split() else ""
        if verb == "rooms" and message.kind == "ok":
            due = {each for each, moment in self.opened.items() if moment < command.moment}
            listed = {words.split()[1] for words in data if words.startswith("ROOM ")}
            check(due <= listed <= self._rooms.keys(),
                  "other rooms are listed than there are", sorted(listed ^ due))
        elif verb == "join" and message.words.startswith("no-room"):
            check(self.opened.get(name, command.moment) >= command.moment, f"{name} was opened, and is not there")
        elif verb == "open" and message.words.startswith("room-taken"):
            check(name in self._rooms, f"{name} is taken, and was never opened")
        elif verb == "name" and message.words.startswith("wrong-token"):
            check(not any(room.is_owner(*rest.split()) for room in self._rooms.values()),
                  f"the token of {name} does not open it", command.text)
