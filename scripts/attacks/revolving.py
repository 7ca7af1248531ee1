"""One owned name that is opened and left again and again: this must cause little news."""

import glob
import os
import time

from peer import check
from storm import dial, hear, reset

TITLE = "revolving door: one owned name opened and left on new connections without end"
NAME = "revolver"
STRANGERS = (NAME,)
SECONDS = 4.0
AT_ONCE = 8
NEWS, LOG_LINES, JOURNAL_BYTES = 40, 200, 64 << 10
"""The most news, log lines and journal bytes that it may cause in all these seconds."""


def play(arena):
    arena.storm(open_and_leave)
    arena.join()


def open_and_leave(address):
    """A name with a bid stays owned; its token opens it again and again."""
    owner = dial(address)
    owner.sendall(f"name {NAME}\n".encode())
    # The others wait for the hammer when the countdown is at 1.
    heard = hear(owner, lambda data: b"\nCOUNTDOWN 1\n" in data)
    token = heard.partition(f"OK name {NAME} ".encode())[2].split()[0]
    owner.sendall(b"bid %d\n" % (int(heard.rpartition(b"\nPRICE ")[2].split()[0]) + 1))
    heard = hear(owner, lambda data: b"OK bid " in data or b"ERROR " in data)
    check(b"OK bid " in heard, f"the owner was told {heard!r}")
    owner.close()
    until, opened = time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        callers = [dial(address) for _ in range(AT_ONCE)]
        for caller in callers:
            caller.sendall(f"name {NAME} {token.decode()}\n".encode())
        for caller in callers:
            hear(caller, lambda data: b"\nOK " in data or b"\nERROR " in data or b"BYE " in data)
            opened += 1
        for caller in callers:
            reset(caller)
    check(opened > 200, f"it was opened only {opened} times, which shows nothing")


def judge(arena):
    """Counts the news, the log lines and the journal bytes that it caused."""
    news = size = 0
    for path in glob.glob(os.path.join(arena.folder, "*.journal")):
        with open(path, "rb") as file:
            for line in file:
                if NAME.encode() in line:
                    size += len(line)
                    news += b" JOINED " in line or b" LEFT " in line
    logged = sum(NAME in line for line in arena.server.errors.lines)
    arena.notes.append(f"{news} news, {size} bytes of journal, {logged} lines of log of one name")
    check(news <= NEWS, f"everybody was told {news} times that one name came or went")
    check(size <= JOURNAL_BYTES, f"one name that came and went took {size} bytes of journal")
    check(logged <= LOG_LINES, f"one name that came and went took {logged} lines of the log")
