"""Reads the events, the rooms and the names in a journal's folder without any code of the server; see Journal.md.

Check sums, times and most of the state at the beginning of a segment are left to the server's `--check`, and to the
script in Journal.md, which the session `documents` runs.
"""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess

from checks import Failure, check
from game import Game
from ledger import play_of
from peer import PATIENCE

MAIN = "main"
LINE = re.compile(r"(\d+|=\d+|-) [0-9a-f]{8} ([^\t]+)(?:\t(\d+)?.*)?")
"""A mark, a check sum, the words, and the exact time in milliseconds where there is one."""

SECRETS = frozenset(("PLAY", "PLAN", "ADD", "DRAWN", "WORTH", "BID", "MAX", "MUTE", "UNMUTE"))
"""The notes of what only one bidder, or nobody, may know."""


class RoomLog:
    """What is known of one room: its events, and with a journal the tokens of the names that took part in it."""

    def __init__(self, name: str, game: Game, key: str | None = None, options: str = "", has_journal: bool = True):
        """The key of its auctioneer, and the options with which it was opened; main has neither."""
        self.name, self.game, self.key, self.options = name, game, key, options
        game.ledger.has_notes = has_journal
        self.tokens = collections.defaultdict(list) if has_journal else None
        """By name: each token that it had, and None where it was free."""
        self.owned: set[str] = set()
        """The names with an accepted bid."""

    def is_owner(self, name: str, token: str) -> bool:
        """Whether the name has a bid in the room, and this is its token."""
        return name in self.owned and self.tokens[name][-1] == token

    def agrees(self, mark: str, words: str) -> bool:
        """Whether a line of the state of a segment repeats what is known."""
        if mark.startswith("="):
            return self.game.event(int(mark[1:])) == words
        return words.partition(" ")[0] not in SECRETS or self.game.ledger.agrees(words)

    def note(self, words: str):
        """Takes a note of the game."""
        self.game.ledger.note(words, self.game.last)
        if words.startswith(("BID ", "MAX ")):
            self.owned.add(words.split()[1])

    def apply(self, words: str, milliseconds: int | None):
        """Takes the next event of the room."""
        self.game.apply(words, milliseconds)
        if words.startswith("PRICE "):
            self.owned.add(words.split()[2])

    def free(self, name: str):
        """The name is free again."""
        self.owned.discard(name)
        self.tokens[name].append(None)


