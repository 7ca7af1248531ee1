"""A thousand rooms: what they cost in memory, and that each is where it was after the server was killed."""

import os
import re
import time

from checks import check

TITLE = "a thousand quiet rooms take little memory, and all of them continue after a kill"
ROOMS, BIDS, SAMPLE = 1000, 100, 50
MOST_BYTES = 10_000_000
"""What the quiet rooms may add to the resident memory, all together."""
FLAGS = ("--seconds", "3600", "--self-raise", "allow", "--rooms", str(ROOMS + 1), "--rooms-per-address", "none",
         "--room-idle", "none", "--log-level", "warning")


def play(testbed):
    folder = os.path.join(testbed.folder, "journal")
    server = testbed.serve(*FLAGS, "--data", folder)
    alice = testbed.connect("alice")
    alice.request("name alice", r"OK name .+")
    # The memory that a server needs for its first news, answers and room.
    alice.request("join main", r"OK join main")
    before = resident_bytes(server)
    for number in range(ROOMS):
        alice.request(f"open room-{number} step=1", rf"OK open room-{number} .+")
    growth = resident_bytes(server) - before
    check(growth < MOST_BYTES, f"{ROOMS} quiet rooms take {growth} bytes")
    for number in range(ROOMS):
        alice.send("".join((f"join room-{number}\n", *(f"bid {price}\n" for price in range(1, BIDS + 1)))).encode())
        alice.expect(rf"OK bid {BIDS}")
    server.kill()
    begun = time.monotonic()
    testbed.serve(*FLAGS, "--data", folder)
    testbed.record("recovery", "took", [f"{time.monotonic() - begun:.3f} s"])
    check_rooms(testbed)


def check_rooms(testbed):
    """Every room is listed, and in some of them the price is the last one that was accepted."""
    bob = testbed.connect("bob")
    bob.request("rooms", rf"OK rooms {ROOMS + 1}")
    for number in range(0, ROOMS, ROOMS // SAMPLE):
        bob.send(f"join room-{number}\n".encode())
        bob.expect(rf"PRICE {BIDS} alice .+ {BIDS}")
        bob.expect(rf"OK join room-{number}")


def resident_bytes(server):
    """The resident memory of the server's process."""
    with open(f"/proc/{server.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) * 1024
