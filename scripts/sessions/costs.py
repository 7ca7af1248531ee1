"""What bids cost the server: instructions, allocations and system calls, counted by callgrind.

Callgrind counts in user mode, on all threads, so a busy machine changes nothing. It writes down on demand what was
spent since the last time, so that what comes before and after is not counted. The expected counts are in
`counts.json`, and renewed by `UPDATE_COUNTS=1 scripts/sessions/run costs`.
"""

import collections
import json
import os
import platform
import re

from checks import check
from programs import COUNTED

TITLE = "a bid and a delivery cost as much as expected, in one send for each connection"
NEEDS = ("valgrind", "vgdb")
VARIANTS = (("--poller", "epoll"), ("--poller", "poll"), ("--threads", "2"))
"""Only the first variant is compared with the expected counts; system calls are checked in all."""
COUNTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counts.json")
MACHINE = "x86_64"
KINDS = {"allocations": {"malloc", "calloc", "realloc", "memalign", "posix_memalign", "aligned_alloc"},
         "sends": {"syscall", "send", "sendto", "sendmsg", "sendmmsg", "writev"},
         "waits": {"epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll"}}
"""The functions of the C library whose calls are counted; the server sends by `syscall`, and writes its journal so."""
SERVER = ("--seconds", "3600", "--self-raise", "allow", "--log-level", "warning")
"""A long countdown, a bidder who may raise their own bids, and no log line for each bid."""
OBSERVERS, BIDS, BURST, BURSTS = 30, 200, 512, 10
"""As many observers as are sent to in one turn."""
WARM_UP = 100
"""Bids until arrays and buffers have grown, and numbers have the digits that they have later too."""
INSTRUCTIONS_WITHIN, ALLOCATIONS_WITHIN = 0.10, 0.25
"""By which share instructions may differ, and by how many allocations: the journal may need a turn more or less."""
NO_ALLOCATION = 0.01
"""An array that grows once in hundreds of bids counts as none."""
TICKS = 2
MOST_WAITS = {"1": 3, "2": 7}
"""For a tick, by the number of threads. With one: when it is due, at once again for what arrived by then, and when
it is on disk. With two the other loop is also asked what it has read, answers, and sends the tick."""


def missing_requirement(options):
    """Why we cannot count, in words; empty if we can."""
    if platform.machine() != MACHINE:
        return f"the counts are of {MACHINE}"
    with open(options.server, "rb") as program:
        # Only a debug build has its modules for the debugger in it.
        if b"\0.swift_ast\0" in program.read():
            return "the counts are of a release build, and this is a debug build"
    return ""


def play(testbed):
    if testbed.flags == VARIANTS[0]:
        compare(count_costs(testbed))
    check_calls(CountedServer(testbed))


def count_costs(testbed):
    """The costs of bids and deliveries, by name."""
    counted = {}
    for name, flags in ("without a journal", ("--data", "none")), ("with the journal", ()):
        server = CountedServer(testbed, *flags)
        server.bid_alone(WARM_UP)
        bid = server.cost(lambda: server.bid_alone(BIDS)) / BIDS
        counted[f"allocations of a bid alone in its turn, {name}"] = round(bid.allocations, 1)
        if flags:
            counted["instructions of a bid alone in its turn"] = round(bid.instructions)
            server.bid_in_bursts(2)
            burst = server.cost(lambda: server.bid_in_bursts(BURSTS)) / (BURSTS * BURST)
            counted[f"instructions of a bid among {BURST} in one turn"] = round(burst.instructions)
        before = server.cost(lambda: server.bid_alone(BIDS)) / BIDS
        server.add_observers(OBSERVERS)
        server.bid_alone(WARM_UP)
        delivery = (server.cost(lambda: server.bid_alone(BIDS)) / BIDS - before) / OBSERVERS
        check(abs(delivery.allocations) < NO_ALLOCATION, f"{name}: {delivery.allocations:.3f} for each delivery")
        if flags:
            counted["instructions of one more observer of a bid"] = round(delivery.instructions)
        server.process.stop()
    return counted


def compare(counted):
    """Fails unless each count is close to the expected one; or renews them."""
    if os.environ.get("UPDATE_COUNTS") == "1":
        with open(COUNTS, "w", encoding="utf-8") as file:
            json.dump(counted, file, indent=4)
            file.write("\n")
        return
    with open(COUNTS, encoding="utf-8") as file:
        expected = json.load(file)
    wrong = [f"{name}: {count:g}, and it was {expected.get(name)}" for name, count in counted.items()
             if name not in expected or abs(count - expected[name]) > (
                 ALLOCATIONS_WITHIN if name.startswith("allocations") else INSTRUCTIONS_WITHIN * expected[name])]
    check(not wrong, f"{'; '.join(wrong)} (if that is intended: UPDATE_COUNTS=1 scripts/sessions/run costs)")


