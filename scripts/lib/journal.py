"""Reads the events and the names in a journal's folder without any code of the server; see Journal.md.

Check sums, times and the state at the beginning of a segment are left to the server's `--check`, and to the script
in Journal.md, which the session `documents` runs.
"""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess

from checks import Failure
from game import Game

PATIENCE = 30.0
LINE = re.compile(r"(\d+|=\d+|-) [0-9a-f]{8} ([^\t]+)(?:\t(\d+)?.*)?")
"""A mark, a check sum, the words, and the exact time in milliseconds where there is one."""

SECRETS = frozenset(("PLAY", "PLAN", "ADD", "DRAWN", "WORTH", "BID", "MAX", "MUTE", "UNMUTE"))
"""The notes of what only one bidder, or nobody, may know."""


class Journal:
    """The game of a journal's folder, and the owners of its names."""

    def __init__(self, folder: str, seconds: int, **rules):
        self.folder, self.game = folder, Game(seconds, **rules)
        self.game.ledger.has_notes = True
        self.tokens = collections.defaultdict(list)
        """By name: each token that it had."""
        self._owned: set[str] = set()
        self._newest, self._lines_read = "", 0
        """The segment that was read last, and how many of its lines; earlier ones do not change any more."""
        self._state_lines = 0
        """How many lines of the state of the segment follow."""

    def read(self) -> Journal:
        """Takes what was written since the last time; no server may write meanwhile.

        - Throws: `Failure` if events are missing or have changed, or the game breaks a rule.
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
        if not match:
            raise Failure("no line of a journal")
        mark, words, milliseconds = match.groups()
        word, _, rest = words.partition(" ")
        is_state = self._state_lines > 0
        self._state_lines -= is_state
        if mark == "-" and word == "JOURNAL":
            self._state_lines = int(re.search(r" state=(\d+)", words)[1])
        elif mark == "-" and word in SECRETS:
            self._read_note(words, is_state)
        elif mark.isdigit():
            self._read_event(int(mark), words, int(milliseconds) if milliseconds else None)
        elif mark == "-" and word == "NAME":
            self._read_token(*rest.split()[:2])
        elif mark == "-" and word == "FREE":
            self._owned.discard(rest)
            self.tokens.pop(rest, None)

    def _read_note(self, words, is_state):
        """A note of the game; the state of a segment repeats those that still hold."""
        if not is_state:
            self.game.ledger.note(words, self.game.last)
        elif not self.game.ledger.agrees(words):
            raise Failure("the state of the segment has a secret that is not known")

    def _read_event(self, number, words, milliseconds):
        if number != self.game.last + 1:
            raise Failure(f"event {self.game.last} is not followed by {self.game.last + 1}")
        if words.startswith("JOINED ") and words.split()[1] not in self.tokens:
            raise Failure("nobody owns this name")
        self.game.apply(words, milliseconds)
        if words.startswith("PRICE "):
            self._owned.add(words.split()[2])

    def _read_token(self, name, token):
        """A name may change its token only until its first accepted bid."""
        tokens = self.tokens[name]
        if tokens[-1:] != [token]:
            if name in self._owned:
                raise Failure(f"{name} has bid, and the name changes its owner")
            tokens.append(token)


def check_with_server(server: str, folder: str, game: Game):
    """Fails unless the server itself finds the folder sound, and the same winners in it."""
    run_server(server, "--check", folder)
    compare_results(run_server(server, "--results", folder, "--json").splitlines(), game)


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
