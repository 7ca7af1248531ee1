"""Senders who take their time: a byte now and then, and lines that never end."""

import time

from peer import check
from storm import dial, hear_answer, hear_end

TITLE = "slow: 200 say a line byte by byte, 200 begin one and say no more"
FLAGS = ("--line-seconds", "3")
COUNT = 200
COMMAND = b"#slow ping\r\n"


def play(arena):
    arena.storm(byte_by_byte)
    arena.storm(unfinished)
    arena.join()


def byte_by_byte(address):
    """Everybody's command is answered in the end."""
    callers = [dial(address) for _ in range(COUNT)]
    for place in range(len(COMMAND)):
        for caller in callers:
            caller.sendall(COMMAND[place:place + 1])
        time.sleep(0.1)
    for caller in callers:
        heard = hear_answer(caller)
        check(b"\nOK #slow ping\n" in heard, f"a slow command was answered {heard[-80:]!r}")
        caller.close()


def unfinished(address):
    """Whoever begins a line and does not end it is told goodbye."""
    callers = [dial(address) for _ in range(COUNT)]
    for number, caller in enumerate(callers):
        caller.sendall(b"bid 5" if number % 2 else b"x" * 1500)
    for caller in callers:
        heard = hear_end(caller)
        check(heard.endswith(b"\nBYE idle\n"), f"an unfinished line ended with {heard[-80:]!r}")
        caller.close()
