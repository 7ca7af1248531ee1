"""A server that is stopped for seconds and goes on: nobody could bid, so nothing may be sold."""

import contextlib
import re
import signal
import time

from clock import own_delay
from control import Control
from peer import check

TITLE = "standstill: SIGSTOP for 3 s, and no lot is sold without a full countdown after it"
SECONDS = 2
STOPPED = 3.0
SLACK = 0.1
"""What the line before may have been on its way for longer than the one that is measured."""


def play_alone(room):
    server = room.serve("--seconds", str(SECONDS), "--pause", "60", limits=())
    watcher, alice, bob = (room.connect(name) for name in ("watcher", "alice", "bob"))
    for peer in (alice, bob):
        peer.demand(f"name {peer.name}", r"OK name .+")
    alice.demand("bid 10", r"OK bid 10")
    watcher.expect(rf"COUNTDOWN {SECONDS}")
    stand_still(room, server)
    watcher.expect(rf"COUNTDOWN {SECONDS}")
    # What was said meanwhile counts, and begins a countdown of its own.
    bob.demand("bid 20", r"OK bid 20")
    watcher.expect(r"PRICE 20 bob .+")
    told = watcher.times[-1]
    check_sold(room, server, watcher, told, "bob 20")
    server.stop()
    play_silent(room)


def play_silent(room):
    """And if nobody says anything, who led before has won after the full seconds."""
    server = room.serve("--seconds", str(SECONDS), "--pause", "60", limits=())
    watcher, alice = room.connect("watcher"), room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 10", r"OK bid 10")
    watcher.expect(rf"COUNTDOWN {SECONDS - 1}")
    first = len(watcher.lines)
    stand_still(room, server)
    went_on = time.monotonic()
    watcher.expect(rf"COUNTDOWN {SECONDS}")
    check_sold(room, server, watcher, watcher.times[-1], "alice 10")
    heard = [line for line in watcher.lines[first:] if not line.startswith("GOING")]
    counts = [line for line in heard if line.startswith("COUNTDOWN")]
    check(counts == [f"COUNTDOWN {left}" for left in range(SECONDS, -1, -1)],
          f"after standing still the server said {heard}")
    passed = watcher.times[-1] - went_on
    check(passed >= SECONDS - SLACK, f"sold {passed:.2f} s after standing still")
    server.stop()


def stand_still(room, server):
    server.process.send_signal(signal.SIGSTOP)
    room.pump_until(time.monotonic() + STOPPED)
    server.process.send_signal(signal.SIGCONT)


def check_sold(room, server, watcher, told, winner):
    """The hammer falls a full countdown after the moment at which it began, and in time."""
    with contextlib.closing(Control(server.process.pid, room.folder)) as control:
        watcher.expect(rf"WINNER {re.escape(winner)} .+")
        excuses = control.end()
    passed = watcher.times[-1] - told
    check(passed >= SECONDS - SLACK, f"sold {passed:.2f} s after the countdown was told")
    own_delay("the hammer", told + SECONDS, told + passed, excuses)
