"""A load of one bidder and many observers, for sessions that measure what bids cost."""

import subprocess

NEEDS = ("strace -D",)
SERVER = ("--seconds", "3600", "--self-raise", "allow", "--log-level", "warning")
"""A long countdown, a bidder who may raise their own bids, and no log line for each bid."""


def lacking(_):
    """Returns why programs cannot be traced; empty if they can."""
    probe = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False)
    return "no permission to trace a program" if probe.returncode else ""


class Load:
    """One bidder and some observers, connected to the newest server; all of them receive news."""

    def __init__(self, bed):
        self.bed, self.price, self.observers = bed, 0, []
        self.bidder = self._connect("alice")
        self.bidder.demand("name alice", r"OK name .+")
        self.bidder.expect(r"JOINED alice")

    @property
    def connections(self):
        """The number of connections that receive news."""
        return 1 + len(self.observers)

    def add_observers(self, count):
        for _ in range(count):
            self.observers.append(self._connect(f"observer-{self.connections}"))

    def bid_alone(self, bids):
        """Sends bids one at a time; all receive each before the next, so each is one turn."""
        self.bid_in_bursts(bids, 1)

    def bid_in_bursts(self, bursts, bids):
        """Sends bursts of `bids` bids; each burst is received by all before the next."""
        for _ in range(bursts):
            self.bid_at_once(bids)
            self.receive_bids()

    def bid_at_once(self, bids):
        """Sends this many bids in one write."""
        first, self.price = self.price + 1, self.price + bids
        lines = "".join(f"bid {price}\n" for price in range(first, self.price + 1))
        self.bidder.send(lines.encode())

    def receive_bids(self):
        """Waits until all have received the newest bid, and the bidder also its `OK`."""
        news = rf"PRICE {self.price} alice .+"
        for peer in self.observers:
            peer.expect(news)
        for _ in ("the news", "the answer"):
            self.bidder.expect(rf"{news}|OK bid {self.price}")

    def mark(self, name):
        """Has the server send a word that stands nowhere else in its trace."""
        self.bidder.say(f"#{name} ping")
        self.bidder.expect(rf"OK #{name} ping")

    def _connect(self, name):
        peer = self.bed.connect(name, waits=False)
        peer.demand("ping", r"OK ping")
        return peer
