"""What the machine does to a server: no more files, SIGSTOP, a wall clock that is moved."""

import calendar
import contextlib
import glob
import json
import os
import signal
import time

from attackers import connect, read
from checks import check
from harness import Attack
from judge import game_of_observer
from machine import Control, figures, share_of_a_core
from programs import HOST
from timing import check_times, own_delay

FILES, CALLERS = 64, 100
KEPT_BYTES = 32 << 20
"""With this limit a segment is full at a quarter of it, and not at 64 MiB."""
LEAST_BYTES, IN_SECONDS = 1 << 20, 15
"""A disk may be slow, but in this time the journal grows by this much while somebody bids."""
BUSY_SHARE = 0.2
"""Of a core, while many wait to be accepted."""


def run_out_of_files(testbed):
    """First the listener, in peace; then the journal, under a bidder who fills a segment."""
    folder = os.path.join(testbed.folder, "data")
    server = testbed.serve("--data", folder, "--seconds", "3", "--pause", "0.2", "--self-raise", "allow",
                       "--keep-bytes", str(KEPT_BYTES), limits=("--line-rate", "none"),
                       through=("prlimit", f"--nofile={FILES}:{FILES}"))
    alice = testbed.connect("alice")
    alice.send(b"format json\nstatus\nname alice\n")
    alice.expect(r'.*"joined".*')
    callers = fill(testbed, server.pid)
    share = share_of_a_core(server.pid, lambda seconds: testbed.pump_until(time.monotonic() + seconds))
    check(share <= BUSY_SHARE, f"it takes {share:.0%} of a core while {CALLERS} want to get in")
    with contextlib.closing(Control(server.pid, testbed.folder)) as control:
        alice.send(b"bid 5\n")
        alice.expect(r'.*"winner".*')
        late = check_times(alice.connection, game_of_observer(alice.connection, 3), control.end())
    leave(testbed, callers, alice)

    bench = testbed.spawn("bench", testbed.bench_path, "bids", "--host", HOST, "--port", str(testbed.port),
                      "--outstanding", "4096", "--seconds", "300")
    alice.expect(r'.*"joined".*"bench-1".*')
    alice.pause()
    callers = fill(testbed, server.pid)
    fill_segment(testbed, folder, server, bench)
    bench.close()
    alice.resume()
    leave(testbed, callers, alice)
    server.stop()
    testbed.run_server("--check", folder).check_exit(0)
    return [f"{share:.0%} of a core", f"clock at most {max(own for _, own, _ in late) * 1e3:.0f} ms late"]


def fill(testbed, pid):
    """Has more clients connect than there are descriptors."""
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
    """When the others leave, newcomers get in."""
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


SECONDS, STOPPED = 2, 3.0
EARLY = 0.15
"""How much sooner than due a line may seem to come, for the line before may have been on its way longer."""


def stand_still(testbed):
    """Nobody could bid meanwhile, so the countdown begins again."""
    server = testbed.serve("--seconds", str(SECONDS), "--pause", "60", limits=())
    observer, alice = testbed.connect("observer"), testbed.connect("alice")
    alice.request("name alice", r"OK name .+")
    alice.request("bid 10", r"OK bid 10")
    observer.expect(rf"COUNTDOWN {SECONDS - 1}")
    first = len(observer.lines)
    server.process.send_signal(signal.SIGSTOP)
    testbed.pump_until(time.monotonic() + STOPPED)
    server.process.send_signal(signal.SIGCONT)
    observer.expect(rf"COUNTDOWN {SECONDS}")
    check_hammer(testbed, server, observer, "after standing still the hammer")
    counts = [line for line in observer.lines[first:] if line.startswith("COUNTDOWN")]
    check(counts == [f"COUNTDOWN {left}" for left in range(SECONDS, -1, -1)],
          f"after standing still the server sent {observer.lines[first:]}")
    server.stop()


def check_hammer(testbed, server, observer, what, meanwhile=lambda: None):
    """The hammer falls a full countdown after the line that came last, not sooner and in time."""
    start = observer.times[-1]
    with contextlib.closing(Control(server.pid, testbed.folder)) as control:
        meanwhile()
        observer.expect(r"WINNER .+")
        delays = control.end()
    passed = observer.times[-1] - start
    check(passed >= SECONDS - EARLY, f"{what} fell after {passed:.2f} s")
    own_delay(what, start + SECONDS, start + passed, delays)


HOUR, YEAR = 3600, 366 * 86_400
MOVES = (HOUR, -HOUR, YEAR, -YEAR)


def move_the_clock(testbed):
    """Between the bid and the hammer of each lot the wall clock is moved, which is only ever printed."""
    clock, folder = os.path.join(testbed.folder, "clock"), os.path.join(testbed.folder, "data")
    set_clock(clock, 0)
    library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    check(library, "faketime has no library")
    server = testbed.serve(
        "--seconds", str(SECONDS), "--pause", "0", "--data", folder, limits=(),
        # The library adds a variable to the environment where it is missing, after which a Swift program does
        # not find its arguments. The inner env has it added before.
        through=("env", f"LD_PRELOAD={library[0]}", f"FAKETIME_TIMESTAMP_FILE={clock}",
                 "FAKETIME_NO_CACHE=1", "DONT_FAKE_MONOTONIC=1", "env"))
    alice, in_json = testbed.connect("alice"), testbed.connect("in JSON")
    in_json.request("format json", r"OK format json")
    alice.request("name alice", r"OK name .+")
    for lot, seconds in enumerate(MOVES, start=1):
        alice.expect(rf"LOT {lot} .+")
        alice.request("bid 10", r"OK bid 10")
        alice.expect(rf"COUNTDOWN {SECONDS}")
        check_hammer(testbed, server, alice, f"with a clock moved by {seconds} s the hammer",
                     lambda seconds=seconds: set_clock(clock, seconds))
        printed = json.loads(in_json.expect(r'.*"type":"winner".*'))["time"]
        stated = calendar.timegm(time.strptime(printed[:19], "%Y-%m-%dT%H:%M:%S"))
        check(abs(stated - time.time() - seconds) < 60, f"the clock was not moved: {printed}")
        set_clock(clock, 0)
    server.stop()
    testbed.run_server("--check", folder).check_exit(0)


def set_clock(clock, seconds):
    """Moves the clock in one step."""
    with open(clock + ".new", "w", encoding="ascii") as file:
        file.write(f"{seconds:+d}\n")
    os.replace(clock + ".new", clock)


ATTACKS = (
    Attack("file_limit", "64 descriptors and 100 clients, while the journal begins a new segment",
           play_alone=run_out_of_files, NEEDS=("prlimit",)),
    Attack("standstill", "SIGSTOP for 3 s, and nothing is sold without a full countdown after it",
           play_alone=stand_still),
    Attack("wall_clock", "a wall clock moved by an hour and by a year, both ways, while countdowns run",
           play_alone=move_the_clock, NEEDS=("faketime",)),
)
