"""A bid every millisecond from four connections, while a hundred watchers come and go."""

import time

from news import Record, bids, check_answers
from peer import check

TITLE = "a bid every millisecond while a hundred watchers come and go"
BIDS, SPACING = 3000, 0.001
WATCHERS = 100
STAY = 500
"""For how many bids a watcher stays who does not stay to the end."""


def play(room):
    server = room.serve("--seconds", "60", "--lot", "Vase")
    first = room.connect("first")
    first.expect(r"LOT 1 Vase")
    bidders = [room.connect(name) for name in ("alice", "bob", "carol", "dave")]
    for bidder in bidders:
        bidder.demand(f"name {bidder.name}", r"OK name .+")
    staying, gone = play_bids(room, bidders)

    for bidder in bidders:
        room.wait(lambda: len(bidder.answers()) == bidder.commands, f"{bidder.name}: answers lack")
    server.stop()
    for peer in (first, *bidders, *staying):
        peer.expect("BYE shutdown")
        peer.expect_end()
    check_all(first, bidders, staying, gone)


def play_bids(room, bidders):
    """Those watchers who stay to the end, and those who went."""
    staying, visiting, gone = [], [], []
    start = time.monotonic()
    for number in range(BIDS):
        room.pump_until(start + number * SPACING)
        room.pump(0)
        bidders[number % len(bidders)].say(f"bid {number + 1}")
        if number % (BIDS // WATCHERS) == 0:
            watcher = room.connect(f"watcher-{number}", waits=False)
            if len(staying) <= len(visiting) + len(gone):
                staying.append(watcher)
            else:
                visiting.append((number + STAY, watcher))
        while visiting and visiting[0][0] <= number:
            gone.append(visiting.pop(0)[1])
            leave(gone[-1], abruptly=len(gone) % 2 == 0)
    return staying + [watcher for _, watcher in visiting], gone


def leave(watcher, abruptly):
    if abruptly:
        watcher.close()
    else:
        watcher.send(b"quit\n")


def check_all(first, bidders, staying, gone):
    check(len(staying) + len(gone) == WATCHERS, "not all the watchers came")
    record = Record(first.lines)
    record.check_game()
    for peer in (*bidders, *staying):
        record.check_heard(peer)
    for peer in gone:
        record.check_heard(peer, is_complete=False)
    for peer in (first, *bidders, *staying, *gone):
        numbers = bids(peer.lines)
        expected = list(range(numbers[0], numbers[0] + len(numbers))) if numbers else []
        check(numbers == expected, f"{peer.name}: the numbers of the bids have a gap or a double")
    for bidder in bidders:
        check_answers(bidder)
    accepted = sum(line.startswith("OK bid ") for bidder in bidders for line in bidder.lines)
    told = len(bids(first.lines))
    check(accepted == told, f"{accepted} bids were accepted, {told} told")
    # On a busy machine many bids come at once, and are refused because their bidder leads.
    check(told > BIDS // 10, f"only {told} of {BIDS} bids were told: too few to show anything")
