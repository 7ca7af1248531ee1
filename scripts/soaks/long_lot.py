"""A million bids on one lot and 100,000 names: memory must stay as after the first thousand bids."""

from __future__ import annotations

import selectors
import time

from attackers import connect, read, read_answers
from checks import check
from machine import MIB, figures
from programs import HOST
from testbed import Testbed

BIDS, NAMES = 1_000_000, 100_000
WARM_UP_BIDS, WARM_UP_NAMES = 100_000, 10_000
"""Before that, in a lot of their own: the first 4 MiB of news touch the ring of the news, and the first visitors
the tables of those who are present."""
FIRST_BIDS = 1000
GROWTH = 0.10
"""The most growth of memory since the first thousand bids, as a share."""
AT_ONCE, CHUNK = 64, 2000
OUTSTANDING = 4 * CHUNK
REST = 1.0
"""Seconds before memory is measured."""
TOKEN = "0" * 32


def run(programs) -> str:
    """Returns the result in words; fails if memory grew."""
    testbed, measured = Testbed(programs), []

    def memory(when):
        testbed.pump_until(time.monotonic() + REST)
        bytes_used = figures(server.pid).memory
        measured.append(f"{bytes_used / MIB:.1f} MiB {when}")
        print(measured[-1], flush=True)
        return bytes_used

    try:
        # A name is present for a while after its connection has ended; here thousands a second would be.
        server = testbed.serve("--seconds", "3600", "--pause", "0", "--self-raise", "allow", "--log-level", "warning",
                           "--auctioneer-token-file", testbed.secret("key", TOKEN), "--absence-seconds", "0")
        address = HOST, testbed.port
        bidder = Bidder(address)
        bidder.bid(WARM_UP_BIDS)
        visit(address, WARM_UP_NAMES)
        auctioneer = testbed.connect("auctioneer")
        auctioneer.request(f"auctioneer {TOKEN}", "OK auctioneer")
        auctioneer.request("hammer", "OK hammer")
        auctioneer.expect("LOT 2 .+")
        auctioneer.quit()
        bidder.amount = 0
        bidder.bid(FIRST_BIDS)
        before, start = memory(f"after {FIRST_BIDS} bids"), time.monotonic()
        bidder.bid(BIDS - FIRST_BIDS)
        seconds = time.monotonic() - start
        memory(f"after {BIDS} bids")
        visit(address, NAMES)
        after = memory(f"after {NAMES} names")
        server.stop()
    finally:
        testbed.close()
    check(after <= before * (1 + GROWTH), f"memory grew: {', '.join(measured)}")
    return f"{', '.join(measured)}; {BIDS / seconds:.0f} bids a second"


class Bidder:
    """Raises its own bid by one, again and again, as fast as it is answered."""

    def __init__(self, address):
        self._socket = connect(address)
        self._socket.sendall(b"name bidder\n")
        read_answers(self._socket)
        self.amount, self._rest = 0, b""

    def bid(self, count):
        """Makes `count` bids, all of which must be accepted."""
        accepted, sent, unsent = 0, 0, b""
        self._socket.setblocking(False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            while accepted < count:
                if not unsent and sent < count and sent - accepted < OUTSTANDING:
                    more = range(self.amount + 1, self.amount + min(CHUNK, count - sent) + 1)
                    unsent = b"".join(b"bid %d\n" % amount for amount in more)
                    sent, self.amount = sent + len(more), more[-1]
                if unsent:
                    try:
                        unsent = unsent[self._socket.send(unsent):]
                    except BlockingIOError:
                        pass
                # Unsent bytes wait until something was read, which is soon.
                if selector.select(0.001 if unsent else 10):
                    accepted += self._receive()

    def _receive(self):
        data = self._socket.recv(1 << 18)
        check(data, "the server has gone")
        whole, _, self._rest = (self._rest + data).rpartition(b"\n")
        lines = b"\n" + whole
        check(b"\nERROR " not in lines, f"a bid was refused: {lines[lines.find(b'ERROR'):][:80]!r}")
        return lines.count(b"\nOK bid ")


def visit(address, count):
    """Makes `count` connections, each of which takes a new name and leaves."""
    present = []
    for number in range(count):
        # One local address has too few ports for all connections.
        visitor = connect(address, f"127.0.0.{2 + number % 100}")
        visitor.sendall(b"name visitor-%d\nquit\n" % number)
        present.append(visitor)
        if len(present) == AT_ONCE or number == count - 1:
            for visitor in present:
                received = read(visitor)
                check(b"\nOK name visitor-" in received, f"a visitor received {received!r}")
                visitor.close()
            present.clear()
