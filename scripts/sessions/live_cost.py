"""What the live view costs, counted and not timed: its wake-ups, and its writes to the terminal."""

import time
from typing import NamedTuple

from checks import check
from peer import PATIENCE
from seat import Seat

TITLE = "a live view that sleeps when nothing happens, and keeps its pace in a storm"
PROGRAMS = ("client", "bench")
NEEDS = ("tmux",)
WATCH = "./auction watch"
REST, IDLE, STORM = 0.5, 3.0, 2.0
FRAMES_PER_SECOND = 30
MORE_WRITES = 10
"""A frame may take more than one write on a terminal that is busy."""


class Counts(NamedTuple):
    """How often a client has written anything and has slept, as the kernel counts it."""

    writes: int
    sleeps: int


def play(bed):
    watch_a_storm(bed)
    watch_nothing(bed)


def watch_a_storm(bed):
    """However many bids there are, there are at most thirty frames a second, also on a terminal that takes none."""
    server = bed.serve("--seconds", "60", "--data", "none", "--self-raise", "allow")
    free, frozen = seats = [Seat(bed, "free", 80, 24), Seat(bed, "frozen", 200, 60)]
    for seat in seats:
        seat.open(WATCH)
    begin, old = time.monotonic(), list(map(counts, seats))
    with frozen.frozen():
        bench = bed.spawn("bench", bed.bench_path, "--port", str(bed.port), "--seconds", f"{STORM:g}", "bids")
        bench.check_exit(0)
        new = list(map(counts, seats))
    seconds = time.monotonic() - begin
    for seat, before, after in zip(seats, old, new):
        writes = after.writes - before.writes
        check(writes <= FRAMES_PER_SECOND * seconds + MORE_WRITES, f"{seat.name}: {writes} writes in {seconds:.1f} s")
        check(seat is frozen or writes > STORM, f"{seat.name}: only {writes} writes")
        seat.expect(r"^ [1-9][\d,]* laps\b")
        seat.press("q")
        seat.expect_left(0)
    server.stop()


def watch_nothing(bed):
    """Nothing happens to one who comes after the end; one who was there sees a bid grow older."""
    bed.serve("--seconds", "1", "--data", "none", "--lot", "Vase")
    alice = bed.connect("alice")
    before, after = seats = Seat(bed, "before", 80, 24), Seat(bed, "after", 80, 24)
    before.open(WATCH)
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 7", r"OK bid 7")
    alice.expect(r"OVER 1")
    after.open(WATCH)
    for seat in seats:
        seat.expect(r"the sale is over")
    wait_for_sleep(after)
    begin, old = time.monotonic(), list(map(counts, seats))
    bed.pump_until(begin + IDLE)
    new, seconds = list(map(counts, seats)), time.monotonic() - begin
    check(new[1] == old[1], f"an idle view woke up: {new[1]} after {old[1]}")
    writes = new[0].writes - old[0].writes
    check(writes <= seconds + 1, f"one bid grew older {writes} times in {seconds:.1f} s")


def wait_for_sleep(seat):
    """Waits until the client has drawn everything."""
    deadline, before = time.monotonic() + PATIENCE, None
    while before != (before := counts(seat)):
        check(time.monotonic() < deadline, f"{seat.name}: never sleeps")
        seat.bed.pump_until(time.monotonic() + REST)


def counts(seat):
    def number(file, name):
        with open(f"/proc/{seat.client()}/{file}", encoding="utf-8") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))

    return Counts(number("io", "syscw"), number("status", "voluntary_ctxt_switches"))
