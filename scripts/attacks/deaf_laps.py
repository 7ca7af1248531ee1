"""Readers that never read a long answer: each costs what is kept for a connection, and no more."""

import time

import floods
from bystanders import Plan
from peer import check
from storm import Crowd

TITLE = "deaf laps: 300 ask for 1,000 laps in JSON, eight times, and never read"
FLAGS = ("--self-raise", "allow")
PLAN = Plan(seconds=3, layers=floods.LAYERS, has_one_lot=True)
COUNT = 300
SECONDS = 5.0
MEMORY = (COUNT * floods.OUTPUT_BYTES >> 20) + floods.MEMORY
SOCKETS = floods.KERNEL_MEMORY


def play(arena):
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
