"""Every command in floods: eight at once on each of many connections, in every setting that matters.

Each play has one value of each kind in `KINDS`. All combinations would be some thousand plays, so a
normal run plays a pairwise selection, in which any two values of different kinds occur together.
`scripts/hostile floods --all` plays all combinations.
"""

from __future__ import annotations

import itertools
import random
import selectors
import socket
import time

from bystanders import Plan
from storm import Crowd, SEND_BYTES, dial, reset

TITLE = "floods"
KINDS = {
    "command": ("laps", "help", "who", "status", "ping", "bid", "name"),
    "format": ("text", "json"),
    "manner": ("read", "reset", "deaf"),
    "source": ("here", "one", "many"),
    "threads": ("1", "2", "3"),
    "poller": ("epoll", "poll"),
    "journal": ("journal", "none"),
}
LINES = {"laps": b"laps 1 1000", "bid": b"bid 1", "name": b"name %s"}
PIPELINED = 8
LAYERS = 5
"""Five times 198 bids, so that `laps` has long answers."""
HERE, STRANGER, HONEST = "127.0.0.66", "203.0.113.7", "127.0.0.50"
"""The attackers' own address, their address behind a proxy, and that of the bystanders."""
SECONDS = 2.1
"""Seconds, somewhat longer than the bids and the countdown of the one lot."""
PLAN = Plan(seconds=1, bidding=0.4, layers=LAYERS, has_one_lot=True, source=(HONEST, 0))
SOCKETS = {"read": 40, "reset": 10, "deaf": 150}
OUTPUT_BYTES = 64 << 10
"""The default limit of waiting output for each connection that does not read."""
MEMORY, KERNEL_MEMORY = 24, 200
"""MiB in addition: of the server for hundreds of connections, and of the kernel for both their ends."""


def variants(plays_all: bool) -> list[tuple[str, ...]]:
    """The values of each play."""
    if plays_all:
        return list(itertools.product(*KINDS.values()))
    return pairwise(list(KINDS.values()))


def pairwise(kinds) -> list[tuple[str, ...]]:
    """A small, fixed set of combinations with every pair of values of different kinds."""
    chance = random.Random(7)
    kinds = [tuple(values) for values in kinds]
    missing = {(a, x, b, y) for a, b in itertools.combinations(range(len(kinds)), 2)
               for x in kinds[a] for y in kinds[b]}

    def met(choice):
        return {(a, choice[a], b, choice[b])
                for a, b in itertools.combinations(range(len(kinds)), 2)} & missing

    found = []
    while missing:
        a, x, b, y = min(missing)
        draws = [[chance.choice(values) for values in kinds] for _ in range(200)]
        for draw in draws:
            draw[a], draw[b] = x, y
        found.append(tuple(max(draws, key=lambda draw: len(met(draw)))))
        missing -= met(found[-1])
    return found


def settings(values) -> dict:
    """The server's flags and the bounds of a play, as arguments of the arena."""
    _, _, manner, source, threads, poller, journal = values
    proxy = () if source == "here" else ("--proxy-protocol", "--trust", "127.0.0.1")
    memory = MEMORY + (SOCKETS["deaf"] * OUTPUT_BYTES >> 20 if manner == "deaf" else 0)
    return {"flags": ("--threads", threads, "--poller", poller, "--self-raise", "allow", *proxy),
            "plan": PLAN, "journal": journal == "journal", "memory": memory,
            "sockets": KERNEL_MEMORY}


def play(arena, values):
    command, form, manner, source, *_ = values
    arena.storm(flood, command, form, manner, source)
    arena.join()


def flood(address, command, form, manner, source):
    """Attacks in one manner for `SECONDS`."""
    attacker = Attacker(address, command, form, source)
    until = time.monotonic() + SECONDS
    if manner == "reset":
        come_and_reset(attacker, until)
    elif manner == "read":
        read(attacker, until)
    else:
        stay_deaf(attacker, until)


class Attacker:
    """Makes the connections of one play and their commands."""

    def __init__(self, address, command, form, source):
        self._address, self._command, self._form, self._source = address, command, form, source
        self._chance = random.Random(7)
        self._serial = 0

    def dial(self, **options) -> socket.socket:
        """A new connection, after its PROXY header if there is one."""
        caller = dial(self._address, HERE if self._source == "here" else None,
                      send_bytes=SEND_BYTES, **options)
        if self._source != "here":
            try:
                caller.sendall(self._header())
            except OSError:
                pass  # It was not let in; what is said next tells.
        return caller

    def opening(self) -> bytes:
        """The lines before the commands on a new connection."""
        self._serial += 1
        name = b"name n%d\n" % self._serial if self._command == "bid" else b""
        return (b"format json\n" if self._form == "json" else b"") + name

    def commands(self) -> bytes:
        """Eight commands."""
        line = LINES.get(self._command, self._command.encode())
        if self._command == "name":
            self._serial += 1
            line %= b"f%d" % self._serial
        return (line + b"\n") * PIPELINED

    def _header(self):
        """The PROXY header of a trusted proxy, with an IPv4 or IPv6 address."""
        if self._source == "one":
            return f"PROXY TCP4 {STRANGER} 192.0.2.2 40000 7777\r\n".encode()
        if self._chance.random() < 0.5:
            address = ".".join(str(self._chance.randint(1, 254)) for _ in range(4))
            return f"PROXY TCP4 {address} 192.0.2.2 40000 7777\r\n".encode()
        groups = ":".join(f"{self._chance.randrange(1 << 16):x}" for _ in range(7))
        return f"PROXY TCP6 2001:{groups} 2001:db8::1 40000 7777\r\n".encode()


def come_and_reset(attacker, until):
    """Ten sockets that send eight commands, are reset at the first byte of the answer, and reconnect."""
    with selectors.DefaultSelector() as selector:
        def come():
            try:
                caller = attacker.dial(waits=True)
                caller.sendall(attacker.opening() + attacker.commands())
            except OSError:
                return
            selector.register(caller, selectors.EVENT_READ)

        while (now := time.monotonic()) < until:
            while len(selector.get_map()) < SOCKETS["reset"] and time.monotonic() < until:
                come()
            for key, _ in selector.select(max(0, min(until - now, 0.05))):
                selector.unregister(key.fileobj)
                reset(key.fileobj)
        for key in list(selector.get_map().values()):
            reset(key.fileobj)


def read(attacker, until):
    """Connections that stay, send eight commands again and again, and read all answers."""
    crowd = Crowd(None, 0, lambda number: attacker.commands())
    for _ in range(SOCKETS["read"]):
        add(crowd, attacker)
    crowd.rage(until - time.monotonic())
    crowd.leave()


def stay_deaf(attacker, until):
    """Connections that stay, send as much as they can, and never read."""
    crowd = Crowd(None, 0, lambda number: attacker.commands(), reads=False)
    for _ in range(SOCKETS["deaf"]):
        add(crowd, attacker, receive_bytes=4096)
    crowd.rage(until - time.monotonic())
    time.sleep(max(0, until - time.monotonic()))
    crowd.leave(abruptly=True)


def add(crowd, attacker, **options):
    try:
        caller = attacker.dial(**options)
        caller.sendall(attacker.opening())
    except OSError:
        crowd.lost += 1
        return
    caller.setblocking(False)
    crowd.add(caller)
