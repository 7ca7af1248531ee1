"""Forges violations of each kind in a journal and logs that agree; each must be found."""

from __future__ import annotations

import json
import os
import re
import tempfile

from checker import Checker, compare_results
from edits import JOURNAL_EDITS, LOG_EDITS, RESULT_EDITS
from sample import LOGS, RESULTS, SEGMENTS, written
from segments import checksum
from violation import Violation

OLDER, NEWER = SEGMENTS
STRIDE = 7
"""Of so many bytes one is flipped."""


def prove():
    """Fails unless what agrees is found to agree, and every forgery is found."""
    require(checksum(b"123456789") == "e3069283", "the check sum is no CRC-32C")
    expect("")
    for old, new, complaint in JOURNAL_EDITS:
        expect(complaint, segments=changed(SEGMENTS, old, new))
    for old, new, complaint in LOG_EDITS:
        expect(complaint, logs=changed(LOGS, old, new))
    prove_files()
    prove_flips()
    prove_results()


def expect(complaint, segments=SEGMENTS, logs=LOGS, damage=lambda data: None):
    """Fails unless the checker has just this complaint, or none."""
    with tempfile.TemporaryDirectory(prefix="auction-forgery-") as folder:
        data, paths = written(segments, logs, folder)
        damage(data)
        checker = Checker(data, paths)
        found = complaint_of(checker.look)
        checker.close()
    agrees = re.search(complaint, found) if complaint else not found
    require(agrees, f"expected {complaint!r}, found {found!r}")


def require(fact, complaint):
    if not fact:
        raise AssertionError(complaint)


def changed(files, old, new):
    """The files with one text changed in one of them, where it must be found once."""
    places = [name for name, text in files.items() if old in text]
    require(len(places) == 1 and files[places[0]].count(old) == 1, f"{old!r} is not there once")
    return {**files, places[0]: files[places[0]].replace(old, new)}


def prove_files():
    """Unfinished ends are allowed at the end of all, and nowhere else."""
    expect("", damage=appending(NEWER, b"15 0badca"))
    expect("", damage=appending("000000000015.journal.new", b"- 0badcafe JOURNAL auct"))
    expect("no whole state", damage=appending("000000000015.journal", b"- 0badcafe JOURNAL auct"))
    expect("unfinished line", damage=appending(OLDER, b"11 0badca"))
    expect("no whole state", damage=appending("000000000009.journal", b"- 0badcafe JOURNAL auct"))
    expect("no line of a journal", damage=appending(NEWER, b"15 0badcafe\n"))
    expect("files that no journal has", damage=appending("notes.txt", b""))
    expect("the header should say", damage=lambda data: os.remove(os.path.join(data, OLDER)))
    expect("which the journal does not have",
           damage=lambda data: os.remove(os.path.join(data, NEWER)))
    prove_loss()


def prove_loss():
    """Lines that were there at the last look must still be there."""
    with tempfile.TemporaryDirectory(prefix="auction-forgery-") as folder:
        data, paths = written(SEGMENTS, LOGS, folder)
        checker = Checker(data, paths)
        checker.look()
        checker.look()
        path = os.path.join(data, NEWER)
        os.truncate(path, os.path.getsize(path) - 30)
        found = complaint_of(checker.look)
        checker.close()
    require("lost whole lines" in found, f"the loss of whole lines is not found, but {found!r}")


def complaint_of(call):
    """What it has to complain about; empty if nothing."""
    try:
        call()
    except Violation as violation:
        return str(violation)
    return ""


def appending(name, data):
    def damage(folder):
        with open(os.path.join(folder, name), "ab") as file:
            file.write(data)
    return damage


def prove_flips():
    """No flipped bit stays unseen, but in the last end of a line: that makes it unfinished."""
    size = len("".join(SEGMENTS.values()))
    for place in range(0, size, STRIDE):
        expect(".", damage=flipping(place))


def flipping(place):
    def damage(folder):
        for name in SEGMENTS:
            path = os.path.join(folder, name)
            with open(path, "r+b") as file:
                data = bytearray(file.read())
                where = place % (len(data) - 1)
                data[where] ^= 1 << place % 7
                file.seek(0)
                file.write(data)
    return damage


def prove_results():
    ledger = read_ledger()
    compare_results([json.dumps(fields) for fields in RESULTS], ledger)
    for key, value, complaint in RESULT_EDITS:
        lines = [json.dumps({**fields, key: value}) for fields in RESULTS]
        found = complaint_of(lambda: compare_results(lines, ledger))
        require(complaint in found, f"results with {key}={value}: {found!r}")


def read_ledger():
    with tempfile.TemporaryDirectory(prefix="auction-forgery-") as folder:
        data, paths = written(SEGMENTS, LOGS, folder)
        checker = Checker(data, paths)
        checker.look()
        checker.close()
        return checker.ledger
