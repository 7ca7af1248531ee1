"""Lines without an end, of 64 MiB if the server takes that."""

import time

from peer import check
from storm import Crowd, dial, hear

TITLE = "endless line: 64 MiB without a line end, read past; and from twenty as fast as is taken"
FLAGS = ("--line-rate", "none")
BYTES = 64 << 20
SECONDS = 3.2


def play(arena):
    arena.storm(to_the_end)
    arena.join()
    arena.storm(as_fast_as_taken)
    arena.join()


def to_the_end(address):
    """It is refused once, and what stands behind its end is heard."""
    caller = dial(address)
    piece = b"x" * (1 << 20)
    for _ in range(BYTES // len(piece)):
        caller.sendall(piece)
    caller.sendall(b"\nping\n")
    heard = hear(caller, lambda data: b"\nOK ping\n" in data)
    check(heard.count(b"ERROR line-too-long ") == 1, f"64 MiB were answered {heard[-200:]!r}")
    caller.close()


def as_fast_as_taken(address):
    crowd = Crowd(address, 20, lambda number: b"x" * (1 << 16))
    crowd.rage(SECONDS)
    crowd.leave()
    time.sleep(0.1)
