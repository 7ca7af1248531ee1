"""What a thousand rooms cost in memory."""

from checks import check
from machine import figures

TITLE = "a thousand quiet rooms take little memory"
ROOMS = 1000
MOST_BYTES = 10_000_000
"""What the quiet rooms may add to the resident memory, all together."""


def play(testbed):
    server = testbed.serve("--rooms", str(ROOMS + 1), "--room-idle", "none", "--log-level", "warning")
    alice = testbed.bidder("alice")
    # The memory that a server needs for its first news, answers and room.
    alice.request("join main", r"OK join main")
    before = figures(server.pid).memory
    for number in range(ROOMS):
        alice.request(f"open room-{number} step=1", rf"OK open room-{number} .+")
    growth = figures(server.pid).memory - before
    check(growth < MOST_BYTES, f"{ROOMS} quiet rooms take {growth} bytes")
