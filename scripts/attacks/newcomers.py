"""A stream of newcomers while bids reset the countdown, which must never exceed the full seconds."""

import time

from bystanders import Plan
from storm import dial

TITLE = "newcomers: 400 a second, while bids reset the countdown"
FLAGS = ("--threads", "2")
PLAN = Plan(bidding=2.0)
RATE, STAY = 400, 40
SECONDS = 5.0


def play(arena):
    arena.storm(come_and_go)
    arena.join()


def come_and_go(address):
    """Each stays connected for a tenth of a second."""
    start, inside = time.monotonic(), []
    for number in range(int(RATE * SECONDS)):
        time.sleep(max(0, start + number / RATE - time.monotonic()))
        inside.append(dial(address))
        if len(inside) > STAY:
            inside.pop(0).close()
    for caller in inside:
        caller.close()
