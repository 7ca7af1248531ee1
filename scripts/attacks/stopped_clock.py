"""Ten sockets that request long answers, and are reset as soon as an answer comes, again and again."""

import time

import floods
from bystanders import Plan

TITLE = "stopped clock: ten sockets say `laps 1 1000` eight times, are reset, and come again"
FLAGS = ("--self-raise", "allow")
PLAN = Plan(seconds=3, layers=floods.LAYERS, has_one_lot=True)
SECONDS = 5.0
SOCKETS = floods.KERNEL_MEMORY


def play(arena):
    arena.storm(come_and_reset)
    arena.join()


def come_and_reset(address):
    attacker = floods.Attacker(address, "laps", "text", "here")
    floods.come_and_reset(attacker, time.monotonic() + SECONDS)
