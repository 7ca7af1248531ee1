"""Five bids 1.5 s apart reset a clock of 2 s five times; then the hammer falls, once, in time."""

import time

from news import Record, check_answers
from peer import check

TITLE = "the hammer falls 2.0 s after the last bid, within 50 ms"
IS_ALONE = True
"""Its tolerance is small, so no other session runs at the same time."""
SECONDS, SPACING, BIDS = 2.0, 1.5, 5
TOLERANCE = 0.050
PULSE, STALL = 0.005, 0.015
"""How often this process looks at the clock, and how late it may be before it mistrusts itself."""
LOTS = 3


def play(room):
    server = room.serve("--seconds", f"{SECONDS:g}", "--pause", "0.3")
    watcher, alice, bob = (room.connect(name) for name in ("watcher", "alice", "bob"))
    for bidder in (alice, bob):
        bidder.demand(f"name {bidder.name}", r"OK name .+")
    for lot in range(1, LOTS + 1):
        watcher.expect(rf"LOT {lot} lot-{lot}")
        is_last = lot == LOTS
        if is_in_time(*play_lot(room, watcher, (alice, bob), lot), is_last):
            break
    watcher.expect(rf"LOT {lot + 1} lot-{lot + 1}")
    server.stop()
    Record(watcher.lines).check_game()
    check_answers(alice)
    check_answers(bob)


def is_in_time(gap, stall, is_last):
    """Whether the gap is right; a wrong one is a failure unless this process was itself held up."""
    if abs(gap - SECONDS) <= TOLERANCE:
        return True
    check(stall > STALL and not is_last,
          f"the hammer fell {gap:.3f} s after the last bid; this process was late by {stall:.3f} s")
    return False


def play_lot(room, watcher, bidders, lot):
    """Seconds from the last bid to the hammer, and the most this process was late meanwhile."""
    first = len(watcher.lines)
    start = time.monotonic()
    for number in range(BIDS):
        room.pump_until(start + number * SPACING)
        bidders[number % 2].demand(f"bid {number + 1}", rf"OK bid {number + 1}")
    stall = 0.0
    while not any(line.startswith("WINNER ") for line in watcher.lines[first:]):
        before = time.monotonic()
        check(before < start + BIDS * SPACING + 20, "the hammer never falls")
        room.pump(PULSE)
        stall = max(stall, time.monotonic() - before - PULSE)
    heard, times = watcher.lines[first:], watcher.times[first:]
    check_clock(heard, lot)
    last_bid = max(place for place, line in enumerate(heard) if line.startswith("PRICE "))
    hammer = next(place for place, line in enumerate(heard) if line.startswith("WINNER "))
    return times[hammer] - times[last_bid], stall


def check_clock(heard, lot):
    """Fails unless each bid sets the clock back to 2 and the last alone lets it reach 0."""
    one_bid = ["PRICE", "COUNTDOWN 2", "COUNTDOWN 1"]
    expected = one_bid * BIDS + ["COUNTDOWN 0", "WINNER"]
    told = [line if line.startswith("COUNTDOWN ") else line.split()[0] for line in heard]
    check([line for line in told if line not in ("LOT", "JOINED")] == expected,
          f"lot {lot} went {heard}")
