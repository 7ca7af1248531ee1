"""Reads a journal's folder without any code of the server, and proves that it is one; see Journal.md."""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess
from typing import Iterator, NamedTuple

from checks import Failure
from game import Game
from protocol import lot_time

PATIENCE = 30.0
LINE = re.compile(r"(=?[1-9]\d*|-) ([0-9a-f]{8}) ([^\t]+)(?:\t(\d+|\d+ \*|\*))?")
HEADER = re.compile(r"JOURNAL auction/2 first=([1-9]\d*) after=([0-9a-f]{8}) state=(\d+)")
SEGMENT = re.compile(r"\d{12}\.journal")
NO_SUM = "00000000"
MOMENT = r"[-\d]+T[\d:.]+Z"
TIMED = {"PRICE": 3, "WINNER": 3, "LAP": 4, "PASSED": None}
"""The lines with a time, and the place of the time among the words; the words of `PASSED` have none."""
OUTCOMES = r"WINNER \S+ \d+ [\d:.]+ .+|PASSED \d+ \S+ .+"
EVENTS = re.compile(r"LOT \d+ .+|PRICE \d+ \S+ [\d:.]+ \d+|COUNTDOWN \d+|GOING (once|twice)|LAST|OVER \d+|STOPPED"
                    r"|(JOINED|LEFT) \S+|PAUSED|RESUMED|HAMMERED|VOIDED \d+ \S+|KICKED \S+ .+|" + OUTCOMES)
NOTES = re.compile(rf"JOURNAL .+|NAME \S+ [0-9a-f]{{32}}( bid( {MOMENT})?)?|FREE \S+|OUT \S+ {MOMENT}|WHO \S+"
                   rf"|GAME [a-z0-9]{{4,8}}|NEXT \d{{12}}\.journal|TIME {MOMENT}|LOT \d+ .+|LAP \d+ \d+ \S+ [\d:.]+"
                   rf"|RESULT \d+ \d+ {MOMENT} ({OUTCOMES})")


class Line(NamedTuple):
    """One line of a journal."""

    mark: str
    words: str
    milliseconds: int | None
    where: str

    def __str__(self):
        return f"{self.where}: {self.mark} {self.words}" + (f" ({self.milliseconds} ms)" if self.milliseconds else "")


def _table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = _table()


def checksum(data: bytes) -> str:
    """The CRC-32C of the bytes, as a journal writes it."""
    rest = 0xFFFFFFFF
    for byte in data:
        rest = TABLE[(rest ^ byte) & 0xFF] ^ rest >> 8
    return f"{rest ^ 0xFFFFFFFF:08x}"


class Reader:
    """Reads the segments of a folder, again and again while they grow; checks sums, marks and numbers."""

    def __init__(self, folder):
        self.folder = folder
        self.unfinished = b""
        """The bytes after the last whole line."""
        self._segment, self._offset, self._number = None, 0, 0
        self._sum, self._event, self._state_left = NO_SUM, 0, 0

    def read(self) -> Iterator[Line]:
        """The whole lines that were not read before; the newest segment may end unfinished."""
        names = self._names()
        if self._segment and self._segment not in names:
            raise Failure(f"{self._segment} is gone")
        for name in names[names.index(self._segment) if self._segment else 0:]:
            if not self._is_begun(name):
                raise Failure(f"{name} has no whole state")
            if name != self._segment:
                if self.unfinished:
                    raise Failure(f"{name} follows an unfinished line", self.unfinished)
                self._segment, self._offset, self._number = name, 0, 0
            yield from self._lines()

    def _names(self):
        names = sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else []
        # A segment has another name until its state is whole; a kill may leave it behind.
        names = [name for name in names if name != "lock" and not name.endswith(".journal.new")]
        unknown = [name for name in names if not SEGMENT.fullmatch(name)]
        if unknown:
            raise Failure(f"the folder has files that no journal has: {unknown}")
        return names

    def _bytes(self, name, offset=0):
        with open(os.path.join(self.folder, name), "rb") as file:
            if file.seek(0, os.SEEK_END) < offset:
                raise Failure(f"{name} lost whole lines: it ends before byte {offset}")
            file.seek(offset)
            return file.read()

    def _is_begun(self, name):
        """Whether the header of the segment and all its state are whole."""
        if name == self._segment:
            return True
        lines = self._bytes(name).split(b"\n")[:-1]
        match = lines and HEADER.search(lines[0].decode("utf-8", "replace"))
        return bool(lines) and (not match or len(lines) > int(match[3]))

    def _lines(self):
        whole, end, self.unfinished = self._bytes(self._segment, self._offset).rpartition(b"\n")
        if not end:
            return
        self._offset += len(whole) + 1
        for data in whole.split(b"\n"):
            self._number += 1
            yield self._line(data, f"{self._segment}, line {self._number}")

    def _line(self, data, where):
        try:
            match = LINE.fullmatch(data.decode())
        except UnicodeDecodeError:
            match = None
        if not match:
            raise Failure("no line of a journal", f"{where}: {data!r}")
        mark, stated, words, aside = match.groups()
        if self._number == 1:
            self._begin(mark, words, where)
        else:
            self._count(mark, f"{where}: {data.decode()}")
        actual = checksum(f"{self._sum} {mark} ".encode() + data[len(mark) + 10:])
        if actual != stated:
            raise Failure(f"the sum is not {actual}", f"{where}: {data.decode()}")
        self._sum = stated
        digits = (aside or "").rstrip("* ")
        return Line(mark, words, int(digits) if digits else None, where)

    def _begin(self, mark, words, where):
        """Fails unless the header continues where the segment before ended."""
        match = HEADER.fullmatch(words)
        expected = (self._event + 1, self._sum)
        if mark != "-" or not match or (int(match[1]), match[2]) != expected \
                or int(self._segment[:12]) != expected[0]:
            raise Failure("the header should say first={} after={}".format(*expected), f"{where}: {mark} {words}")
        self._state_left = int(match[3])

    def _count(self, mark, line):
        """Fails unless the mark may stand here."""
        if self._state_left:
            self._state_left -= 1
            if mark != "-" and not (mark[0] == "=" and int(mark[1:]) <= self._event):
                raise Failure("this cannot be state", line)
        elif mark != "-":
            if mark != str(self._event + 1):
                raise Failure(f"event {self._event} is not followed by {self._event + 1}", line)
            self._event += 1


