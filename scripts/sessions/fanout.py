"""The load generator counts what every observer hears, and finds what a server keeps from one."""

import json

from peer import Peer, check
from room import HOST
from stand_in import StandIn

TITLE = "every delivery of the load generator is counted, and what one observer lacks is found"
PROGRAMS = ("bench",)
WIRINGS = ((), ("--threads", "2"))
OBSERVERS, BIDS = 20, 300


def play(room):
    room.serve("--seconds", "60", "--data", "none", "--self-raise", "allow")
    for manner in (("--outstanding", "7"), ("--rate", "500")):
        result, code = fan_out(room, room.port, *manner)
        heard = result["lost"] == 0 and result["acceptedPerSecond"] > 0
        check(code == 0 and heard, f"{manner}: exit code {code}, {result}")
    find_refusals(room)
    for lapse in LAPSES:
        server = Forgetful(room, lapse)
        result, code = fan_out(room, server.port, "--outstanding", "1")
        check(code == 1 and result["lost"] >= lapse.lost, f"{vars(lapse)}: exit code {code}, {result}")


def find_refusals(room):
    """A price of somebody else's is no delivery: the bids that it has refused end the measurement."""
    server = Forgetful(room, refuses=range(200, 203))
    bench = spawn_bench(room, server.port, "--outstanding", "1")
    code = bench.exit_code()
    complaint = "refused 3 of 300 bids: does somebody else bid, or the lot end?"
    said = any(complaint in line for line in bench.errors.lines)
    check(code == 1 and said, f"refusals: exit code {code}, {bench.lines}, {bench.errors.lines}")


def spawn_bench(room, port, *manner):
    return room.spawn("bench", room.bench_path, "fanout", "--host", HOST, "--port", str(port), "--json",
                      "--observers", str(OBSERVERS), "--bids", str(BIDS), *manner)


def fan_out(room, port, *manner):
    """What the load generator found, and its exit code."""
    bench = spawn_bench(room, port, *manner)
    code = bench.exit_code()
    check(len(bench.lines) == 1, f"the bench said {bench.lines}, {bench.errors.lines}")
    return json.loads(bench.lines[0]), code


class Lapse:
    """What is not told of some bids: to one observer, or to nobody at all."""

    def __init__(self, bids, instead=None, whom="one", lost=1):
        self.bids, self.whom, self.lost, self._instead = bids, whom, lost, instead

    def lines(self, bid):
        """What is said in the place of the price of a bid."""
        return self._instead(bid) if self._instead and bid == self.bids[-1] else ()


def price(bid):
    """The line of news of a bid, each of which is higher by one."""
    return f"PRICE {bid} bench-1 00:01.0 {bid}"


def snapshot(bid):
    """What an observer hears who was skipped."""
    return "SKIPPED 4", "LOT 1 Vase", price(bid), "COUNTDOWN 7"


LAPSES = (
    Lapse(range(150, 151)),
    Lapse(range(100, 101), lambda bid: (price(bid - 1),)),
    Lapse(range(100, 101), snapshot),
    Lapse(range(100, 104), snapshot),
    Lapse(range(100, 103), whom="nobody", lost=3 * OBSERVERS),
    Lapse(range(BIDS, BIDS + 1), whom="nobody", lost=OBSERVERS),
)


class Forgetful(StandIn):
    """A server of our own that tells everybody every bid, with one lapse, or refuses some."""

    def __init__(self, room, lapse=None, refuses=()):
        self.lapse, self.refuses, self.bids, self.visitors = lapse, refuses, 0, []
        super().__init__(room, self._take_in)

    def bid(self, visitor, amount):
        """Accepts a bid and tells it, or refuses it."""
        self.bids += 1
        if self.bids in self.refuses:
            visitor.tell("ERROR too-low minimum=1000 bid at least 1000")
            return
        visitor.tell(f"OK bid {amount}")
        lapses = self.lapse and self.bids in self.lapse.bids
        for index, peer in enumerate(self.visitors):
            if lapses and (index == 0 or self.lapse.whom == "nobody"):
                peer.tell(*self.lapse.lines(self.bids))
            else:
                peer.tell(price(self.bids))

    def _take_in(self, connection):
        visitor = Visitor(self, connection)
        self.visitors.append(visitor)
        return visitor


class Visitor(Peer):
    """One who came to the forgetful server."""

    def __init__(self, server, connection):
        self._server, self._connection, self._heard = server, connection, 0
        super().__init__(server.room, "visitor", connection.fileno(), connection.fileno())
        self.tell("HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)", "LOT 1 Vase")

    def tell(self, *lines):
        """Says lines."""
        self.send("".join(line + "\n" for line in lines).encode())

    def hear(self):
        super().hear()
        while self._heard < len(self.lines):
            word, _, rest = self.lines[self._heard].partition(" ")
            self._heard += 1
            if word == "bid":
                self._server.bid(self, rest)
            else:
                self.tell(f"OK {word} {rest}".rstrip())

    def close(self):
        """Closes the connection."""
        if self.source is not None:
            self.room.unwatch(self.source)
            self._connection.close()
            self.source = self.sink = None

    end = close
