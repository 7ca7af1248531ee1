"""Reads the events, the rooms and the names in a journal's folder without any code of the server; see Journal.md.

Check sums, times and the state at the beginning of a segment are left to the server's `--check`, and to the script in
Journal.md, which the session `documents` runs.
"""

from __future__ import annotations

import collections
import hashlib
import json
import os
import re
import subprocess

from checks import Failure, check
from history import History
from testbed import PATIENCE

MAIN = "main"
LINE = re.compile(r"(\d+|=\d+|-) [0-9a-f]{8} ([^\t]+)(?:\t.*)?")
"""A mark, a check sum, the words, and the exact time where there is one."""


def hash_of(token: str) -> str:
    """What the journal has in place of a token of a name or a key of a room."""
    return hashlib.sha256(token.encode()).hexdigest()


class Room:
    """What is known of one room: its events, and with a journal what only one bidder, or nobody, may know."""

    def __init__(self, history: History, key_hash: str | None = None, options: str = "", has_journal: bool = True):
        """The hash of its auctioneer's key, and the options with which it was opened; main has neither."""
        self.history, self.key_hash, self.options = history, key_hash, options
        self.token_hashes = collections.defaultdict(list) if has_journal else None
        """By name: the hash of each token that it had, and None where it was free."""
        self.notes: set[tuple[int, str]] | None = set() if has_journal else None
        """The lot and the words of each sealed bid, maximum bid and added lot."""
        self._owned: set[str] = set()
        """The names with a bid that everybody knows."""

    def is_owner(self, name: str, token: str) -> bool:
        """Whether the name has a bid in the room, and this is its token."""
        return name in self._owned and self.token_hashes is not None \
            and self.token_hashes[name][-1] == hash_of(token)

    def apply(self, words: str):
        """Takes the next event of the room."""
        self.history.apply(words)
        if words.startswith(("PRICE ", "REVEALED ")):
            self._owned.add(words.split()[2])

    def note(self, word: str, rest: str):
        """Takes a note of the room."""
        match word, *rest.split():
            case ["NAME", name, token_hash, *_]:
                if self.token_hashes[name][-1:] != [token_hash]:
                    self.token_hashes[name].append(token_hash)
            case ["FREE", name]:
                self._owned.discard(name)
                self.token_hashes[name].append(None)
            case [("BID" | "MAX" | "ADD"), *_]:
                self.notes.add((self.history.newest_lot, f"{word} {rest}"))


class Journal:
    """The rooms of a journal's folder, each with its events and the owners of its names."""

    def __init__(self, folder: str):
        self.folder = folder
        self.rooms = {MAIN: Room(History())}
        self._room = self.rooms[MAIN]
        """The room to which the next line belongs."""
        self._last = 0
        """The number of the last event, counted over all rooms."""
        self._newest, self._lines_read = "", 0
        """The segment that was read last, and how many of its lines; earlier ones do not change any more."""
        self._state_lines = 0
        """How many lines of the state of the segment follow, which repeat what is known."""

    @property
    def history(self) -> History:
        """The events in main."""
        return self.rooms[MAIN].history

    def read(self) -> Journal:
        """Takes what was written since the last time; no server may write meanwhile.

        - Throws: `Failure` if events are missing.
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
        mark, words = match.groups()
        word, _, rest = words.partition(" ")
        if mark == "-" and word == "JOURNAL":
            check(rest.startswith("auction/5 "), "the journal has another version")
            self._state_lines, self._room = int(re.search(r" state=(\d+)", words)[1]), self.rooms[MAIN]
        elif self._state_lines:
            self._state_lines -= 1
        elif mark.isdigit():
            check(int(mark) == self._last + 1, f"event {self._last} is not followed by {self._last + 1}")
            self._last += 1
            self._room.apply(words)
        elif word in ("ROOM", "SHUT"):
            check(rest in self.rooms, f"no room {rest} is open")
            self._room = self.rooms[rest]
            if word == "SHUT":
                del self.rooms[rest]
                self._room = self.rooms[MAIN]
        elif word == "OPEN":
            name, key_hash, options = rest.split(" ", 2)
            check(name not in self.rooms, f"{name} is open, and is opened again")
            self._room = self.rooms[name] = Room(History(), key_hash, options)
        else:
            self._room.note(word, rest)


def check_with_server(server: str, folder: str, history: History, room: str = MAIN):
    """Fails unless the server itself finds the folder sound, and the same winners in this room."""
    run_server(server, "--check", folder)
    flags = () if room == MAIN else ("--room", room)
    lines = [json.loads(line) for line in run_server(server, "--results", folder, "--json", *flags).splitlines()]
    listed = [(line["lot"], line["title"], line["bidder"], line["amount"]) for line in lines if line.get("type") == "winner"]
    sold = history.winners()
    check(listed == sold, f"{len(sold)} lots were sold, the results list {len(listed)}", *set(listed) ^ set(sold))


def run_server(server: str, *flags: str) -> str:
    """What the server prints that only reads a folder; fails unless it exits 0."""
    done = subprocess.run([server, *flags], capture_output=True, timeout=PATIENCE, check=False)
    check(done.returncode == 0, f"{' '.join(flags)} exited {done.returncode}", done.stdout, done.stderr)
    return done.stdout.decode()
