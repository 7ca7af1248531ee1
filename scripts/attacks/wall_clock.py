"""A wall clock that is moved while a countdown runs: it is only ever printed."""

import calendar
import contextlib
import glob
import json
import os
import time

from clock import own_delay
from control import Control
from peer import check

TITLE = "wall clock: moved by an hour and by a year, both ways, while countdowns run"
NEEDS = ("faketime",)
SECONDS = 2
HOUR, YEAR = 3600, 366 * 86_400
MOVES = (HOUR, -HOUR, YEAR, -YEAR)
EARLY = 0.15
"""How much sooner than due a hammer may seem to fall to us."""


def play_alone(room):
    """Between the bid and the hammer of each lot the clock is moved."""
    clock, folder = os.path.join(room.folder, "clock"), os.path.join(room.folder, "data")
    move(clock, 0)
    library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    check(library, "faketime has no library")
    server = room.serve(
        "--seconds", str(SECONDS), "--pause", "0", "--data", folder, limits=(),
        # The library puts a variable of its own into the environment where it is not yet, behind
        # which a program of Swift does not find its arguments: the inner env has it put there.
        through=("env", f"LD_PRELOAD={library[0]}", f"FAKETIME_TIMESTAMP_FILE={clock}",
                 "FAKETIME_NO_CACHE=1", "DONT_FAKE_MONOTONIC=1", "env"))
    alice, teller = room.connect("alice"), room.connect("teller")
    teller.demand("format json", r"OK format json")
    alice.demand("name alice", r"OK name .+")
    for lot, seconds in enumerate(MOVES, start=1):
        alice.expect(rf"LOT {lot} .+")
        alice.demand("bid 10", r"OK bid 10")
        alice.expect(rf"COUNTDOWN {SECONDS}")
        told = alice.times[-1]
        alice.expect(rf"COUNTDOWN {SECONDS - 1}")
        with contextlib.closing(Control(server.process.pid, room.folder)) as control:
            move(clock, seconds)
            alice.expect(r"WINNER alice .+")
            excuses = control.end()
        passed = alice.times[-1] - told
        check(passed >= SECONDS - EARLY,
              f"with a clock moved by {seconds} s the hammer fell after {passed:.2f} s")
        own_delay(f"with a clock moved by {seconds} s the hammer", told + SECONDS, told + passed, excuses)
        check_moved(teller, seconds)
        move(clock, 0)
    server.stop()
    checked = room.run_server("--check", folder)
    check(checked.exit_code() == 0, f"--check: {checked.errors.lines}")


def move(clock, seconds):
    """Moves the clock, at once for whoever looks."""
    draft = clock + ".new"
    with open(draft, "w", encoding="ascii") as file:
        file.write(f"{seconds:+d}\n")
    os.replace(draft, clock)


def check_moved(teller, seconds):
    """The time of day that is printed did move, or this would prove nothing."""
    line = teller.expect(r'.*"type":"winner".*')
    printed = json.loads(line)["time"]
    stated = calendar.timegm(time.strptime(printed[:19], "%Y-%m-%dT%H:%M:%S"))
    check(abs(stated - time.time() - seconds) < 60, f"the clock was not moved: {printed}")
