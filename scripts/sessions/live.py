"""A lot on three terminals, to its end, and another in whose midst the server is killed."""

import os
import signal

from checks import check
from seat import Seat
from tmux import framed

TITLE = "two players and a watcher on terminals, and a server that is killed and comes back"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
# Each warning stands for two seconds, and can be looked for at leisure.
LOTS = ("--seconds", "9", "--pause", "3", "--lot", "Blue vase", "--lot", "Clock")
LOST = r"server closed the c|[Rr]efused"


def play(bed):
    folder = os.path.join(bed.folder, "journal")
    server = bed.serve("--data", folder, *LOTS, port=bed.free_port())
    witness = bed.connect("witness")
    seats = [Seat(bed, "alice", 80, 24), Seat(bed, "bob", 40, 12), Seat(bed, "watcher", 100, 30)]
    alice, bob, watcher = seats
    alice.open("./auction --name alice play")
    bob.open("./auction --name bob play")
    watcher.open("./auction watch")
    bid(witness, *seats)
    check_laps(*seats)
    follow_to_the_hammer(witness, *seats)
    kill(server, witness, *seats)
    bed.serve("--data", folder, "--seconds", "60", *LOTS[2:], port=bed.port)
    come_back(bed, *seats)
    leave(*seats)


def bid(witness, alice, bob, watcher):
    """From the first bid to a price of 120, with all that can be refused."""
    watcher.expect(r"^ Lot 1: Blue vase .* \d\d:\d\d\.\d$")
    for seat in (alice, bob, watcher):
        seat.expect(r" no bid yet$")
        seat.expect(r"^ no laps\b")
        seat.expect(r"^ the first bid starts the countdown\b")
    alice.expect(r"2 here: alice \(you\), bob")
    watcher.expect(r"2 here: alice, bob")

    alice.press("Up")
    alice.expect(r"^ > 1$")
    alice.press("Enter")
    alice.expect(r"^ > +you bid 1$")
    alice.expect(r" you lead$")
    for seat in (bob, watcher):
        seat.expect(r" alice leads$")
        seat.expect(r" next(?: bid)?: 2 or more$")
        seat.expect(r"^ » alice bids 1$")
    alice.submit("5")
    alice.expect(r"^ > +you lead already$")

    bob.submit("bid 100")
    bob.expect(r"^ > +you bid 100$")
    bob.expect(r" you lead$")
    alice.expect(r" bob leads$")
    witness.expect(r"PRICE 100 bob .+")
    alice.submit("99")
    alice.expect(r"^ > +too low: bid at least 101$")
    alice.submit("frobnicate")
    alice.expect(r"^ > +no such command")
    alice.submit("12 13")
    alice.expect_gone(r"no such command")

    dots = watcher.dots()
    alice.submit("110")
    bob.expect(r" alice leads$")
    watcher.expect_more_dots(dots)


def check_laps(alice, bob, watcher):
    """The table: newest first, with as many columns as there is bed for."""
    for seat in (alice, watcher):
        seat.expect(r"^ 3 laps +bid +time +after +ago\b")
        seat.expect(r"^ +3 alice +110 \d\d:\d\d\.\d +\+\d+\.\d +(just now|\d+s)\b")
        rows = seat.lines()
        places = [next(row for row, line in enumerate(rows) if f" {number} {name} " in line)
                  for number, name in ((3, "alice"), (2, "bob"), (1, "alice"))]
        check(places == list(range(places[0], places[0] + 3)),
              f"{seat.name}: the laps are in the rows {places}{framed(rows)}")
    bob.expect(r"^ 3 laps\b")
    bob.expect(r"^ +3 alice +110 .*(just now|\d+s)\b")


