"""Readers that never read: what they ask for, and the news, is not kept for them without bound."""

import time

from peer import check
from storm import Crowd, hear_end

TITLE = "deaf: 500 ask for much and never read"
FLAGS = ("--stall-seconds", "3")
COUNT = 500
ASKED = b"help\nlaps 1 1000\nwho\nstatus\n" * 40
SECONDS = 2.0
# Each may have 64 KiB kept by the server, and one answer more; in the kernel its sending side has
# twice 64 KiB, and ours a little.
MEMORY = 100
SOCKETS = 200


def play(arena):
    arena.storm(say_nothing_and_hear_nothing)
    arena.join()


def say_nothing_and_hear_nothing(address):
    """They are closed when the time is over in which they took nothing."""
    crowd = Crowd(address, COUNT, lambda number: ASKED, reads=False, receive_bytes=4096)
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.rage(SECONDS)
    time.sleep(4)
    for caller in crowd.callers:
        if caller.fileno() >= 0:
            hear_end(caller)
    crowd.leave()
