"""Starts the server, lets eight bidders bid, and kills it; so many times, in one folder.

A killed process loses what it has not written; only a power cut loses what is not synced.
"""

from __future__ import annotations

import glob
import os
import random
import selectors
import time

from bidder import Bidder
from server import PATIENCE, Server
from violation import Violation

BIDDERS = 8
BOLD_BIDDERS = 6
"""How many bid from the first round on; the others only watch in the first half."""
LONGEST_BIDDING = 0.120
KINDS = {"bidding": 78, "opening": 10, "hammer": 12}
"""How often the server is killed in what it does."""
THREADS = 1, 1, 3
"""Over how many threads a server spreads its connections."""
TEAR_CHANCE = 0.2
"""How often a write is made to look cut short, as it seldom is by itself."""


class Load:
    """One folder with a journal, the logs beside it, and what goes on in there."""

    def __init__(self, server: str, folder: str, count: int, chance: random.Random):
        self.server_path, self.count, self.chance = server, count, chance
        self.data = os.path.join(folder, "data")
        self.logs = [os.path.join(folder, f"b{number}.log") for number in range(1, BIDDERS + 1)]
        self._bidders = [Bidder(number, path, chance)
                         for number, path in enumerate(self.logs, start=1)]
        self._server_log = open(os.path.join(folder, "server.log"), "w", encoding="utf-8")
        self._start_seconds = 0.02

    def play(self, run: int):
        """One round: from a start of the server to its death."""
        kind = self.chance.choices(list(KINDS), list(KINDS.values()))[0]
        self._server_log.write(f"RUN {run}: {kind}\n")
        server = Server(self.server_path, self.data, self.chance.choice(THREADS), self._server_log)
        try:
            if kind == "opening":
                time.sleep(self.chance.uniform(0, 1.3 * self._start_seconds))
            else:
                self._start(server, run)
                self._bid(kind)
            server.kill()
            self._hear_all()
        finally:
            server.close()
            for bidder in self._bidders:
                bidder.leave()
        if self.chance.random() < TEAR_CHANCE:
            self._tear()

    def end_well(self):
        """Starts the server once more, and lets it end in good order."""
        server = Server(self.server_path, self.data, self.chance.choice(THREADS), self._server_log)
        try:
            server.wait_until_it_listens()
            server.stop()
        finally:
            server.close()

    def close(self):
        for bidder in self._bidders:
            bidder.close()
        self._server_log.close()

    def _tear(self):
        """Puts the beginning of some line behind the last, as if its write was cut short."""
        segments = sorted(glob.glob(os.path.join(self.data, "*.journal")))
        if segments:
            with open(segments[-1], "r+b") as file:
                line = self.chance.choice(file.read().split(b"\n"))
                file.write(line[:self.chance.randint(0, len(line))])

    def _start(self, server, run):
        port = server.wait_until_it_listens()
        self._start_seconds = time.monotonic() - server.start
        for bidder in self._bidders:
            is_shy = bidder.number > BOLD_BIDDERS and run * 2 <= self.count
            others = [other for other in self._bidders if other.has_bid and other is not bidder]
            is_thief = others and self.chance.random() < 0.25
            bidder.enter(run, port, is_shy, self.chance.choice(others) if is_thief else None)

    def _bid(self, kind):
        """Lets them bid for a while; for the hammer to fall they must be silent a second."""
        start = time.monotonic()
        if kind == "bidding":
            return self._pump(start + self.chance.uniform(0, LONGEST_BIDDING))
        self._pump(start + 0.03)
        for bidder in self._bidders:
            bidder.is_silent = True
        self._pump(start + 0.06)
        last_price = max(bidder.last_price for bidder in self._bidders)
        return self._pump(max(last_price, start) + 1 + self.chance.uniform(-0.03, 0.08))

    def _hear_all(self):
        """Hears what was said before the server died."""
        self._pump(time.monotonic() + PATIENCE)
        if any(bidder.socket for bidder in self._bidders):
            raise Violation(f"a connection to the dead server is open after {PATIENCE:g} s")

    def _pump(self, until):
        """Lets the bidders hear and speak until the moment, or until the server has left all."""
        with selectors.DefaultSelector() as selector:
            for bidder in self._bidders:
                if bidder.socket:
                    selector.register(bidder.socket, selectors.EVENT_READ, bidder)
            while selector.get_map() and (left := until - time.monotonic()) > 0:
                for key, _ in selector.select(left):
                    key.data.hear()
                    if key.data.socket is None:
                        selector.unregister(key.fd)
