"""Clients that never read their long answers: each uses at most the output limit of a connection."""

import time

import floods
from bystanders import Plan
from peer import check
from storm import Crowd

TITLE = "deaf laps: 300 ask for 1,000 laps in JSON, eight times, and never read"
PLAN = Plan(seconds=3, layers=floods.LAYERS, has_one_lot=True)
COUNT = 300
TOTAL_MIB = 2
"""The bytes that all answers together may use, in the second play."""
SECONDS = 5.0
SLACK_MIB = 8
"""For 300 connections and the overhead of the allocator."""


def variants(_):
    """With the limit per connection, and with a smaller limit for all connections together."""
    return (), ("--all-output-bytes", str(TOTAL_MIB << 20))


def settings(flags):
    kept = TOTAL_MIB if flags else COUNT * floods.OUTPUT_BYTES >> 20
    return {"flags": ("--self-raise", "allow", *flags), "plan": PLAN, "memory": kept + SLACK_MIB,
            "sockets": floods.KERNEL_MEMORY}


def play(arena, _):
    arena.storm(ask_and_never_read)
    arena.join()


def ask_and_never_read(address):
    attacker = floods.Attacker(address, "laps", "json", "here")
    crowd = Crowd(None, 0, lambda number: attacker.commands(), reads=False)
    for _ in range(COUNT):
        floods.add(crowd, attacker, receive_bytes=4096)
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.rage(SECONDS)
    crowd.leave(abruptly=True)
