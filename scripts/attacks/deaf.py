"""Readers that never read: what they ask for, and the news, is not kept for them without bound."""

import time

from machine import figures
from peer import check
from storm import Crowd

TITLE = "deaf: 500 ask for much and never read"
FLAGS = ("--stall-seconds", "3")
COUNT = 500
ASKED = b"help\nlaps 1 1000\nwho\nstatus\n" * 40
SECONDS = 3.2
PATIENCE = 7.0
"""Seconds after which nobody may be left of those who take nothing for three."""
# Each may have 64 KiB kept by the server; in the kernel its sending side has twice 64 KiB, and ours a little.
MEMORY = 56
SOCKETS = 200


def play(arena):
    arena.storm(ask_and_never_read)
    deadline = time.monotonic() + SECONDS + PATIENCE
    arena.pass_time(SECONDS)
    while (left := figures(arena.pid).descriptors - arena.before.descriptors) > 0:
        check(time.monotonic() < deadline, f"{left} are still kept who take nothing")
        arena.pass_time(0.1)
    arena.join()


def ask_and_never_read(address):
    crowd = Crowd(address, COUNT, lambda number: ASKED, reads=False, receive_bytes=4096)
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.rage(SECONDS)
    time.sleep(PATIENCE)
    crowd.leave()
