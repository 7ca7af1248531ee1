"""Honest bidders, who continue the auction while others attack the server.

In each lot five of them bid in turn for a while, each a little more than the one before and well below any
limit; then they fall silent until the hammer falls, and only send `ping`. They measure how long each bid takes
to its `OK`, and to its price at all of them.
"""

from __future__ import annotations

import json
import time
from typing import Callable, NamedTuple

from checks import check
from peer import PATIENCE, Loop, SocketPeer
from programs import HOST
from protocol import Connection

COUNT = 5
BID_SECONDS, PING_SECONDS = 0.02, 0.05
"""From bid to bid: 10 lines a second of each, where 50 are allowed; and from ping to ping."""
FIRST_AMOUNT = 10_000
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
    """Whether they only send `ping` after the first lot is sold."""
    source: tuple[str, int] | None = None
    """The local address from which they connect, if it matters."""


class Sample(NamedTuple):
    """The times of a bid or a `ping`, by the monotonic clock."""

    sent: float
    answered: float
    priced: float | None = None
    """When the last of them received its price."""


class HonestBidder:
    """Bids in JSON, and records when it receives what."""

    def __init__(self, loop: Loop, port: int, number: int, *before_name: str, source=None):
        """Connects and takes its name, after some other commands."""
        self.name, self.is_named, self._serial = f"b{number}", False, 0
        self.prices: dict[int, float] = {}
        self.answers: dict[str, float] = {}
        self.lots = self.sold = 0
        self.peer = SocketPeer(loop, f"{self.name}-1", (HOST, port), source=source)
        self.peer.on_line = self._receive
        self.ask("format json", *before_name, f"name {self.name}")

    def ask(self, *commands: str) -> str:
        """Sends commands in one piece; returns the tag of the last."""
        lines = []
        for command in commands:
            self._serial += 1
            lines.append(f"#{self.name}n{self._serial} {command}")
        self.peer.send_lines(*lines)
        return f"{self.name}n{self._serial}"

    def _receive(self, line: str):
        fields = json.loads(line) if line.startswith("{") else {"type": line.split()[0].lower()}
        match fields["type"]:
            case "price" if "amount" in fields:
                self.prices[fields["amount"]] = self.peer.times[-1]
            case "lot":
                self.lots += 1
            case "winner" if "amount" in fields:
                self.sold += 1
            case "ok" if "tag" in fields:
                self.is_named = self.is_named or fields["content"].startswith("name ")
                self.answers[fields["tag"]] = self.peer.times[-1]
            case "error" | "bye":
                check(False, f"{self.name} received {fields}")


class HonestBidders:
    """All of them, on one loop."""

    def __init__(self, loop: Loop, port: int, plan: Plan, measure: Callable):
        """Connects; `measure` is called several times a second while they play."""
        self._loop, self._plan, self._measure, self._amount = loop, plan, measure, FIRST_AMOUNT
        self._turn = 0
        self.samples: list[Sample] = []
        self._all: list[HonestBidder] = []
        for number in range(1, COUNT + plan.layers + 1):
            before_name = () if self._all else ("status",)
            self._all.append(HonestBidder(loop, port, number, *before_name, source=plan.source))
            self._wait(lambda: self._all[-1].is_named)
        self._bidders, layers = self._all[:COUNT], self._all[COUNT:]
        amount = 0
        for layer in layers:
            tag = layer.ask(*(f"bid {amount + step}" for step in range(1, LAYER_BIDS + 1)))
            self._wait(lambda layer=layer, tag=tag: tag in layer.answers)
            amount += LAYER_BIDS
        self._wait(lambda: not amount or all(amount in bidder.prices for bidder in self._bidders))

    @property
    def has_sold(self) -> bool:
        return all(bidder.sold for bidder in self._bidders)

    def play_lot(self, is_over: Callable[[], bool] = lambda: False):
        """Waits for an open lot, bids for a while, and waits for its hammer and the next lot, until `is_over`."""
        self._ping_until(lambda: is_over() or all(bidder.lots > bidder.sold for bidder in self._bidders),
                         "no lot was opened")
        until, due = time.monotonic() + self._plan.bidding, time.monotonic()
        lots, sold = (min(getattr(bidder, kind) for bidder in self._bidders) for kind in ("lots", "sold"))
        while time.monotonic() < until and not is_over():
            # The lot may be one that was played before, and then its leader must not be next.
            self._turn += 1
            self._bid(self._bidders[self._turn % COUNT])
            due = max(due + BID_SECONDS, time.monotonic())
            self._pump_until(due)
        self._ping_until(lambda: is_over() or all(
            bidder.sold > sold and (self._plan.has_one_lot or bidder.lots > lots) for bidder in self._bidders),
            "no hammer fell")

    def play_until(self, is_over: Callable[[], bool]):
        """Plays lots, or only sends `ping` if the only lot is sold."""
        while not is_over():
            if self._plan.has_one_lot and self.has_sold:
                self._ping()
            else:
                self.play_lot(is_over)

    def finish(self) -> list[Connection]:
        """Returns what they sent and received; the first has received every event with its number."""
        observer, *others = self._all
        connections = [bidder.peer.connection.copy() for bidder in others]
        # By the answer to a command it has received all that the others had received before.
        tag = observer.ask("ping")
        self._wait(lambda: tag in observer.answers)
        return [observer.peer.connection.copy(), *connections]

    def close(self):
        for bidder in self._all:
            bidder.peer.close()

    def _ping_until(self, condition, complaint):
        deadline = time.monotonic() + self._plan.seconds + PATIENCE
        while not condition():
            check(time.monotonic() < deadline, f"{complaint} for {PATIENCE:g} s")
            self._ping()

    def _ping(self):
        """Waits a moment; meanwhile each in turn sends a `ping`."""
        due = time.monotonic() + PING_SECONDS
        bidder = self._bidders[len(self.samples) % COUNT]
        sent = time.monotonic()
        tag = bidder.ask("ping")
        self._wait(lambda: tag in bidder.answers)
        self.samples.append(Sample(sent, bidder.answers.pop(tag)))
        self._pump_until(due)

    def _bid(self, bidder):
        self._amount += 1
        sent = time.monotonic()
        tag = bidder.ask(f"bid {self._amount}")
        self._wait(lambda: tag in bidder.answers and all(self._amount in other.prices for other in self._bidders))
        priced = max(other.prices.pop(self._amount) for other in self._bidders)
        self.samples.append(Sample(sent, bidder.answers.pop(tag), priced))

    def _pump_until(self, moment):
        self._loop.pump_until(moment)
        self._measure()

    def _wait(self, condition):
        def condition_while_connected():
            for bidder in self._all:
                check(not bidder.peer.has_ended, f"{bidder.name} lost the server")
            return condition()

        self._loop.wait(condition_while_connected, "the auction stood still", PATIENCE)
