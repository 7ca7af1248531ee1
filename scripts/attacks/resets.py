"""Connections that come and are reset, in the middle of all sorts of things."""

import time

from storm import dial, reset

TITLE = "resets: 5,000 come and reset"
COUNT, PROCESSES = 2500, 2
SPACING = 0.001
"""Seconds, so that there are bids enough meanwhile to be judged."""
WORDS = (b"", b"", b"bid", b"ping\n", b"help\nwho\nstatus\n", b"\xff", b"GET / HTTP/1.1\r\n",
         b"format json\nlaps\n")


def play(arena):
    arena.storm(come_and_reset, processes=PROCESSES)
    arena.join()


def come_and_reset(address):
    for number in range(COUNT):
        caller = dial(address)
        caller.sendall(WORDS[number % len(WORDS)])
        reset(caller)
        time.sleep(SPACING)
