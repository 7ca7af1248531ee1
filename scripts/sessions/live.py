"""A lot on three terminals, to its end, and another during which the server is killed."""

import os

from checks import check
from seat import Seat

TITLE = "two players and a watcher on terminals, and a server that is killed and comes back"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
# Each fair warning stands for two seconds, so that it is seen.
LOTS = ("--seconds", "7", "--pause", "3", "--lot", "Blue vase", "--lot", "Clock")
LOST = r"server closed the c|[Rr]efused"


def play(bed):
    folder = os.path.join(bed.folder, "journal")
    server = bed.serve("--data", folder, *LOTS, port=bed.free_port())
    observer = bed.connect("observer")
    seats = [Seat(bed, "alice", 80, 24), Seat(bed, "bob", 40, 12), Seat(bed, "watcher", 100, 30)]
    alice, bob, watcher = seats
    alice.open("./auction --name alice play")
    bob.open("./auction --name bob play")
    watcher.open("./auction watch")
    bid(observer, *seats)
    follow_to_the_hammer(*seats)
    kill(server, observer, *seats)
    bed.serve("--data", folder, "--seconds", "60", *LOTS[2:], port=bed.port)
    come_back(bed, *seats)
    alice.submit("quit")
    bob.press("C-c")
    watcher.press("q")
    for seat in seats:
        seat.expect_left(0)


def bid(observer, alice, bob, watcher):
    """Bids by keys and by words, a refusal, and the chart that grows with the price."""
    for seat in (alice, bob, watcher):
        seat.expect(r" no bid yet$")
    watcher.expect(r"2 here: alice, bob")
    alice.press("Up", "Enter")
    alice.expect(r" you lead$")
    for seat in (bob, watcher):
        seat.expect(r" alice leads$")
    bob.submit("bid 100")
    bob.expect(r"^ > +you bid 100$")
    observer.expect(r"PRICE 100 bob .+")
    alice.submit("99")
    alice.expect(r"^ > +too low: bid at least 101$")
    dots = watcher.dots()
    alice.submit("110")
    bob.expect(r" alice leads$")
    watcher.wait(lambda _: watcher.dots() > dots or None, "the chart does not grow")
    for seat in (alice, watcher):
        seat.expect(r"^ +3 alice +110 \d\d:\d\d\.\d +\+\d+\.\d +(just now|\d+s)\b")


def follow_to_the_hammer(*seats):
    """The bar shrinks and never grows, and the hammer falls for alice."""
    seen = {seat: [] for seat in seats}
    while any(bars[-1:] != [None] for bars in seen.values()):
        for seat, bars in seen.items():
            bars.append(seat.bar())
            check(len(bars) < 3000, f"{seat.name}: the hammer does not fall")
    for seat, bars in seen.items():
        eighths, seconds, warnings = zip(*filter(None, bars))
        check(list(eighths) == sorted(eighths, reverse=True), f"{seat.name}: the bar grew: {eighths}")
        check(list(seconds) == sorted(seconds, reverse=True), f"{seat.name}: seconds came back: {seconds}")
        check(len(set(eighths)) > 9, f"{seat.name}: the bar moved in {len(set(eighths))} steps")
        warnings = list(dict.fromkeys(warnings))
        check(warnings == ["", "going once", "going twice"], f"{seat.name}: warned {warnings}")
    alice, *others = seats
    alice.expect(r"^ sold to you for 110\b")
    for seat in others:
        seat.expect(r"^ sold to alice for 110\b")


def kill(server, observer, alice, bob, watcher):
    """The second lot stands at 20 when the server dies; everybody sees that."""
    seats = (alice, bob, watcher)
    for seat in seats:
        seat.expect(r"^ Lot 2: Clock\b")
    alice.submit("10")
    bob.expect(r" alice leads$")
    bob.submit("20")
    observer.expect(r"PRICE 20 bob .+")
    server.kill()
    for seat in seats:
        seat.expect(LOST)
    bob.submit("30")
    bob.expect(r"^ > +not connected$")


def come_back(bed, alice, bob, watcher):
    """Each view finds the server by itself, and knows all that had been; the names are theirs."""
    for seat in (alice, bob, watcher):
        seat.expect_gone(LOST)
        seat.expect(r"^ +2 bob +20\b")
    bob.expect(r" you lead$")
    alice.submit("21")
    alice.expect(r" you lead$")
    bob.submit("22")
    for seat in (alice, bob, watcher):
        seat.expect(r"^ 4 laps\b")
    bed.connect("another observer").demand("who", r"OK who 2")