class Journal:
    """The game of a journal's folder, and the owners of its names."""

    def __init__(self, folder: str, seconds: int, **rules):
        self.folder, self.game = folder, Game(seconds, **rules)
        self.tokens = collections.defaultdict(list)
        """By name: each token that it had."""
        self._owned: set[str] = set()
        self._reader = Reader(folder)

    @property
    def unfinished(self) -> bytes:
        return self._reader.unfinished

    def read(self) -> Journal:
        """Takes what was written since the last time; no server may write meanwhile.

        - Throws: `Failure` if the journal is damaged, or its game breaks a rule.
        """
        for line in self._reader.read():
            try:
                self._take(line)
            except Failure as failure:
                raise Failure(str(failure), line) from None
        return self

    def _take(self, line):
        word, _, rest = line.words.partition(" ")
        if not (NOTES if line.mark == "-" else EVENTS).fullmatch(line.words):
            raise Failure("words that no journal has")
        _check_time(line, word)
        if line.mark[0] == "=":
            if self.game.event(int(line.mark[1:])) != line.words:
                raise Failure("the state repeats what was not announced")
        elif line.mark != "-":
            self._take_event(line, word, rest)
        elif word == "NAME":
            self._own(*rest.split()[:2])
        elif word == "RESULT":
            self._check_result(line)
        elif word == "FREE":
            self._owned.discard(rest)
            self.tokens.pop(rest, None)

    def _take_event(self, line, word, rest):
        if word == "JOINED" and rest not in self.tokens:
            raise Failure("nobody owns this name")
        self.game.take(line.words, line.milliseconds)
        if word == "PRICE":
            self._owned.add(line.words.split()[2])

    def _own(self, name, token):
        """A name may change its token only until its first accepted bid."""
        tokens = self.tokens[name]
        if tokens[-1:] != [token]:
            if name in self._owned:
                raise Failure(f"{name} has bid, and the name changes its owner")
            tokens.append(token)

    def _check_result(self, line):
        """The state repeats how a lot ended in the words of the event."""
        _, number, event, _, words = line.words.split(" ", 4)
        lots = self.game.lots
        lot = lots[int(number) - 1] if 0 < int(number) <= len(lots) else None
        if lot is None or (lot.outcome, lot.outcome_event, self.game.time(int(event))) != (
                words, int(event), line.milliseconds):
            raise Failure("the state has another result", lot)


def _check_time(line, word):
    """Fails unless exactly those lines have an exact time that should, and it is the announced one."""
    words = line.words
    if word == "RESULT":
        words = words.split(" ", 4)[4]
        word = words.partition(" ")[0]
    if (word in TIMED) != (line.milliseconds is not None):
        raise Failure("a time where none belongs, or none where one does")
    place = TIMED.get(word)
    if place is not None and words.split(" ")[place] != lot_time(line.milliseconds):
        raise Failure(f"the time is not {lot_time(line.milliseconds)}")


def check_with_server(server: str, folder: str, game: Game):
    """Fails unless the server itself finds the folder sound, and the same winners in it."""
    before = _contents(folder)
    _run(server, "--check", folder)
    results = _run(server, "--results", folder, "--json")
    if _contents(folder) != before:
        raise Failure("looking at the folder changed it")
    compare_results(results.splitlines(), game)


def _run(server, *flags) -> str:
    done = subprocess.run([server, *flags], capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(flags)} exited {done.returncode}", done.stdout, done.stderr)
    return done.stdout


def _contents(folder):
    """The bytes of every file."""
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


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