def follow_to_the_hammer(witness, alice, bob, watcher):
    """The bar is full after a bid, shrinks and never grows, and the hammer falls for bob."""
    seats = (alice, bob, watcher)
    watcher.wait(lambda lines: ((bar := watcher.bar(lines)) and bar[1] < 9) or None,
                 "the countdown does not begin")
    bob.press("Up")
    bob.expect(r"^ > 111")
    bob.press("Enter")
    witness.expect(r"PRICE 111 bob .+")
    for seat in seats:
        seat.expect(r" you lead$" if seat is bob else r" bob leads$")
        seat.expect(r"^ +4 bob +111\b")
    seen = {seat: [] for seat in seats}
    while any(bars[-1:] != [None] for bars in seen.values()):
        for seat, bars in seen.items():
            bars.append(seat.bar())
            check(len(bars) < 3000, f"{seat.name}: the hammer does not fall")
    for seat, bars in seen.items():
        check_bars(seat, [bar for bar in bars if bar])
    bob.expect(r" you have won$")
    bob.expect(r"^ sold to you for 111\b")
    bob.expect(r"^ » bob has won Blue vase for 111$")
    for seat in (alice, watcher):
        seat.expect(r" bob has won$")
        seat.expect(r"^ 4 laps\b")
        seat.expect(r"^ sold to bob for 111\b")


def check_bars(seat, bars):
    eighths, seconds = [bar[0] for bar in bars], [bar[1] for bar in bars]
    check(eighths == sorted(eighths, reverse=True), f"{seat.name}: the bar grew: {eighths}")
    check(seconds == sorted(seconds, reverse=True), f"{seat.name}: seconds came back: {seconds}")
    check(len(set(eighths)) > 9, f"{seat.name}: the bar moved in {len(set(eighths))} steps")
    warnings = list(dict.fromkeys(bar[2] for bar in bars))
    check(warnings == ["", "going once", "going twice"], f"{seat.name}: warned {warnings}")
    early = [bar for bar in bars if bar[2] and bar[1] > (4 if bar[2] == "going once" else 2)]
    check(not early, f"{seat.name}: warned too early: {early}")


def kill(server, witness, alice, bob, watcher):
    """The second lot stands at 20 when the server dies; everybody is told."""
    seats = (alice, bob, watcher)
    for seat in seats:
        seat.expect(r"^ Lot 2: Clock\b")
    alice.submit("10")
    alice.expect(r" you lead$")
    bob.expect(r" alice leads$")
    bob.submit("20")
    for seat in seats:
        seat.expect(r"^ 2 laps\b")
    witness.expect(r"PRICE 20 bob .+")
    server.process.kill()
    for seat in seats:
        seat.expect(LOST)
    check(server.exit_code() == -signal.SIGKILL, "the server was not killed")
    bob.submit("30")
    bob.expect(r"^ > +not connected$")


def come_back(bed, alice, bob, watcher):
    """Each view finds the server by itself, and knows all that had been; the names are theirs."""
    for seat in (alice, bob, watcher):
        seat.expect_gone(LOST)
        seat.expect(r"^ Lot 2: Clock\b")
        seat.expect(r"^ 2 laps\b")
        seat.expect(r"^ +2 bob +20\b")
    bob.expect(r" you lead$")
    alice.expect(r" bob leads$")
    alice.expect(r"2 here: (alice \(you\), bob|bob, alice \(you\))$")
    alice.press("Up")
    alice.expect(r"^ > 21\b")
    alice.press("Enter")
    alice.expect(r" you lead$")
    bob.submit("22")
    for seat in (alice, bob, watcher):
        seat.expect(r"^ 4 laps\b")
    witness = bed.connect("witness again")
    witness.demand("who", r"OK who 2")
    names = sorted(line for line in witness.lines if line.startswith("WHO "))
    check(names == ["WHO alice", "WHO bob"], f"present are {names}")
    witness.demand("laps", r"OK laps 4")


def leave(alice, bob, watcher):
    alice.submit("quit")
    bob.press("C-c")
    watcher.press("q")
    for seat in (alice, bob, watcher):
        seat.expect_left(0)
