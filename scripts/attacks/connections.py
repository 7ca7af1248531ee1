"""Attacks by connections: readers that do not read, resets, newcomers, and more than there is room for."""

import dataclasses
import functools
import time

from attackers import Attacker, Crowd, connect, read
from checks import check
from harness import KERNEL_MEMORY, LAYERS, OUTPUT_BYTES, Attack, Plan
from machine import FORK, figures
from peer import PATIENCE, reset

SECONDS = 3.2

SILENT_COUNT = 300
STALL_SECONDS, REST = 3, 1.0
"""After how many seconds without reading a client is closed, and how long all stay after they have sent enough."""
ALL_OUTPUT_MIB, SLACK_MIB = 2, 8


def vary_silent_readers(attack, variant):
    """With the limit of each connection, and with a smaller one for all connections together."""
    kept = ALL_OUTPUT_MIB if "--all-output-bytes" in variant else SILENT_COUNT * OUTPUT_BYTES >> 20
    return dataclasses.replace(attack, flags=(*attack.flags, *variant), memory=kept + SLACK_MIB)


def ask_and_never_read(may_leave, address):
    attacker = Attacker(address, "laps", "json", "here")
    crowd = Crowd(None, 0, lambda number: attacker.commands(), reads=False)
    for _ in range(SILENT_COUNT):
        crowd.add(lambda: attacker.enter(receive_bytes=4096))
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.flood(SECONDS)
    check(may_leave.wait(3 * PATIENCE), "nobody says that the silent may leave")
    crowd.leave(abruptly=True)


def play_silent_readers(harness):
    may_leave = FORK.Event()
    harness.start(functools.partial(ask_and_never_read, may_leave))
    harness.play_for(SECONDS + REST)
    if "--stall-seconds" in harness.attack.flags:
        deadline = time.monotonic() + PATIENCE
        while (left := figures(harness.pid).descriptors - harness.before.descriptors) > 0:
            check(time.monotonic() < deadline, f"{left} are still connected that do not read")
            harness.play_for(0.1)
    may_leave.set()
    harness.join()


RESETS = 2500
COMMANDS = (b"", b"", b"bid", b"ping\n", b"help\nwho\nstatus\n", b"\xff", b"GET / HTTP/1.1\r\n", b"format json\nlaps\n")


def connect_and_reset(address):
    for number in range(RESETS):
        connection = connect(address)
        connection.sendall(COMMANDS[number % len(COMMANDS)])
        reset(connection)
        time.sleep(0.001)  # So that there are enough bids meanwhile to be judged.


ARRIVALS_PER_SECOND, ARRIVAL_SECONDS, STAYING = 400, 5.0, 40


def arrive_and_leave(address):
    """Each stays connected for a tenth of a second."""
    start, present = time.monotonic(), []
    for number in range(int(ARRIVALS_PER_SECOND * ARRIVAL_SECONDS)):
        time.sleep(max(0, start + number / ARRIVALS_PER_SECOND - time.monotonic()))
        present.append(connect(address))
        if len(present) > STAYING:
            present.pop(0).close()
    for connection in present:
        connection.close()


ROOM, CROWD = 100, 1000


def crowd_in(address):
    """A thousand connect where there is room for a hundred; then one after the other tries again."""
    connections = [connect_and_ask(address) for _ in range(CROWD)]
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        refused = connect_and_ask(address)
        received = read(refused)
        check(received.endswith(b"BYE full\n"), f"where there is no room a client received {received!r}")
        refused.close()
    for connection in connections:
        connection.close()


def connect_and_ask(address):
    """A silent connection would make room for the next."""
    connection = connect(address)
    connection.sendall(b"ping\n")
    return connection


ATTACKS = (
    Attack("silent_readers", "300 ask for 985 laps in JSON, eight at once, and never read",
           flags=("--self-raise", "allow"), sockets=KERNEL_MEMORY,
           plan=Plan(seconds=3, layers=LAYERS, has_one_lot=True), vary=vary_silent_readers,
           VARIANTS=(("--stall-seconds", str(STALL_SECONDS)), ("--all-output-bytes", str(ALL_OUTPUT_MIB << 20))),
           play=play_silent_readers),
    Attack("resets", "5,000 connect and reset, and 400 a second come and go",
           (connect_and_reset, connect_and_reset, arrive_and_leave), ("--threads", "2"), plan=Plan(bidding=2.0)),
    Attack("crowded", "1,000 connect where there is room for 100, some again and again", (crowd_in,),
           ("--connections", str(ROOM))),
)
