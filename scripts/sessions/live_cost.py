"""What the live view costs, counted and not timed: its wake-ups, and its writes to the terminal."""

import time

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


def play(bed):
    sit_in_a_storm(bed)
    sit_when_all_is_over(bed)


def sit_in_a_storm(bed):
    """However many bids there are, there are at most thirty frames a second.

    A terminal that takes nothing costs frames, and is not offered them again and again.
    """
    server = bed.serve("--seconds", "60", "--data", "none", "--self-raise", "allow")
    free, frozen = seats = [Seat(bed, "free", 80, 24), Seat(bed, "frozen", 200, 60)]
    for seat in seats:
        seat.open(WATCH)
    begin = time.monotonic()
    old = [Counts(seat) for seat in seats]
    with frozen.frozen():
        bench = bed.spawn("bench", bed.bench_path, "--port", str(bed.port),
                           "--seconds", f"{STORM:g}", "bids")
        check(bench.exit_code() == 0, f"the bench failed: {bench.errors.lines}")
        new = [Counts(seat) for seat in seats]
    seconds = time.monotonic() - begin
    for seat, before, after in zip(seats, old, new):
        writes = after.writes - before.writes
        check(writes <= FRAMES_PER_SECOND * seconds + MORE_WRITES,
              f"{seat.name}: {writes} writes in {seconds:.1f} s")
        check(seat is frozen or writes > STORM, f"{seat.name}: only {writes} writes")
        seat.expect(r"^ Lot 1\b.*\d\d:\d\d\.\d$")
        seat.expect(r"^ [1-9][\d,]* laps\b")
        seat.press("q")
        seat.expect_left(0)
    server.stop()


def sit_when_all_is_over(bed):
    """Nothing happens to one who comes afterwards; who was there sees a bid grow older."""
    bed.serve("--seconds", "1", "--data", "none", "--lot", "Vase")
    witness, alice = bed.connect("witness"), bed.connect("alice")
    before, after = Seat(bed, "before", 80, 24), Seat(bed, "after", 80, 24)
    before.open(WATCH)
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 7", r"OK bid 7")
    witness.expect(r"OVER 1")
    after.open(WATCH)
    for seat in (before, after):
        seat.expect(r"the sale is over")
        seat.expect(r"^ 1 lap\b")
    rest(after)
    old = [Counts(seat) for seat in (before, after)]
    begin = time.monotonic()
    bed.pump_until(begin + IDLE)
    new = [Counts(seat) for seat in (before, after)]
    seconds = time.monotonic() - begin
    check(new[1] == old[1], f"an idle view woke up: {new[1]} after {old[1]}")
    writes = new[0].writes - old[0].writes
    check(writes <= seconds + 1, f"one bid grew older {writes} times in {seconds:.1f} s")
    for seat in (before, after):
        seat.press("q")
        seat.expect_left(0)


def rest(seat):
    """Waits until the client sleeps: what it draws last is drawn."""
    deadline = time.monotonic() + PATIENCE
    before = None
    while before != (before := Counts(seat)):
        check(time.monotonic() < deadline, f"{seat.name}: never sleeps")
        seat.bed.pump_until(time.monotonic() + REST)


class Counts:
    """How often a client has written anything and has slept, as the kernel counts it."""

    def __init__(self, seat):
        process = f"/proc/{seat.client()}"
        self.writes = number(f"{process}/io", "syscw")
        self.sleeps = number(f"{process}/status", "voluntary_ctxt_switches")

    def __eq__(self, other):
        return other is not None and vars(self) == vars(other)

    def __repr__(self):
        return f"{self.writes} writes and {self.sleeps} sleeps"


def number(path, name):
    with open(path, encoding="utf-8") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
