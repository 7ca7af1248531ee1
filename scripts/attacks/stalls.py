"""A disk that is slow, or whose sync hangs for longer than a countdown: no lot is sold in silence."""

import contextlib
import os
import shutil
import subprocess
import time

from checks import Late, check
from harness import Attack
from timing import IN_TIME, TOLERANCE

SECONDS, STALL = 3, 7.0
"""The countdown, and how long a sync hangs: for longer, counted from its last second but one."""
SLOW = 0.3
"""How long each sync takes on a slow disk."""
THREADS = "1", "3"


class Disk:
    """What makes the syncs of a server slow."""

    def __init__(self, folder):
        library, self._file = os.path.join(folder, "stall.so"), os.path.join(folder, "stall")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stall.c")
        compiler = shutil.which("cc") or "clang"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        self.through = "env", f"LD_PRELOAD={library}", f"STALL_FILE={self._file}"

    @contextlib.contextmanager
    def slow(self, milliseconds=""):
        """Each sync takes this much longer, or hangs until the end."""
        with open(self._file + ".new", "w", encoding="ascii") as file:
            file.write(str(milliseconds))
        os.rename(self._file + ".new", self._file)
        try:
            yield
        finally:
            os.remove(self._file)


def play(testbed):
    """Returns notes."""
    disk, notes = Disk(testbed.folder), []
    for threads in THREADS:
        folder = os.path.join(testbed.folder, f"data-{threads}")
        server = testbed.serve("--data", folder, "--seconds", str(SECONDS), "--pause", "0.2", "--threads", threads,
                               through=disk.through)
        bidders = [testbed.connect(name) for name in ("alice", "bob")]
        for bidder in bidders:
            bidder.request(f"name {bidder.name}", r"OK name \w+ .+")
        observer = testbed.connect("observer")
        bid_in_a_stall(testbed, disk, *bidders, observer)
        left = sell_after_a_stall(testbed, disk, observer)
        lasts = sell_on_a_slow_disk(disk, bidders[0], observer)
        notes.append(f"{threads} threads: the last second lasted {left:.2f} s, {SECONDS} of a slow disk {lasts:.2f} s")
        server.stop()
        testbed.run_server("--check", folder).check_exit(0)
    return notes


def bid_in_a_stall(testbed, disk, alice, bob, observer):
    """A bid after the time of all seconds is in time, because only the first of them were told."""
    alice.request("bid 5", "OK bid 5")
    stall(testbed, disk, observer, then=lambda: bob.send_lines("bid 6 lot=1"))
    answer = bob.answer()
    check(answer == "OK bid 6", f"a bid after {SECONDS - 1} was told, and before the next, was answered {answer!r}")
    observer.expect(r"PRICE 6 bob .+")


def sell_after_a_stall(testbed, disk, observer) -> float:
    """Returns how long the last second was."""
    stall(testbed, disk, observer)
    observer.expect(r"WINNER bob 6 .+")
    return check_told(observer)


def sell_on_a_slow_disk(disk, alice, observer) -> float:
    """The seconds are longer, and the lot is sold; returns how long they were."""
    observer.expect("LOT 2 .+")
    with disk.slow(milliseconds=int(SLOW * 1000)):
        alice.request("bid 7", "OK bid 7")
        price = observer.expect(r"PRICE 7 alice .+")
        winner = observer.expect(r"WINNER alice 7 .+")
        check_told(observer)
    return observer.times[observer.lines.index(winner)] - observer.times[observer.lines.index(price)]


def stall(testbed, disk, observer, then=lambda: None):
    """Has a sync hang from the first second of the countdown on, does something near its end, and waits until all is told."""
    observer.expect(f"COUNTDOWN {SECONDS - 1}")
    told = len(observer.lines)
    with disk.slow():
        testbed.pump_until(time.monotonic() + STALL - 0.5)
        if len(observer.lines) > told:
            raise Late("the disk hung too late", *observer.lines[told:])
        then()
        testbed.pump_until(time.monotonic() + 0.5)


def check_told(observer) -> float:
    """Nobody had less than the announced time between a second and the winner; returns the time after the last second."""
    end = max(place for place, line in enumerate(observer.lines) if line.startswith("WINNER "))
    left = 0.0
    for place in range(end - 1, 0, -1):
        word, _, rest = observer.lines[place].partition(" ")
        if word == "PRICE":
            break
        if word == "COUNTDOWN" and rest != "0":
            passed = observer.times[end] - observer.times[place]
            left = left or passed
            # The line may come late, like any other.
            check(passed >= int(rest) - TOLERANCE - IN_TIME, f"the winner came {passed:.3f} s after {observer.lines[place]}",
                  *observer.lines[place:end + 1])
    return left


ATTACK = Attack("stalls", f"syncs that hang for {STALL:g} s with a countdown of {SECONDS} s, and that take {SLOW:g} s each",
                play_alone=play, NEEDS=("cc",))
