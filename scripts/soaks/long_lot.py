"""A million bids on one lot and 100,000 names: memory must stay as after the first thousand bids."""

from __future__ import annotations

import collections
import os
import selectors
import time

from machine import MIB, figures
from peer import check
from room import HOST, Room
from storm import dial, hear, hear_end

BIDS, NAMES = 1_000_000, 100_000
WARM_UP_BIDS, WARM_UP_NAMES = 100_000, 10_000
"""Before that, in a lot of their own: the first 4 MiB of news touch the ring of the news, and the first
visitors the tables of those who are present."""
FIRST_BIDS = 1000
GROWTH = 0.10
"""The most growth of memory since the first thousand bids, as a share."""
AT_ONCE = 64
CHUNK = 2000
OUTSTANDING = 4 * CHUNK
REST = 1.0
"""Seconds before each look."""


def play(programs) -> str:
    """Returns the result in words.

    - Throws: `Failure` if memory grew.
    """
    room = Room(programs, ())
    try:
        key = os.path.join(room.folder, "key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
            file.write("0" * 32)
        # A name is present for a while after its connection has ended; here thousands a second would be.
        server = room.serve("--seconds", "3600", "--pause", "0", "--self-raise", "allow",
                            "--data", os.path.join(room.folder, "data"), "--log-level", "warning",
                            "--auctioneer-token-file", key, "--absence-seconds", "0")
        look = Look(room, server.process.pid)
        bidder = Bidder((HOST, room.port))
        bidder.bid(WARM_UP_BIDS)
        visit((HOST, room.port), WARM_UP_NAMES)
        auctioneer = room.connect("auctioneer")
        auctioneer.demand(f"auctioneer {'0' * 32}", "OK auctioneer")
        auctioneer.demand("hammer", "OK hammer")
        auctioneer.expect("LOT 2 .+")
        auctioneer.quit()
        bidder.begin_lot()
        bidder.bid(FIRST_BIDS)
        before = look.take(f"after {FIRST_BIDS} bids")
        start = time.monotonic()
        bidder.bid(BIDS - FIRST_BIDS)
        seconds = time.monotonic() - start
        look.take(f"after {BIDS} bids")
        bidder.close()
        visit((HOST, room.port), NAMES)
        after = look.take(f"after {NAMES} names")
        server.stop()
    finally:
        room.close()
    check(after <= before * (1 + GROWTH),
          f"memory grew from {before / MIB:.1f} to {after / MIB:.1f} MiB: {look}")
    return f"{look}; {BIDS / seconds:.0f} bids a second"


class Look:
    """Measures the server's memory several times."""

    def __init__(self, room, pid):
        self._room, self._pid, self._taken = room, pid, []

    def take(self, when) -> int:
        """Returns the bytes in use when the server is idle."""
        self._room.pump_until(time.monotonic() + REST)
        memory = figures(self._pid).memory
        self._taken.append(f"{memory / MIB:.1f} MiB {when}")
        print(self._taken[-1], flush=True)
        return memory

    def __str__(self):
        return ", ".join(self._taken)


class Bidder:
    """Raises its own bid by one, again and again, as fast as it is answered."""

    def __init__(self, address):
        self._socket = dial(address)
        self._socket.sendall(b"name bidder\n")
        hear(self._socket, lambda data: b"\nOK name " in data)
        self._amount, self._rest = 0, b""

    def begin_lot(self):
        """Begins a new lot, with amounts from 1 again."""
        self._amount = 0

    def bid(self, count):
        """Makes `count` bids, all of which must be accepted."""
        accepted, said, unsent = 0, 0, b""
        self._socket.setblocking(False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            while accepted < count:
                if not unsent and said < count and said - accepted < OUTSTANDING:
                    more = range(self._amount + 1, self._amount + min(CHUNK, count - said) + 1)
                    unsent = b"".join(b"bid %d\n" % amount for amount in more)
                    said, self._amount = said + len(more), more[-1]
                if unsent:
                    try:
                        unsent = unsent[self._socket.send(unsent):]
                    except BlockingIOError:
                        pass
                # Unsent bytes wait until something was read, which is soon.
                if selector.select(0.001 if unsent else 10):
                    accepted += self._hear()

    def _hear(self):
        data = self._socket.recv(1 << 18)
        check(data, "the server has gone")
        whole, _, self._rest = (self._rest + data).rpartition(b"\n")
        lines = b"\n" + whole
        check(b"\nERROR " not in lines, f"a bid was refused: {lines[lines.find(b'ERROR'):][:80]!r}")
        return lines.count(b"\nOK bid ")

    def close(self):
        self._socket.close()


def visit(address, count):
    """Makes `count` connections, each of which takes a new name and leaves."""
    inside = collections.deque()
    for number in range(count):
        # One local address has too few ports for all connections.
        caller = dial(address, f"127.0.0.{2 + number % 100}")
        caller.sendall(b"name visitor-%d\nquit\n" % number)
        inside.append(caller)
        if len(inside) == AT_ONCE or number == count - 1:
            while inside:
                caller = inside.popleft()
                heard = hear_end(caller)
                check(b"\nOK name visitor-" in heard, f"a visitor was told {heard!r}")
                caller.close()
