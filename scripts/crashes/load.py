"""Starts the server, lets eight bidders bid, and kills it; many times, in one folder.

A killed process loses what it has not written; only a power cut loses what is not synced.
"""

from __future__ import annotations

import glob
import os
import random
import time

from bidder import Bidder
from journal import Journal, check_with_server
from judge import Judge
from peer import PATIENCE
from protocol import save
from testbed import Testbed

BIDDERS = 8
BOLD_BIDDERS = 6
"""How many bid from the first round on; the others only watch in the first half."""
OUTSTANDING = 3
LONGEST_BIDDING = 0.120
KINDS = {"bidding": 78, "opening": 10, "hammer": 12}
"""How often the server is killed in what it does."""
THREADS = 1, 1, 3
TEAR_CHANCE = 0.2
"""How often a write is made to look cut short, as it seldom is by itself."""


class FastBidder(Bidder):
    """Bids as fast as it is answered, and never the same amount again unless the answer was lost."""

    def __init__(self, number: int, chance: random.Random):
        super().__init__(number)
        self._chance = chance
        self.has_bid = self.is_silent = False
        self.last_price = 0.0
        """When it received the last price."""
        self._is_shy, self._amount, self._retry = False, 0, []

    def enter(self, loop, port, is_shy, victim):
        """Connects, and takes its name back; before that it may try to take the victim's."""
        self._is_shy, self.is_silent = is_shy, False
        theft = [f"name {victim.name} {self._chance.choice((self.token, ''))}"] if victim else []
        super().enter(loop, port, *theft)

    def leave(self):
        """Remembers which bids the dead server did not answer."""
        if self.peer:
            self.peer.connection.was_cut = True
            self.peer.close()
            commands = (command.split() for command in self.outstanding.values())
            self._retry = [int(words[1]) for words in commands if words[0] == "bid"]
            self.peer = None

    def _take(self, line):
        super()._take(line)
        if self.is_named and not self._is_shy and not self.is_silent:
            self._bid()

    def _bid(self):
        amounts = []
        while len(self.outstanding) + len(amounts) < OUTSTANDING:
            if self._retry:
                amounts.append(self._retry.pop())
            elif self.is_leading:
                break
            else:
                self._amount = max(self.price, self._amount) + self._chance.choice((1, 1, 2, 5))
                amounts.append(self._amount)
        if amounts:
            self.ask(*(f"bid {amount}" for amount in amounts))

    def _take_price(self, fields):
        super()._take_price(fields)
        self.last_price = time.monotonic()

    def _take_lot(self, fields):
        super()._take_lot(fields)
        self.is_silent = False

    def _take_ok(self, fields):
        super()._take_ok(fields)
        self.has_bid = self.has_bid or fields["content"].startswith("bid ")


class Load:
    """One folder with a journal, and the bidders who come back to it."""

    def __init__(self, programs, folder: str, count: int, chance: random.Random):
        self._programs, self._folder, self._count, self._chance = programs, folder, count, chance
        self._data = os.path.join(folder, "data")
        self._bidders = [FastBidder(number, chance) for number in range(1, BIDDERS + 1)]
        self._start_seconds = 0.02
        self._rounds = self._tails = 0
        self._journal = Journal(self._data, 1)
        self._judge = Judge(self._journal.game, self._journal.tokens, has_no_repeats=True)

    def play(self):
        """One round: from a start of the server to its death, and what can be proved of it."""
        self._rounds += 1
        kind = self._chance.choices(list(KINDS), list(KINDS.values()))[0]
        testbed, floor, connections = Testbed(self._programs), self._journal.game.last, []
        try:
            server = self._start(testbed, waits=kind != "opening")
            if kind == "opening":
                testbed.pump_until(time.monotonic() + self._chance.uniform(0, 1.3 * self._start_seconds))
            else:
                self._enter(testbed)
                self._bid(testbed, kind)
            server.kill()
            testbed.wait(lambda: all(bidder.peer is None or bidder.peer.has_ended for bidder in self._bidders),
                     "a connection to the dead server is open")
            connections = [bidder.peer.connection for bidder in self._bidders if bidder.peer]
        finally:
            for bidder in self._bidders:
                bidder.leave()
            self._keep(server.errors.lines, connections)
            testbed.close()
        if self._chance.random() < TEAR_CHANCE:
            self._tear()
        self._journal.read()
        self._tails += bool(self._journal.unfinished)
        self._judge.judge(connections, floor)
        self._journal.game.forget_states()

    def end(self):
        """Reads all once more from the start; the server must agree, also after it has ended in good order."""
        for is_ended in (False, True):
            journal = Journal(self._data, 1).read()
            check_with_server(self._programs.server, self._data, journal.game)
            if not is_ended:
                testbed = Testbed(self._programs)
                try:
                    self._start(testbed).stop()
                finally:
                    testbed.close()

    def figures(self) -> str:
        judge, game = self._judge, self._journal.game
        return (f"{judge.answers} answers, {judge.acknowledged} bids acknowledged, {game.last} events, "
                f"{len(game.winners())} lots sold, {judge.lines} lines received, {self._tails} writes cut short")

    def _start(self, testbed, waits=True):
        flags = ("--seconds", "1", "--pause", "0", "--data", self._data, "--threads", str(self._chance.choice(THREADS)))
        if not waits:
            return testbed.run_server("--port", "0", *flags)
        start = time.monotonic()
        server = testbed.serve(*flags)
        self._start_seconds = time.monotonic() - start
        return server

    def _enter(self, testbed):
        for bidder in self._bidders:
            is_shy = bidder.number > BOLD_BIDDERS and self._rounds * 2 <= self._count
            others = [other for other in self._bidders if other.has_bid and other is not bidder]
            is_thief = others and self._chance.random() < 0.25
            bidder.enter(testbed, testbed.port, is_shy, self._chance.choice(others) if is_thief else None)

    def _bid(self, testbed, kind):
        """Lets them bid for a while; for the hammer to fall they must be silent a second."""
        start = time.monotonic()
        if kind == "bidding":
            return testbed.pump_until(start + self._chance.uniform(0, LONGEST_BIDDING))
        testbed.pump_until(start + 0.03)
        for bidder in self._bidders:
            bidder.is_silent = True
        testbed.pump_until(start + 0.06)
        last_price = max(bidder.last_price for bidder in self._bidders)
        return testbed.pump_until(max(last_price, start) + 1 + self._chance.uniform(-0.03, 0.08))

    def _tear(self):
        """Puts the beginning of some line after the last, as if its write was cut short."""
        segments = sorted(glob.glob(os.path.join(self._data, "*.journal")))
        if segments:
            with open(segments[-1], "r+b") as file:
                line = self._chance.choice(file.read().split(b"\n"))
                file.write(line[:self._chance.randint(0, len(line))])

    def _keep(self, log, connections):
        """Keeps what the last round printed, sent and received, for a failure's report."""
        with open(os.path.join(self._folder, "server.log"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in log)
        save(connections, os.path.join(self._folder, "transcript"))