class Journal:
    """The rooms of a journal's folder, each with its game and the owners of its names."""

    def __init__(self, folder: str, seconds: int, **rules):
        """The rules are those of main, and of every room where its options say nothing else."""
        self.folder, self._rules = folder, rules
        self.rooms = {MAIN: RoomLog(MAIN, Game(seconds, **rules))}
        self.ended: list[RoomLog] = []
        """The rooms that have ended, in that order."""
        self._room = self.rooms[MAIN]
        """The room to which the next line belongs."""
        self._last = 0
        """The number of the last event, counted over all rooms."""
        self._newest_tokens: dict[str, str] = {}
        self._newest, self._lines_read = "", 0
        """The segment that was read last, and how many of its lines; earlier ones do not change any more."""
        self._state_lines = self._room_lines = 0
        """How many lines of the state of the segment follow, and how many of those of its room."""
        self._restated: set[str] = set()
        """The rooms whose state the segment has."""

    @property
    def game(self) -> Game:
        """The game in main."""
        return self.rooms[MAIN].game

    @property
    def tokens(self):
        """By name: each token that it had in main."""
        return self.rooms[MAIN].tokens

    def read(self) -> Journal:
        """Takes what was written since the last time; no server may write meanwhile.

        - Throws: `Failure` if events are missing or have changed, or a game breaks a rule.
        """
        names = sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else []
        for name in (name for name in names if name.endswith(".journal") and name >= self._newest):
            with open(os.path.join(self.folder, name), "rb") as file:
                # A kill may leave a line unfinished.
                lines = file.read().decode("utf-8", "replace").split("\n")[:-1]
            known = self._lines_read if name == self._newest else 0
            if len(lines) < known:
                raise Failure(f"{name} lost {known - len(lines)} whole lines")
            for number, line in enumerate(lines[known:], known + 1):
                try:
                    self._read_line(line)
                except Failure as failure:
                    raise Failure(str(failure), f"{name}, line {number}: {line}") from None
            self._newest, self._lines_read = name, len(lines)
        return self

    def _read_line(self, line):
        match = LINE.fullmatch(line)
        check(match, "no line of a journal")
        mark, words, milliseconds = match.groups()
        word, _, rest = words.partition(" ")
        if mark == "-" and word == "JOURNAL":
            check(re.match(r"auction/[34] ", rest), "the journal has another version")
            self._begin_segment(int(re.search(r" state=(\d+)", words)[1]))
        elif self._state_lines:
            self._read_state(mark, word, rest, words)
        elif mark.isdigit():
            self._read_event(int(mark), words, int(milliseconds) if milliseconds else None)
        elif word == "ROOM":
            self._room = self._live(rest)
        elif word == "OPEN":
            self._open(*rest.split(" ", 2))
        elif word == "SHUT":
            self._shut(rest)
        else:
            self._read_note(word, rest, words)

    def _read_note(self, word, rest, words):
        if word in SECRETS:
            self._room.note(words)
        elif word == "NAME":
            self._read_token(*rest.split()[:2])
        elif word == "FREE":
            self._room.free(rest)

    def _read_event(self, number, words, milliseconds):
        check(number == self._last + 1, f"event {self._last} is not followed by {self._last + 1}")
        self._last = number
        if words.startswith("JOINED "):
            name = words.split()[1]
            check(name in self._room.tokens, f"nobody owns this name in {self._room.name}")
            check(self._room.tokens[name][-1] == self._newest_tokens[name],
                  f"{name} joins {self._room.name} with a token that was replaced in another room")
        self._room.apply(words, milliseconds)

    def _read_token(self, name, token):
        """A name may change its token only until its first accepted bid, open or secret, in whatever room that was."""
        tokens = self._room.tokens[name]
        if tokens[-1:] != [token]:
            if any(name in room.owned for room in self.rooms.values()) and self._newest_tokens[name] != token:
                raise Failure(f"{name} has bid, and the name changes its owner")
            tokens.append(token)
        self._newest_tokens[name] = token

    # Rooms

    def _live(self, name) -> RoomLog:
        check(name in self.rooms, f"no room {name} is open")
        return self.rooms[name]

    def _open(self, name, key, options):
        check(name not in self.rooms, f"{name} is open, and is opened again")
        self._room = self.rooms[name] = RoomLog(name, game_of_options(options, self._rules), key, options)

    def _shut(self, name):
        check(name != MAIN, "main ends")
        room = self._live(name)
        present = room.game.present(room.game.last)
        check(not present, f"{name} ends while {sorted(present)} are there")
        self.ended.append(self.rooms.pop(name))
        self._room = self.rooms[MAIN]

    def _begin_segment(self, lines):
        self._state_lines, self._room_lines = lines, 0
        self._restated, self._room = set(), self.rooms[MAIN]

    def _read_state(self, mark, word, rest, words):
        """A line of the state of a segment, which repeats what still holds, room by room."""
        self._state_lines -= 1
        if self._room_lines:
            self._room_lines -= 1
        elif word == "OPEN":
            name, key, options = rest.split(" ", 2)
            self._room = self._live(name)
            check((key, options) == (self._room.key, self._room.options), f"{name} has another key, or other options")
        elif word == "STATE":
            self._begin_state(*rest.split())
        else:
            # A journal from before there were rooms has the state of main alone, without such a line.
            check(not self._restated, "a line of no room in the state of the segment")
        if mark == "-" and word == "NAME":
            self._read_token(*rest.split()[:2])
        check(self._room.agrees(mark, words), "the state of the segment has what is not known")
        if not self._state_lines:
            self._end_state()

    def _begin_state(self, name, events, lines):
        room = self._live(name)
        check(room in (self.rooms[MAIN], self._room), f"the state of {name} follows no OPEN")
        check(int(events) == room.game.last, f"{name} has had {room.game.last} events, and not {events}")
        check(name not in self._restated, f"the state of {name} is there twice")
        self._room, self._room_lines = room, int(lines)
        self._restated.add(name)

    def _end_state(self):
        check(not self._room_lines, f"{self._room_lines} lines of the state of {self._room.name} are missing")
        missing = self.rooms.keys() - self._restated
        check(not missing or self.rooms.keys() == {MAIN}, f"the state of the segment has no word of {sorted(missing)}")
        self._room = self.rooms[MAIN]


def game_of_options(options: str, rules: dict) -> Game:
    """The game of a room that was opened with these options, all of them resolved."""
    fields = dict(word.split("=", 1) for word in options.split())
    terms = {name: int(fields[name]) for name in ("start", "step")}
    return Game(int(fields["seconds"]), **{**rules, **terms, "play": play_of(options)})


def check_with_server(server: str, folder: str, game: Game, room: str = MAIN):
    """Fails unless the server itself finds the folder sound, and the same winners in this room."""
    run_server(server, "--check", folder)
    compare_results(run_server(server, "--results", folder, "--json", *of_room(room)).splitlines(), game)


def of_room(room: str) -> tuple[str, ...]:
    """The flags of `--results` for a room."""
    return () if room == MAIN else ("--room", room)


def run_server(server: str, *flags: str) -> str:
    """What the server prints that only reads a folder; fails unless it exits 0."""
    done = subprocess.run([server, *flags], capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(flags)} exited {done.returncode}", done.stdout, done.stderr)
    return done.stdout


def compare_results(lines: list[str], game: Game):
    """Fails unless the lines are the winners, as JSON."""
    listed = []
    for line in lines:
        fields = json.loads(line)
        if fields.get("type") == "winner":
            listed.append((fields["lot"], fields["title"], fields["bidder"], fields["amount"]))
    for ours, theirs in zip(game.winners(), listed):
        if ours != theirs:
            raise Failure("the results have another winner", ours, theirs)
    if len(listed) != len(game.winners()):
        raise Failure(f"{len(game.winners())} lots were sold, the results list {len(listed)}")
