"""Honest bidders, who continue the auction while others attack the server.

In each lot five of them bid in turn for a while, each a little more than the one before and well below any
limit; then they fall silent until the hammer falls, and only send `ping`. They measure how long each bid takes
to its `OK`, and to its price at all of them.
"""

from __future__ import annotations

import json
import time
from typing import Callable

from checks import check
from protocol import Connection
from testbed import PATIENCE

COUNT, LAYERS = 5, 5
"""How many there are, and how many others make 197 bids each on a long lot, before anything else."""
SECONDS, BIDDING = 2, 0.6
"""The countdown, and seconds of bidding in each lot; then they wait for the hammer."""
BID_SECONDS, PING_SECONDS = 0.02, 0.05
"""From bid to bid: 10 lines a second of each, where 50 are allowed; and from ping to ping."""
FIRST_AMOUNT = 10_000
LAYER_BIDS = 197
"""The lines that one connection may send at once (200), less the three with which it begins."""


class HonestBidder:
    """Bids in JSON, and records when it receives what."""

    def __init__(self, testbed, number: int, source):
        """Connects and takes its name."""
        self.name, self.is_named, self._serial = f"b{number}", False, 0
        self.prices: dict[int, float] = {}
        self.answers: dict[str, float] = {}
        self.lots = self.sold = 0
        self.peer = testbed.connect(f"{self.name}-1", waits=False, source=source)
        self.peer.on_line = self._receive
        self.ask("format json", "status", f"name {self.name}")

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
                self.lots = max(self.lots, fields.get("lot", 0))
            case "winner" if "amount" in fields:
                self.sold = fields["lot"]
            case "ok" if "tag" in fields:
                self.is_named = self.is_named or fields["content"].startswith("name ")
                self.answers[fields["tag"]] = self.peer.times[-1]
            case "error" | "bye":
                check(False, f"{self.name} received {fields}")


class HonestBidders:
    """All of them, on one loop."""

    def __init__(self, testbed, attack, measure: Callable):
        """Connects; `measure` is called several times a second while they play."""
        self._testbed, self._attack, self._measure, self._amount = testbed, attack, measure, FIRST_AMOUNT
        self._turn = 0
        self.answered: list[tuple[float, float]] = []
        """When each command was sent and answered, by the monotonic clock."""
        self.priced: list[tuple[float, float]] = []
        """When each bid was sent, and the last of them received its price."""
        self._observer = testbed.bidder("observer", attack.source)
        self._all: list[HonestBidder] = []
        for number in range(1, COUNT + (LAYERS if attack.has_long_lot else 0) + 1):
            self._all.append(HonestBidder(testbed, number, attack.source))
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
        until, due = time.monotonic() + BIDDING, time.monotonic()
        lots, sold = (min(getattr(bidder, kind) for bidder in self._bidders) for kind in ("lots", "sold"))
        while time.monotonic() < until and not is_over():
            # The lot may be one that was played before, and then its leader must not be next.
            self._turn += 1
            self._bid(self._bidders[self._turn % COUNT])
            due = max(due + BID_SECONDS, time.monotonic())
            self._pump_until(due)
        self._ping_until(lambda: is_over() or all(
            bidder.sold > sold and (self._attack.has_long_lot or bidder.lots > lots) for bidder in self._bidders),
            "no hammer fell")

    def play_until(self, is_over: Callable[[], bool]):
        """Plays lots, or only sends `ping` if the only lot is sold."""
        while not is_over():
            if self._attack.has_long_lot and self.has_sold:
                self._ping()
            else:
                self.play_lot(is_over)

    def finish(self) -> tuple[Connection, list[Connection]]:
        """Returns what an observer received in text, and what they sent and received."""
        connections = [bidder.peer.connection.copy() for bidder in self._all]
        # By the answer to a command it has received all that the others had received before.
        self._observer.request("ping", "OK ping")
        return self._observer.connection.copy(), connections

    def close(self):
        for peer in (self._observer, *(bidder.peer for bidder in self._all)):
            peer.close()

    def _ping_until(self, condition, complaint):
        deadline = time.monotonic() + SECONDS + PATIENCE
        while not condition():
            check(time.monotonic() < deadline, f"{complaint} for {PATIENCE:g} s")
            self._ping()

    def _ping(self):
        """Waits a moment; meanwhile each in turn sends a `ping`."""
        due = time.monotonic() + PING_SECONDS
        self._request(self._bidders[len(self.answered) % COUNT], "ping", lambda: True)
        self._pump_until(due)

    def _bid(self, bidder):
        self._amount += 1
        sent = self._request(bidder, f"bid {self._amount}",
                             lambda: all(self._amount in other.prices for other in self._bidders))
        self.priced.append((sent, max(other.prices.pop(self._amount) for other in self._bidders)))

    def _request(self, bidder, command, is_done) -> float:
        """Sends a command, and returns when it did."""
        sent = time.monotonic()
        tag = bidder.ask(command)
        self._wait(lambda: tag in bidder.answers and is_done())
        self.answered.append((sent, bidder.answers.pop(tag)))
        return sent

    def _pump_until(self, moment):
        self._testbed.pump_until(moment)
        self._measure()

    def _wait(self, condition):
        def condition_while_connected():
            for bidder in self._all:
                check(not bidder.peer.has_ended, f"{bidder.name} lost the server")
            return condition()

        self._testbed.wait(condition_while_connected, "the auction stood still", PATIENCE)
