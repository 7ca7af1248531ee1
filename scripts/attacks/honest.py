"""Honest bidders, who continue the auction in a process of their own while others attack the server.

In each lot five of them bid in turn for a while, each a little more than the one before and well below any
limit; then they fall silent until the hammer falls, and only send `ping`. They measure how long each bid takes
to its `OK`, and to its price at all of them.
"""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

from bidder import Bidder
from checks import check
from peer import Loop
from protocol import Connection

COUNT = 5
SPACING = 0.02
"""Seconds from bid to bid: 10 lines a second of each, where 50 are allowed."""
PING_SPACING = 0.05
FIRST_AMOUNT = 10_000
PATIENCE = 30.0
LAYER_BIDS = 197
"""The lines that one connection may send at once (200), less the three with which it begins."""


class Plan(NamedTuple):
    """How the auction is played."""

    seconds: int = 2
    """The countdown."""
    bidding: float = 0.6
    """Seconds of bidding in each lot; then they wait for the hammer."""
    layers: int = 0
    """How many other bidders make 197 bids each on the first lot, before anything else."""
    has_one_lot: bool = False
    """Whether they only wait after the first lot is sold."""
    source: tuple[str, int] | None = None
    """The local address from which they connect, if it matters."""


class Sample(NamedTuple):
    """The times of a bid or a `ping`, by the monotonic clock."""

    sent: float
    answered: float
    priced: float | None = None
    """When the last of them received its price."""


class Report(NamedTuple):
    samples: list[Sample]
    connections: list[Connection]
    """The first receives every event with its number."""


class HonestBidder(Bidder):
    """Records when it receives what."""

    def __init__(self, number):
        super().__init__(number)
        self.prices: dict[int, float] = {}
        self.answers: dict[str, float] = {}
        self.lots = self.sold = 0

    def _take_price(self, fields):
        super()._take_price(fields)
        self.prices[fields["amount"]] = self.peer.times[-1]

    def _take_lot(self, fields):
        super()._take_lot(fields)
        self.lots += 1

    def _take_winner(self, fields):
        self.sold += 1

    def _take_ok(self, fields):
        super()._take_ok(fields)
        self.answers[fields["tag"]] = self.peer.times[-1]

    def _take_error(self, fields):
        check(False, f"{self.name} received {fields}")

    _take_bye = _take_error


class HonestBidders:
    """All of them; the parent process talks to them over a pipe."""

    def __init__(self, port: int, pipe, plan: Plan):
        self._plan, self._pipe, self._amount = plan, pipe, FIRST_AMOUNT
        self._loop = Loop()
        self._samples: list[Sample] = []
        self._all = [HonestBidder(number + 1) for number in range(COUNT + plan.layers)]
        self._bidders, layers = self._all[:COUNT], self._all[COUNT:]
        for bidder in self._all:
            before_name = ("status",) if bidder is self._all[0] else ()
            bidder.enter(self._loop, port, *before_name, source=plan.source)
            self._wait(lambda bidder=bidder: bidder.is_named)
        amount = 0
        for layer in layers:
            tag = layer.ask(*(f"bid {amount + step}" for step in range(1, LAYER_BIDS + 1)))
            self._wait(lambda layer=layer, tag=tag: tag in layer.answers)
            amount += LAYER_BIDS
        self._wait(lambda: not amount or all(amount in bidder.prices for bidder in self._bidders))

    def run(self):
        """Plays lots until the parent sends a word, sends the report, and leaves at the next word."""
        self._pipe.send("ready")
        self._play_lot()
        self._pipe.send("sold")
        while not self._pipe.poll():
            if self._plan.has_one_lot:
                self._ping()
            else:
                self._play_lot()
        self._pipe.recv()
        observer, *others = self._all
        connections = [bidder.peer.connection.copy() for bidder in others]
        # By the answer to a command it has received all that the others had received before.
        tag = observer.ask("ping")
        self._wait(lambda: tag in observer.answers)
        self._pipe.send(Report(self._samples, [observer.peer.connection, *connections]))
        while not self._pipe.poll():
            self._loop.pump(0.05)

    def _play_lot(self):
        """Bids for a while, waits for the hammer, and then for the next lot if there is one."""
        until, turn, due = time.monotonic() + self._plan.bidding, 0, time.monotonic()
        lots, sold = (min(getattr(bidder, kind) for bidder in self._bidders) for kind in ("lots", "sold"))
        while time.monotonic() < until and not self._pipe.poll():
            self._samples.append(self._bid(self._bidders[turn % COUNT]))
            turn, due = turn + 1, max(due + SPACING, time.monotonic())
            self._loop.pump_until(due)
        deadline = time.monotonic() + self._plan.seconds + PATIENCE
        while not self._pipe.poll() and not all(
                bidder.sold > sold and (self._plan.has_one_lot or bidder.lots > lots) for bidder in self._bidders):
            check(time.monotonic() < deadline, f"no hammer fell for {PATIENCE:g} s")
            self._ping()

    def _ping(self):
        """Waits a moment; meanwhile each in turn sends a `ping`."""
        due = time.monotonic() + PING_SPACING
        bidder = self._bidders[len(self._samples) % COUNT]
        sent = time.monotonic()
        tag = bidder.ask("ping")
        self._wait(lambda: tag in bidder.answers)
        self._samples.append(Sample(sent, bidder.answers.pop(tag)))
        self._loop.pump_until(due)

    def _bid(self, bidder) -> Sample:
        self._amount += 1
        sent = time.monotonic()
        tag = bidder.ask(f"bid {self._amount}")
        self._wait(lambda: tag in bidder.answers and all(self._amount in other.prices for other in self._bidders))
        priced = max(other.prices.pop(self._amount) for other in self._bidders)
        return Sample(sent, bidder.answers.pop(tag), priced)

    def _wait(self, is_so):
        def is_so_while_connected():
            for bidder in self._all:
                check(not bidder.peer or not bidder.peer.has_ended, f"{bidder.name} lost the server")
            return is_so()

        self._loop.wait(is_so_while_connected, "the auction stood still", PATIENCE)


def run(port: int, plan: Plan, pipe):
    """The main function of the process; a complaint takes the place of the report."""
    try:
        HonestBidders(port, pipe, plan).run()
    except BaseException as error:  # pylint: disable=broad-except
        pipe.send(f"the honest bidders: {error!r}")
        sys.exit(1)
