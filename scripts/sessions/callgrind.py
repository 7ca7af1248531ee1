"""A server under callgrind, which counts its instructions and its calls to the allocator.

What is counted is the program in user mode, on all its threads; a busy machine changes nothing. Callgrind
writes down what was spent between two moments when told to, so what comes before and after is not counted.
"""

import collections
import os
import platform
import re

import tracing
from audience import SERVER, Audience
from checks import check
from programs import COUNTED

NEEDS = (*tracing.NEEDS, "valgrind", "vgdb")
MACHINE = "x86_64"
ALLOCATORS = {"malloc", "calloc", "realloc", "memalign", "posix_memalign", "aligned_alloc"}
OBSERVERS = 100
BIDS = 200
WARM_UP = 100
"""Bids until arrays and buffers have grown, and numbers have the digits that they have later too."""


def lacking(options):
    """What keeps us from counting, in words; empty if nothing."""
    if platform.machine() != MACHINE:
        return f"the counts are of {MACHINE}"
    if is_debug(options.server):
        return "the counts are of a release build, and this is a debug build"
    return tracing.lacking(options)


def is_debug(path):
    """Whether a program carries its modules for the debugger, as a debug build alone does."""
    with open(path, "rb") as program:
        return b"\0.swift_ast\0" in program.read()


class Cost(collections.namedtuple("Cost", "instructions allocations")):
    """What something took."""

    def __sub__(self, other):
        return Cost(*(a - b for a, b in zip(self, other)))

    def __truediv__(self, count):
        return Cost(*(a / count for a in self))


class CountedServer:
    """A server whose cost is counted, and its audience."""

    def __init__(self, bed, *flags):
        self.bed, self._dumps = bed, 0
        self._path = os.path.join(bed.folder, "callgrind.out")
        self._pipes = f"--vgdb-prefix={os.path.join(bed.folder, 'vgdb')}"
        self._server = bed.serve(*SERVER, *flags, limits=COUNTED, through=(
            # Or one search in a dictionary would take longer today than it did yesterday.
            "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--quiet", "--tool=callgrind",
            f"--callgrind-out-file={self._path}", self._pipes))
        self.audience = Audience(bed)

    def cost_of_bid(self):
        """What a bid costs that is alone in its turn, with the observers there are."""
        self.audience.bid_alone(WARM_UP)
        return self._cost(lambda: self.audience.bid_alone(BIDS)) / BIDS

    def cost_of_delivery(self):
        """What one more observer of a bid costs."""
        before = self.cost_of_bid()
        self.audience.admit(OBSERVERS)
        return (self.cost_of_bid() - before) / OBSERVERS

    def cost_of_bid_among(self, bids):
        """What a bid costs that is heard in one turn with others."""
        bursts = 10
        self.audience.bid_in_bursts(2, bids)
        return self._cost(lambda: self.audience.bid_in_bursts(bursts, bids)) / (bursts * bids)

    def stop(self):
        """Ends the server."""
        self._server.stop()

    def _cost(self, play):
        """What the server spends while this is played."""
        self._dump()
        play()
        return read(self._dump())

    def _dump(self):
        """Has what was spent since the last time written down; the path of that."""
        process = self._server.process.pid
        vgdb = self.bed.spawn("vgdb", "vgdb", self._pipes, f"--pid={process}", "dump")
        check(vgdb.exit_code() == 0, f"vgdb failed: {vgdb.errors.lines}")
        self._dumps += 1
        return f"{self._path}.{self._dumps}"


def read(path):
    """What a file of callgrind's says; a name stands in full where it occurs first.

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
