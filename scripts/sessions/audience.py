"""One who bids and those who watch, and the ways in which a bid comes to them."""

SERVER = ("--seconds", "3600", "--self-raise", "allow", "--log-level", "warning")
"""A countdown that hardly matters, a bidder who may go on alone, and no line of the log for a bid."""


class Audience:
    """A bidder at the server started last, who hears the news too, and observers as they come."""

    def __init__(self, bed):
        self.bed, self.price, self.observers = bed, 0, []
        self.bidder = self._enter("alice")
        self.bidder.demand("name alice", r"OK name .+")
        self.bidder.expect(r"JOINED alice")

    @property
    def connections(self):
        """How many there are to whom the news are sent."""
        return 1 + len(self.observers)

    def admit(self, observers):
        """Lets so many more observers in, each of whom is greeted before the next."""
        for _ in range(observers):
            self.observers.append(self._enter(f"observer-{self.connections}"))

    def bid_alone(self, bids):
        """Bids one at a time, each heard by everybody before the next: each is a turn of its own."""
        for _ in range(bids):
            self.bid_at_once(1)
            self.hear_bids()

    def bid_in_bursts(self, bursts, bids):
        """Bids so many at once, which are heard by everybody before the next burst."""
        for _ in range(bursts):
            self.bid_at_once(bids)
            self.hear_bids()

    def bid_at_once(self, bids):
        """Sends so many bids in one write."""
        first, self.price = self.price + 1, self.price + bids
        lines = "".join(f"bid {price}\n" for price in range(first, self.price + 1))
        self.bidder.send(lines.encode())

    def hear_bids(self):
        """Waits until everybody has heard of the newest bid, and the bidder has the answer too."""
        news = rf"PRICE {self.price} alice .+"
        for peer in self.observers:
            peer.expect(news)
        for _ in ("the news", "the answer"):
            self.bidder.expect(rf"{news}|OK bid {self.price}")

    def mark(self, name):
        """Has the server say a word that stands nowhere else in a trace of it."""
        self.bidder.say(f"#{name} ping")
        self.bidder.expect(rf"OK #{name} ping")

    def _enter(self, name):
        peer = self.bed.connect(name, waits=False)
        peer.demand("ping", r"OK ping")
        return peer
