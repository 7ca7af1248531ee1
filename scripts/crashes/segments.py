"""Reads the segments of a journal, and proves their sums, their marks and their numbers."""

from __future__ import annotations

import os
import re
from typing import Iterator, NamedTuple

from violation import Violation

LINE = re.compile(r"(=?[1-9]\d*|-) ([0-9a-f]{8}) ([^\t]+)(?:\t(\d+|\d+ \*|\*))?")
HEADER = re.compile(r"JOURNAL auction/2 first=([1-9]\d*) after=([0-9a-f]{8}) state=(\d+)")
NAME = re.compile(r"\d{12}\.journal")
NO_SUM = "00000000"


class Line(NamedTuple):
    """One line of the journal."""

    mark: str
    words: str
    milliseconds: int | None
    where: str

    def __str__(self):
        aside = "" if self.milliseconds is None else f" ({self.milliseconds} ms)"
        return f"{self.where}: {self.mark} {self.words}{aside}"


def castagnoli_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = castagnoli_table()


def checksum(data: bytes) -> str:
    """The CRC-32C of the bytes, as a journal writes it."""
    rest = 0xFFFFFFFF
    for byte in data:
        rest = TABLE[(rest ^ byte) & 0xFF] ^ rest >> 8
    return f"{rest ^ 0xFFFFFFFF:08x}"


class JournalReader:
    """Goes through a journal's folder, again and again while it grows."""

    def __init__(self, folder):
        self.folder = folder
        self.unfinished = b""
        """What stands behind the last whole line."""
        self._segment, self._offset, self._number = None, 0, 0
        self._sum, self._event, self._state_left = NO_SUM, 0, 0

    def read(self) -> Iterator[Line]:
        """The whole lines that were not read before; the newest segment may end unfinished."""
        names = self._names()
        if self._segment and self._segment not in names:
            raise Violation(f"{self._segment} is gone")
        for name in names[names.index(self._segment) if self._segment else 0:]:
            if not self._is_begun(name):
                raise Violation(f"{name} has no whole state")
            if name != self._segment:
                if self.unfinished:
                    raise Violation(f"{name} follows an unfinished line", self.unfinished)
                self._segment, self._offset, self._number = name, 0, 0
            yield from self._lines()

    def _names(self):
        names = sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else []
        # A segment has another name until its state is whole; a kill may leave it behind.
        names = [name for name in names if name != "lock" and not name.endswith(".journal.new")]
        strange = [name for name in names if not NAME.fullmatch(name)]
        if strange:
            raise Violation(f"the folder has files that no journal has: {strange}")
        return names

    def _bytes(self, name, offset=0):
        with open(os.path.join(self.folder, name), "rb") as file:
            if file.seek(0, os.SEEK_END) < offset:
                raise Violation(f"{name} lost whole lines: it ends before byte {offset}")
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
            raise Violation("no line of a journal", f"{where}: {data!r}")
        mark, stated, words, aside = match.groups()
        if self._number == 1:
            self._begin(mark, words, where)
        else:
            self._count(mark, f"{where}: {data.decode()}")
        actual = checksum(f"{self._sum} {mark} ".encode() + data[len(mark) + 10:])
        if actual != stated:
            raise Violation(f"the sum is not {actual}", f"{where}: {data.decode()}")
        self._sum = stated
        digits = (aside or "").rstrip("* ")
        return Line(mark, words, int(digits) if digits else None, where)

    def _begin(self, mark, words, where):
        """Fails unless the header goes on where the segment before ended."""
        match = HEADER.fullmatch(words)
        expected = (self._event + 1, self._sum)
        if mark != "-" or not match or (int(match[1]), match[2]) != expected \
                or int(self._segment[:12]) != expected[0]:
            raise Violation("the header should say first={} after={}".format(*expected),
                            f"{where}: {mark} {words}")
        self._state_left = int(match[3])

    def _count(self, mark, line):
        """Fails unless the mark is one that may stand here."""
        if self._state_left:
            self._state_left -= 1
            if mark != "-" and not (mark[0] == "=" and int(mark[1:]) <= self._event):
                raise Violation("this cannot be state", line)
        elif mark != "-":
            if mark != str(self._event + 1):
                raise Violation(f"event {self._event} is not followed by {self._event + 1}", line)
            self._event += 1
