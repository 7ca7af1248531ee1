"""The clients of scripts/crash: bidders who bid as fast as they are answered, and an auctioneer, in every format."""

from __future__ import annotations

import random
import time

from bidder import Bidder
from peer import SocketPeer
from programs import HOST

OUTSTANDING = 3
SEALED_MOST = 400
"""The most that is bid in private."""
TAKE_CHANCE, MAXIMUM_CHANCE, BUY_CHANCE, SAY_CHANCE = 0.3, 0.1, 0.002, 0.002
RULINGS = {"hammer": 50, "void": 15, "pause": 10, "close": 5, "add Extra format=dutch start=90 step=9": 5,
           "mute": 5, "unmute": 10}
"""How often the auctioneer sends each."""


class FastBidder(Bidder):
    """Bids as fast as it is answered, and never the same amount again unless the answer was lost."""

    def __init__(self, number: int, rng: random.Random):
        super().__init__(number)
        self._rng = rng
        self.has_bid = self.is_silent = False
        self.last_price = 0.0
        """When it received the last price."""
        self._is_shy, self._amount, self._retry = False, 0, []
        self._seen_ask: int | None = None
        self._lot = 0

    def enter(self, loop, port, is_shy, victim):
        """Connects, and takes its name back; before that it may try to take the victim's."""
        self._is_shy, self.is_silent = is_shy, False
        theft = [f"name {victim.name} {self._rng.choice((self.token, ''))}"] if victim else []
        super().enter(loop, port, *theft)

    def leave(self):
        """Remembers which bids the dead server did not answer."""
        if self.peer:
            self.peer.connection.was_cut = True
            self.peer.close()
            commands = (command.split() for command in self.outstanding.values())
            self._retry = [int(words[1]) for words in commands if words[0] == "bid"]
            self.peer = None

    def _receive(self, line):
        super()._receive(line)
        if self.is_named and not self._is_shy and not self.is_silent:
            self._act()

    def _act(self):
        commands = []
        while len(self.outstanding) + len(commands) < OUTSTANDING and (command := self._command()):
            commands.append(command)
        if commands:
            self.ask(*commands)

    def _command(self):
        """The next command; None if it waits."""
        if self._rng.random() < SAY_CHANCE:
            return f"say {self._rng.choice(('well', 'no more', 'mine'))} {self._rng.randrange(1000)}"
        if self._retry:
            amount = self._retry.pop()
            self._amount = max(self._amount, amount)
            return f"bid {amount}"
        if self.format == "dutch":
            return self._take()
        if self.buy_price and self._rng.random() < BUY_CHANCE:
            return "buy"
        if self.format != "english":
            amount = self._rng.randint(1, SEALED_MOST)
            while f"bid {amount}" in self.outstanding.values():
                # The next lot may be English, where the same bid again has no event of its own.
                amount = self._rng.randint(1, SEALED_MOST)
            return f"bid {amount}"
        return self._raise()

    def _take(self):
        """Considers each ask once."""
        if self._seen_ask == self.ask_price:
            return None
        self._seen_ask = self.ask_price
        if self._rng.random() > TAKE_CHANCE:
            return None
        return self._rng.choice(("take", f"bid {self.ask_price}", f"bid {self.ask_price + 1}"))

    def _raise(self):
        sets_maximum = self._rng.random() < MAXIMUM_CHANCE
        if self.is_leading and not sets_maximum:
            return None
        self._amount = max(self.price, self._amount) + self._rng.choice((1, 1, 2, 5))
        while f"bid {self._amount}" in self.outstanding.values():
            # It was meant for the lot before.
            self._amount += 1
        return f"max {self._amount + self._rng.choice((0, 10, 40))}" if sets_maximum else f"bid {self._amount}"

    def _on_price(self, fields):
        super()._on_price(fields)
        self.last_price = time.monotonic()

    def _on_lot(self, fields):
        super()._on_lot(fields)
        self.is_silent, self._seen_ask = False, None
        if fields["lot"] != self._lot:
            self._lot, self._amount = fields["lot"], 0

    def _on_ok(self, fields):
        super()._on_ok(fields)
        if fields["content"].startswith("bid "):
            self.has_bid, self._amount = True, max(self._amount, int(fields["content"].split()[1]))


class Gavel:
    """An auctioneer, who rules now and then."""

    def __init__(self, token: str, rng: random.Random):
        self._token, self._rng, self._run, self._serial = token, rng, 0, 0
        self.peer: SocketPeer | None = None

    def enter(self, loop, port):
        """Connects, and continues a sale that was paused when the server died."""
        self._run, self._serial = self._run + 1, 0
        self.peer = SocketPeer(loop, f"gavel-{self._run}", (HOST, port))
        self._send(f"auctioneer {self._token}", "resume")

    def rule(self):
        """Gives some ruling; a pause ends at once."""
        ruling = self._rng.choices(list(RULINGS), list(RULINGS.values()))[0]
        if ruling.endswith("mute"):
            ruling += f" b{self._rng.randint(1, 8)}"
        self._send(ruling, *(["resume"] if ruling == "pause" else []))

    def hammer(self):
        self._send("hammer")

    def leave(self):
        if self.peer:
            self.peer.connection.was_cut = True
            self.peer.close()
            self.peer = None

    def _send(self, *commands):
        lines = []
        for command in commands:
            self._serial += 1
            lines.append(f"#g{self._run}n{self._serial} {command}")
        self.peer.send_lines(*lines)
