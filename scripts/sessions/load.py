"""A bidder and observers, and the ways in which bids come to them; for sessions that count what that costs."""

import subprocess

NEEDS = ("strace -D",)
SERVER = ("--seconds", "3600", "--self-raise", "allow", "--log-level", "warning")
"""A countdown that hardly matters, a bidder who may raise their own bids, and no log line for a bid."""


def lacking(_):
    """Why we cannot trace programs, in words; empty if we can."""
    probe = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False)
    return "no permission to trace a program" if probe.returncode else ""


class Load:
    """A bidder at the server started last, who receives the news too, and observers."""

    def __init__(self, bed):
        self.bed, self.price, self.observers = bed, 0, []
        self.bidder = self._connect("alice")
        self.bidder.demand("name alice", r"OK name .+")
        self.bidder.expect(r"JOINED alice")

    @property
    def connections(self):
        """How many receive the news."""
        return 1 + len(self.observers)

    def add_observers(self, count):
        for _ in range(count):
            self.observers.append(self._connect(f"observer-{self.connections}"))

    def bid_alone(self, bids):
        """Makes bids one at a time, each received by all before the next: each is a turn of its own."""
        self.bid_in_bursts(bids, 1)

    def bid_in_bursts(self, bursts, bids):
        """Makes this many bids at once, received by all before the next burst."""
        for _ in range(bursts):
            self.bid_at_once(bids)
            self.receive_bids()

    def bid_at_once(self, bids):
        """Sends this many bids in one write."""
        first, self.price = self.price + 1, self.price + bids
        lines = "".join(f"bid {price}\n" for price in range(first, self.price + 1))
        self.bidder.send(lines.encode())

    def receive_bids(self):
        """Waits until all have received the newest bid, and the bidder its answer too."""
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
