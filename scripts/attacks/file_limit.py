"""More clients than file descriptors: first in peace, then while a bidder fills a segment of the journal."""

import contextlib
import glob
import os
import time

from attackers import connect, read
from checks import check
from harness import Attack
from machine import Control, figures, share_of_a_core
from programs import HOST
from timing import check_times

FILES, CALLERS = 64, 100
KEPT_BYTES = 32 << 20
"""With this limit a segment is full at a quarter of it, and not at 64 MiB."""
LEAST_BYTES, IN_SECONDS = 1 << 20, 15
"""A disk may be slow, but in this time the journal grows by this much while somebody bids."""
BUSY_SHARE = 0.2
"""Of a core, while many wait to be accepted."""


def play(testbed):
    """Returns notes."""
    folder = os.path.join(testbed.folder, "data")
    server = testbed.serve("--data", folder, "--seconds", "3", "--pause", "0.2", "--self-raise", "allow",
                           "--keep-bytes", str(KEPT_BYTES), limits=("--line-rate", "none"),
                           through=("prlimit", f"--nofile={FILES}:{FILES}"))
    alice = testbed.connect("alice")
    alice.send(b"format json\nstatus\nname alice\n")
    alice.expect(r'.*"joined".*')
    callers = use_all_descriptors(testbed, server.pid)
    share = share_of_a_core(server.pid, lambda seconds: testbed.pump_until(time.monotonic() + seconds))
    check(share <= BUSY_SHARE, f"it takes {share:.0%} of a core while {CALLERS} want to get in")
    with contextlib.closing(Control(server.pid, testbed.folder)) as control:
        alice.send(b"bid 5\n")
        alice.expect(r'.*"winner".*')
        late = check_times(alice.connection, control.end())
    leave(testbed, callers, alice)

    bench = testbed.spawn("bench", testbed.bench_path, "bids", "--port", str(testbed.port),
                          "--outstanding", "4096", "--seconds", "300")
    alice.expect(r'.*"joined".*"bench-1".*')
    alice.pause()
    callers = use_all_descriptors(testbed, server.pid)
    fill_segment(testbed, folder, server, bench)
    bench.close()
    alice.resume()
    leave(testbed, callers, alice)
    server.stop()
    testbed.run_server("--check", folder).check_exit(0)
    return [f"{share:.0%} of a core", f"clock at most {max(own for _, own, _ in late) * 1e3:.0f} ms late"]


def use_all_descriptors(testbed, pid):
    callers = [connect((HOST, testbed.port)) for _ in range(CALLERS)]
    testbed.pump_until(time.monotonic() + 0.5)
    count = figures(pid).descriptors
    check(count <= FILES, f"{count} descriptors are open")
    return callers


def fill_segment(testbed, folder, server, bench):
    """Waits until the journal has begun a second segment."""
    def sizes():
        return [os.path.getsize(path) for path in glob.glob(os.path.join(folder, "*.journal"))]

    since, size = time.monotonic(), sum(sizes())
    while len(sizes()) < 2:
        check(not bench.has_ended, f"the bidder ended: {bench.errors.lines}", *server.errors.lines[-2:])
        testbed.pump_until(time.monotonic() + 0.2)
        if time.monotonic() - since > IN_SECONDS:
            before, size, since = size, sum(sizes()), time.monotonic()
            check(size - before >= LEAST_BYTES, f"the journal grew by {size - before} bytes in {IN_SECONDS} s")


def leave(testbed, callers, alice):
    """When the callers leave, newcomers get in."""
    for caller in callers:
        caller.close()
    deadline = time.monotonic() + 10
    while True:
        caller = connect((HOST, testbed.port))
        received = read(caller, lambda data: b"\n" in data)
        caller.close()
        if received.startswith(b"HELLO "):
            break
        check(time.monotonic() < deadline, f"a newcomer received {received!r}")
    alice.send(b"#back ping\n")
    alice.expect(r'.*"tag":"back".*')


ATTACK = Attack("file_limit", "64 descriptors and 100 clients, while the journal begins a new segment",
                play_alone=play, NEEDS=("prlimit",), PROGRAMS=("bench",))
