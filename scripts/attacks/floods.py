"""Floods of commands: each command in every setting that matters, and all of them at once.

Each play of `floods` has one value of each kind in `KINDS`. All combinations would be some thousand plays, so a
pairwise selection is played, in which any two values of different kinds occur together.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import random
import selectors
import time

from attackers import Attacker, Crowd
from harness import KERNEL_MEMORY, LAYERS, OUTPUT_BYTES, Attack, Plan
from peer import reset

KINDS = {
    "command": ("laps", "help", "who", "status", "ping", "bid", "name", "standings", "say", "max"),
    "format": ("text", "json"),
    "manner": ("read", "reset", "silent"),
    "source": ("here", "one", "many"),
    "threads": ("1", "2", "3"),
    "poller": ("epoll", "poll"),
    "journal": ("journal", "none"),
}
HONEST = "127.0.0.50"
"""The address of the honest bidders."""
SECONDS = 2.1
"""Somewhat longer than the bids and the countdown of the one lot."""
COUNTS = {"read": 40, "reset": 10, "silent": 150}
MEMORY = 24
"""MiB in addition for hundreds of connections."""
ALL_COMMANDS = (b"ping\n" * 800, b"bid 1\n" * 600, b"status\nwho\nhelp\n" * 200, b"\n" * 4000,
                b"name x\n" * 500, b"format json\nformat text\n" * 160, b"standings\nresults\n" * 300,
                b"say hello\nmax 1\ntake\nbuy\nadd x a=b\nmute x\n" * 100,
                b"rooms\njoin main\nopen main\njoin nowhere\n" * 200)
GAME = "--purse", "1000000000", "--worth", "50..150"


def pairwise(kinds) -> list[tuple[str, ...]]:
    """A small, fixed set of combinations with every pair of values of different kinds."""
    rng = random.Random(7)
    kinds = [tuple(values) for values in kinds]
    missing = {(a, x, b, y) for a, b in itertools.combinations(range(len(kinds)), 2)
               for x in kinds[a] for y in kinds[b]}

    def met(choice):
        return {(a, choice[a], b, choice[b]) for a, b in itertools.combinations(range(len(kinds)), 2)} & missing

    found = []
    while missing:
        a, x, b, y = min(missing)
        draws = [[rng.choice(values) for values in kinds] for _ in range(200)]
        for draw in draws:
            draw[a], draw[b] = x, y
        found.append(tuple(max(draws, key=lambda draw: len(met(draw)))))
        missing -= met(found[-1])
    return found


def vary(attack, values):
    """The attack with the server's flags and the bounds of one play."""
    command, form, manner, source, threads, poller, journal = values
    proxy = () if source == "here" else ("--proxy-protocol", "--trust", "127.0.0.1")
    memory = MEMORY + (COUNTS["silent"] * OUTPUT_BYTES >> 20 if manner == "silent" else 0)
    return dataclasses.replace(
        attack, acts=(functools.partial(flood, command=command, form=form, manner=manner, source=source),),
        flags=("--threads", threads, "--poller", poller, "--self-raise", "allow", *proxy, *GAME),
        has_journal=journal == "journal", memory=memory)


def flood(address, command, form, manner, source):
    attacker, until = Attacker(address, command, form, source), time.monotonic() + SECONDS
    if manner == "reset":
        return connect_and_reset(attacker, until)
    crowd = Crowd(None, 0, lambda number: attacker.commands(), reads=manner == "read")
    for _ in range(COUNTS[manner]):
        crowd.add(lambda: attacker.enter(receive_bytes=None if manner == "read" else 4096))
    crowd.flood(until - time.monotonic())
    time.sleep(max(0, until - time.monotonic()))
    return crowd.leave(abruptly=manner == "silent")


def connect_and_reset(attacker, until):
    """Ten sockets that send eight commands, are reset at the first byte of the answer, and reconnect."""
    with selectors.DefaultSelector() as selector:
        while (now := time.monotonic()) < until:
            while len(selector.get_map()) < COUNTS["reset"] and time.monotonic() < until:
                try:
                    connection = attacker.enter()
                    connection.sendall(attacker.commands())
                    selector.register(connection, selectors.EVENT_READ)
                except OSError:
                    pass  # It was not let in.
            for key, _ in selector.select(max(0, min(until - now, 0.05))):
                selector.unregister(key.fileobj)
                reset(key.fileobj)
        for key in list(selector.get_map().values()):
            reset(key.fileobj)


def send_everything(address, reads):
    crowd = Crowd(address, 500, lambda number: ALL_COMMANDS[number % len(ALL_COMMANDS)], reads=reads)
    crowd.flood(3.2)
    crowd.leave()


ATTACKS = (
    Attack("flood", "1,000 send commands as fast as the server takes them; half of them read",
           (functools.partial(send_everything, reads=True), functools.partial(send_everything, reads=False)),
           ("--threads", "2"), memory=150, sockets=250),
    Attack("floods", "a pairwise selection of commands and settings",
           sockets=KERNEL_MEMORY, vary=vary,
           VARIANTS=tuple(pairwise(KINDS.values())),
           plan=Plan(seconds=1, bidding=0.4, layers=LAYERS, has_one_lot=True, source=(HONEST, 0))),
)
