"""Five bids 1.5 s apart reset a countdown of 2 s five times; then the hammer falls, once, in time."""

import time

from checks import check
from game import game_of

TITLE = "the hammer falls 2.0 s after the last bid, within 50 ms"
IS_ALONE = True
"""Its tolerance is small, so no other session runs at the same time."""
SECONDS, SPACING, BIDS = 2.0, 1.5, 5
TOLERANCE = 0.050
PULSE, STALL = 0.005, 0.015
"""How often this process looks at the clock, and how late it may be before it mistrusts itself."""
LOTS = 3


def play(bed):
    server = bed.serve("--seconds", f"{SECONDS:g}", "--pause", "0.3")
    observer, alice, bob = (bed.connect(name) for name in ("observer", "alice", "bob"))
    for bidder in (alice, bob):
        bidder.demand(f"name {bidder.name}", r"OK name .+")
    for lot in range(1, LOTS + 1):
        observer.expect(rf"LOT {lot} lot-{lot}")
        gap, stall = play_lot(bed, observer, (alice, bob))
        if abs(gap - SECONDS) <= TOLERANCE:
            break
        check(stall > STALL and lot < LOTS,
              f"the hammer fell {gap:.3f} s after the last bid; this process was late by {stall:.3f} s")
    observer.expect(rf"LOT {lot + 1} lot-{lot + 1}")
    server.stop()
    game_of(observer.lines, int(SECONDS))


def play_lot(bed, observer, bidders):
    """Seconds from the last bid to the hammer, and the most that this process was late meanwhile."""
    first, start = len(observer.lines), time.monotonic()
    for number in range(BIDS):
        bed.pump_until(start + number * SPACING)
        bidders[number % 2].demand(f"bid {number + 1}", rf"OK bid {number + 1}")
    stall = 0.0
    while not any(line.startswith("WINNER ") for line in observer.lines[first:]):
        before = time.monotonic()
        check(before < start + BIDS * SPACING + 20, "the hammer never falls")
        bed.pump(PULSE)
        stall = max(stall, time.monotonic() - before - PULSE)
    words = [line.split()[0] if line.startswith(("PRICE", "WINNER")) else line for line in observer.lines[first:]
             if line.startswith(("PRICE", "COUNTDOWN", "WINNER"))]
    expected = ["PRICE", "COUNTDOWN 2", "COUNTDOWN 1"] * BIDS + ["COUNTDOWN 0", "WINNER"]
    check(words == expected, f"the lot went {words}")
    times = {line.split()[0]: at for line, at in zip(observer.lines[first:], observer.times[first:])}
    return times["WINNER"] - times["PRICE"], stall
