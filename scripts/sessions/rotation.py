"""A journal that outgrows its segment goes on in another, and recovery needs the newest alone."""

import os
import re

from peer import check
from room import HOST

TITLE = "a full segment is followed by another, from which alone a server goes on"
PROGRAMS = ("bench",)
SEGMENT_BYTES = 64 << 20
STORMS = 30


def play(room):
    folder = os.path.join(room.folder, "journal")
    server = room.serve("--data", folder, "--seconds", "60", "--self-raise", "allow")
    storm(room, folder)
    alice = room.connect("alice")
    count = int(alice.demand("laps", r"OK laps \d+").split()[-1])
    newest = [line for line in alice.lines if line.startswith("LAP ")]
    server.process.kill()
    server.exit_code()
    check_sizes(folder)
    summary = look(room, folder)
    check(re.match(rf"sound: events 1 to \d+ in \d segments; .* {count} bids", summary), summary)
    for name in segments(folder)[:-1]:
        os.remove(os.path.join(folder, name))
    first = int(segments(folder)[0].split(".")[0])
    summary = look(room, folder)
    check(re.match(rf"sound: events {first} to \d+ in 1 segment; .* {count} bids", summary), summary)
    go_on(room, folder, count, newest)


def storm(room, folder):
    """Bids until a second segment has begun."""
    for _ in range(STORMS):
        bench = room.spawn("bench", room.bench_path, "bids", "--host", HOST,
                           "--port", str(room.port), "--outstanding", "4096", "--seconds", "1")
        check(bench.exit_code() == 0, f"the storm failed: {bench.errors.lines}")
        if len(segments(folder)) > 1:
            return
    check(False, f"no second segment after {STORMS} s: {segments(folder)}")


def segments(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".journal"))


def check_sizes(folder):
    size = os.path.getsize(os.path.join(folder, segments(folder)[0]))
    check(SEGMENT_BYTES <= size < 1.1 * SEGMENT_BYTES, f"the full segment has {size} bytes")


def look(room, folder):
    """What --check says of the folder."""
    server = room.run_server("--check", folder)
    check(server.exit_code() == 0, f"--check: {server.errors.lines}")
    return server.lines[0]


def go_on(room, folder, count, newest):
    """A new server knows the price, the number of bids, and the newest of them."""
    server = room.serve("--data", folder, "--seconds", "60", "--self-raise", "allow")
    check(f"{count} bids" in server.errors.lines[0], server.errors.lines[0])
    bob = room.connect("bob")
    bob.demand("laps", rf"OK laps {count}")
    laps = [line for line in bob.lines if line.startswith("LAP ")]
    check(laps == newest, f"the newest bids are {laps}, and were {newest}")
    bob.demand("name bob", r"OK name bob .+")
    bob.demand(f"bid {count + 1}", rf"OK bid {count + 1}")
    bob.expect(rf"PRICE {count + 1} bob \S+ {count + 1}")
    server.stop()