def check_calls(server):
    """One send to each connection in a turn with news, and no wake-up without a cause."""
    server.add_observers(OBSERVERS)
    server.bid_alone(2)
    bids = server.cost(lambda: server.bid_alone(BIDS))
    news = (1 + OBSERVERS) * BIDS
    check(news <= bids.sends <= 1.05 * news, f"{bids.sends} sends for {BIDS} bids to {1 + OBSERVERS} connections")
    # What is counted may begin and end within a tick, and lasts for more of them on a busy machine.
    server.expect_tick()
    before = server.ticks
    counted = server.cost(lambda: [server.expect_tick() for _ in range(TICKS)])
    server.expect_tick()
    ticks = server.ticks - before
    check(counted.sends <= (1 + OBSERVERS) * ticks, f"{counted.sends} sends for {ticks} ticks")
    threads = server.testbed.flags[1] if "--threads" in server.testbed.flags else "1"
    # Counting itself interrupts waits: with epoll two, although nothing happens meanwhile.
    check(counted.waits <= MOST_WAITS[threads] * (ticks + 4), f"woke {counted.waits} times for {ticks} ticks")
    server.process.stop()


class Cost(collections.namedtuple("Cost", ("instructions", *KINDS))):
    """What something took."""

    def __sub__(self, other):
        return Cost(*(a - b for a, b in zip(self, other)))

    def __truediv__(self, count):
        return Cost(*(a / count for a in self))


class CountedServer:
    """A server under callgrind, one bidder and some observers, all of whom receive news."""

    def __init__(self, testbed, *flags):
        self.testbed, self.price, self.observers, self._dumps = testbed, 0, [], 0
        self._path = os.path.join(testbed.folder, "callgrind.out")
        self._pipes = f"--vgdb-prefix={os.path.join(testbed.folder, 'vgdb')}"
        self.process = testbed.serve(*SERVER, *flags, limits=COUNTED, through=(
            # Or one search in a dictionary would take longer today than it did yesterday.
            "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--quiet", "--tool=callgrind",
            f"--callgrind-out-file={self._path}", self._pipes))
        self.bidder = self._connect("alice")
        self.bidder.request("name alice", r"OK name .+")
        self.bidder.expect(r"JOINED alice")

    def add_observers(self, count):
        for number in range(count):
            self.observers.append(self._connect(f"observer-{number}"))

    def bid_alone(self, bids):
        """Sends bids one at a time; all receive each before the next, so each is one turn."""
        for _ in range(bids):
            self._bid(1)

    def bid_in_bursts(self, bursts):
        """Sends bursts of 512 bids in one write; each burst is received by all before the next."""
        for _ in range(bursts):
            self._bid(BURST)

    def expect_tick(self):
        """Waits for the next second of the countdown, at all connections."""
        for peer in (*self.observers, self.bidder):
            peer.expect(r"COUNTDOWN (?!3600).+")

    @property
    def ticks(self):
        """How many seconds of the countdown the bidder has received."""
        return sum(line.startswith("COUNTDOWN ") for line in self.bidder.lines)

    def cost(self, act):
        """What the server spends during the call."""
        self._dump()
        act()
        return read(self._dump())

    def _bid(self, bids):
        first, self.price = self.price + 1, self.price + bids
        self.bidder.send("".join(f"bid {price}\n" for price in range(first, self.price + 1)).encode())
        news = rf"PRICE {self.price} alice .+"
        for peer in self.observers:
            peer.expect(news)
        for _ in ("the news", "the answer"):
            self.bidder.expect(rf"{news}|OK bid {self.price}")

    def _connect(self, name):
        peer = self.testbed.connect(name, waits=False)
        peer.request("ping", r"OK ping")
        return peer

    def _dump(self):
        """Has callgrind write down what was spent since the last time; returns the path of that."""
        vgdb = self.testbed.spawn("vgdb", "vgdb", self._pipes, f"--pid={self.process.pid}", "dump")
        vgdb.check_exit(0)
        self._dumps += 1
        return f"{self._path}.{self._dumps}"


def read(path):
    """The cost in a file of callgrind, in which a name stands in full where it occurs first.

    Source: valgrind's manual, "Callgrind Format Specification".
    """
    instructions, calls, names, callee = 0, collections.Counter(), {}, ""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if function := re.match(r"c?fn=\((\d+)\)(?: (.+))?", line):
                number, name = function.groups()
                callee = names.setdefault(number, name)
            elif line.startswith("calls="):
                calls[callee] += int(line[len("calls="):].split()[0])
            elif line.startswith("totals:"):
                instructions = int(line.split()[1])
    return Cost(instructions, *(sum(calls[name] for name in functions) for functions in KINDS.values()))
