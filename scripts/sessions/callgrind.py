"""A server under callgrind, which counts its instructions and its calls to the allocator.

The program is counted in user mode, on all its threads, so a busy machine changes nothing. Callgrind writes down
on demand what was spent since the last time, so what comes before and after is not counted. The expected counts
are in `counts.json`, and renewed by `UPDATE_COUNTS=1 scripts/sessions/run NAME`.
"""

import collections
import json
import os
import platform
import re

import load
from checks import check
from load import SERVER, Load
from programs import COUNTED

NEEDS = (*load.NEEDS, "valgrind", "vgdb")
COUNTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counts.json")
MACHINE = "x86_64"
ALLOCATORS = {"malloc", "calloc", "realloc", "memalign", "posix_memalign", "aligned_alloc"}
OBSERVERS, BIDS = 100, 200
WARM_UP = 100
"""Bids until arrays and buffers have grown, and numbers have the digits that they have later too."""


def lacking(options):
    """Why we cannot count, in words; empty if we can."""
    if platform.machine() != MACHINE:
        return f"the counts are of {MACHINE}"
    with open(options.server, "rb") as program:
        # Only a debug build has its modules for the debugger in it.
        if b"\0.swift_ast\0" in program.read():
            return "the counts are of a release build, and this is a debug build"
    return load.lacking(options)


def compare(session, counted, is_close):
    """Fails unless each count of a session is close to the expected one; or renews them."""
    with open(COUNTS, encoding="utf-8") as file:
        expected = json.load(file)
    if os.environ.get("UPDATE_COUNTS") == "1":
        with open(COUNTS, "w", encoding="utf-8") as file:
            json.dump({**expected, session: counted}, file, indent=4)
            file.write("\n")
        return
    old = expected.get(session, {})
    wrong = [f"{name}: {count:g}, and it was {old.get(name)}" for name, count in counted.items()
             if name not in old or not is_close(count, old[name])]
    check(not wrong, f"{'; '.join(wrong)} (if that is intended: UPDATE_COUNTS=1 scripts/sessions/run {session})")


class Cost(collections.namedtuple("Cost", "instructions allocations")):
    """What something took."""

    def __sub__(self, other):
        return Cost(*(a - b for a, b in zip(self, other)))

    def __truediv__(self, count):
        return Cost(*(a / count for a in self))


class CountedServer:
    """A server whose cost is counted, and its load."""

    def __init__(self, bed, *flags):
        self.bed, self._dumps = bed, 0
        self._path = os.path.join(bed.folder, "callgrind.out")
        self._pipes = f"--vgdb-prefix={os.path.join(bed.folder, 'vgdb')}"
        self._server = bed.serve(*SERVER, *flags, limits=COUNTED, through=(
            # Or one search in a dictionary would take longer today than it did yesterday.
            "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--quiet", "--tool=callgrind",
            f"--callgrind-out-file={self._path}", self._pipes))
        self.load = Load(bed)

    def cost_of_bid(self):
        """What a bid costs that is alone in its turn, with the present observers."""
        self.load.bid_alone(WARM_UP)
        return self._cost(lambda: self.load.bid_alone(BIDS)) / BIDS

    def cost_of_delivery(self):
        """What one more observer of a bid costs."""
        before = self.cost_of_bid()
        self.load.add_observers(OBSERVERS)
        return (self.cost_of_bid() - before) / OBSERVERS

    def cost_of_bid_among(self, bids):
        """What a bid costs that is handled in one turn with others."""
        bursts = 10
        self.load.bid_in_bursts(2, bids)
        return self._cost(lambda: self.load.bid_in_bursts(bursts, bids)) / (bursts * bids)

    def stop(self):
        self._server.stop()

    def _cost(self, act):
        """What the server spends during the call."""
        self._dump()
        act()
        return read(self._dump())

    def _dump(self):
        """Has callgrind write down what was spent since the last time; returns the path of that."""
        vgdb = self.bed.spawn("vgdb", "vgdb", self._pipes, f"--pid={self._server.pid}", "dump")
        vgdb.check_exit(0)
        self._dumps += 1
        return f"{self._path}.{self._dumps}"


def read(path):
    """The cost in a file of callgrind, in which a name stands in full where it occurs first.

    Source: valgrind's manual, "Callgrind Format Specification".
    """
    instructions, allocations, names, callee = 0, 0, {}, ""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if function := re.match(r"c?fn=\((\d+)\)(?: (.+))?", line):
                number, name = function.groups()
                callee = names.setdefault(number, name)
            elif line.startswith("calls=") and callee in ALLOCATORS:
                allocations += int(line[len("calls="):].split()[0])
            elif line.startswith("totals:"):
                instructions = int(line.split()[1])
    return Cost(instructions, allocations)
