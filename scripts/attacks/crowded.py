"""More connections than there are places."""

from peer import check
from storm import dial, hear, hear_end

TITLE = "crowded: 1,000 come where 100 have room"
ROOM = 100
COUNT = 1000
FLAGS = ("--connections", str(ROOM))


def play(arena):
    arena.storm(come)
    arena.join()


def come(address):
    """Whoever has no place is told so, and gets one once somebody has gone."""
    callers = [dial(address) for _ in range(COUNT)]
    full = 0
    for number, caller in enumerate(callers):
        heard = hear(caller, lambda data: b"\nLOT " in data or b"BYE full\n" in data)
        if b"BYE full\n" in heard:
            check(heard.startswith(b"ERROR full "), f"a refused one heard {heard!r}")
            check(hear_end(caller) == b"", "something came after BYE full")
            full += 1
    check(COUNT - ROOM <= full <= COUNT - ROOM + 5, f"{full} were refused")
    for caller in callers:
        caller.close()
    for _ in range(200):
        caller = dial(address)
        if b"HELLO " in hear(caller, lambda data: b"\n" in data):
            caller.close()
            return
    check(False, "nobody is let in although there is room again")
