"""A process that may open no more files: it serves those who are in, and the journal goes on."""

import os
import time

from clock import follow
from control import Control
from machine import figures, share_of_a_core
from peer import check
from storm import HOST, dial, hear

TITLE = "file limit: 64 descriptors, and 100 who want one, while the journal begins a new segment"
NEEDS = ("prlimit",)
LIMIT = 64
COUNT = 100
KEPT_BYTES = 32 << 20
"""With this limit a segment is full at a quarter of it, and not at 64 MiB."""
STORM_SECONDS = 300
"""At most: it is over when the segment is full."""
(LEAST_BYTES, IN_SECONDS) = (1 << 20, 15)
"""A disk may be slow, but in so much time the journal grows by so much, while somebody bids; the
countdown alone is a thousandth of that."""
SECONDS = 3
"""The countdown."""
BUSY_SHARE = 0.2
"""Of a core, while many wait at the door; whoever spins takes all of one."""


def play_alone(room):
    """First the door, in peace; then the journal, under a bidder who fills a segment."""
    folder = os.path.join(room.folder, "data")
    server = room.serve("--data", folder, "--seconds", str(SECONDS), "--pause", "0.2",
                        "--self-raise", "allow", "--keep-bytes", str(KEPT_BYTES),
                        limits=("--line-rate", "none"),
                        through=("prlimit", f"--nofile={LIMIT}:{LIMIT}"))
    alice = room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    callers = fill(room, server.process.pid)
    share = share_of_a_core(server.process.pid, lambda seconds: pump(room, seconds))
    check(share <= BUSY_SHARE, f"it takes {share:.0%} of a core while {COUNT} want to get in")
    late = sell(alice, server.process.pid, room.folder)
    leave(callers, alice, room)

    bench = room.spawn("bench", room.bench_path, "bids", "--host", HOST, "--port", str(room.port),
                       "--outstanding", "4096", "--seconds", str(STORM_SECONDS))
    alice.expect(r"JOINED bench-1")
    alice.pause()
    callers = fill(room, server.process.pid)
    seconds = fill_segment(room, folder, server, bench)
    bench.close()
    alice.resume()
    leave(callers, alice, room)
    server.stop()
    checked = room.run_server("--check", folder)
    check(checked.exit_code(60) == 0, f"--check: {checked.errors.lines}")
    return [f"{share:.0%} of a core at the door", f"clock at most {late * 1e3:.0f} ms late", f"the segment was full after {seconds:.1f} s"]


def fill(room, pid):
    """Has more people come than there are descriptors."""
    callers = [dial((HOST, room.port)) for _ in range(COUNT)]
    pump(room, 0.5)
    count = figures(pid).descriptors
    check(count <= LIMIT, f"{count} descriptors are open")
    return callers


def sell(alice, pid, folder):
    """Sells a lot while many wait at the door; by how much its countdown was late."""
    control = Control(pid, folder)
    first = len(alice.lines)
    try:
        alice.demand("bid 5", r"OK bid 5")
        alice.expect(r"WINNER alice 5 .+")
        excuses = control.end()
    finally:
        control.close()
    return follow(SECONDS, alice.lines[first:], alice.times[first:]).judge(excuses)


def fill_segment(room, folder, server, bench):
    """Waits until the journal has begun a second segment; the seconds that took."""
    start = since = time.monotonic()
    size = journal_bytes(folder)
    while len(segments(folder)) < 2:
        check(not bench.has_ended, f"the bidder ended: {bench.errors.lines}, "
              f"the server: {server.errors.lines[-2:]}")
        pump(room, 0.2)
        if time.monotonic() - since > IN_SECONDS:
            before, size = size, journal_bytes(folder)
            since = time.monotonic()
            check(size - before >= LEAST_BYTES,
                  f"the journal grew by {size - before} bytes in {IN_SECONDS} s, and bids go on")
    return time.monotonic() - start


def segments(folder):
    return [name for name in os.listdir(folder) if name.endswith(".journal")]


def journal_bytes(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in segments(folder))


def leave(callers, alice, room):
    """Everybody goes, and whoever comes now gets in."""
    for caller in callers:
        caller.close()
    deadline = time.monotonic() + 10
    while True:
        caller = dial((HOST, room.port))
        heard = hear(caller, lambda data: b"\n" in data)
        caller.close()
        if heard.startswith(b"HELLO "):
            break
        check(time.monotonic() < deadline, f"a newcomer heard {heard!r}")
    alice.demand("ping", r"OK ping")


def pump(room, seconds):
    room.pump_until(time.monotonic() + seconds)
