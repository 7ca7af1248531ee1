"""More connections than there are places."""

import time

from bystanders import COUNT as BYSTANDERS
from peer import check
from storm import dial, hear, hear_end

TITLE = "crowded: 1,000 come where 100 have room, and some again and again"
ROOM = 100
COUNT = 1000
SECONDS = 3.2
"""So long they try again and again."""
FLAGS = ("--connections", str(ROOM))


def play(arena):
    arena.storm(come)
    arena.join()


def come(address):
    """Whoever has no place is told so, and gets one once somebody has gone."""
    callers = [speak(address) for _ in range(COUNT)]
    full = sum(is_refused(caller) for caller in callers)
    check(COUNT - ROOM <= full <= COUNT - ROOM + BYSTANDERS, f"{full} were refused")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        caller = speak(address)
        check(is_refused(caller), "somebody got in although there is no room")
        caller.close()
    for caller in callers:
        caller.close()
    for _ in range(200):
        caller = dial(address)
        if b"HELLO " in hear(caller, lambda data: b"\n" in data):
            caller.close()
            return
    check(False, "nobody is let in although there is room again")


def speak(address):
    """Connects and says a line: a silent connection would make room for the next."""
    caller = dial(address)
    caller.sendall(b"ping\n")
    return caller


def is_refused(caller):
    """Whether somebody is told that there is no room, and nothing after that."""
    heard = hear(caller, lambda data: b"\nOK ping" in data or b"BYE full\n" in data)
    if b"BYE full\n" not in heard:
        return False
    check(b"ERROR full " in heard, f"a refused one heard {heard!r}")
    check(hear_end(caller) == b"", "something came after BYE full")
    return True
