"""Equal bids, retries, a leader who leaves, fair warning, and bids between lots."""

from news import Record, check_answers, news
from peer import check

TITLE = "equal bids, retries, fair warning, between lots"
FALL = ["COUNTDOWN 4", "COUNTDOWN 3", "COUNTDOWN 2", "GOING once", "COUNTDOWN 1", "GOING twice",
        "COUNTDOWN 0"]


def play(room):
    server = room.serve("--seconds", "5", "--start", "10", "--pause", "60", "--lot", "Vase",
                        "--lot", "Clock")
    watcher, alice, bob, carol = (room.connect(name)
                                  for name in ("watcher", "alice", "bob", "carol"))
    for bidder in (alice, bob, carol):
        bidder.demand(f"name {bidder.name}", r"OK name .+")
    bid_the_same(alice, bob, carol)
    retry(alice, bob)
    alice.close()
    winner = watcher.expect(r"WINNER alice 40 \d\d:\d\d\.\d Vase")
    # That alice has left is told a few seconds later.
    end = [line for line in news(watcher.lines) if line != "LEFT alice"][-len(FALL) - 1:]
    check(end == [*FALL, winner], f"the hammer fell like this: {end}")
    meet_between_lots(room, bob, winner)
    server.stop()
    record = Record(watcher.lines)
    record.check_game()
    record.check_heard(bob)
    check_answers(bob)
    raise_oneself(room)


def bid_the_same(alice, bob, carol):
    """Of two equal bids the first heard is accepted, in whatever order they are heard."""
    alice.demand("bid 10", r"OK bid 10")
    bob.demand("bid 10", r"ERROR too-low minimum=11 .+")
    bob.demand("bid 20", r"OK bid 20")
    alice.demand("bid 21", r"OK bid 21")
    carol.demand("bid 22", r"OK bid 22")
    for bidder in (alice, bob):
        bidder.say("bid 30")
    answers = [bidder.answer() for bidder in (alice, bob)]
    check(sum(answer == "OK bid 30" for answer in answers) == 1, f"equal bids got {answers}")
    carol.demand("bid 35", r"OK bid 35")


def retry(alice, bob):
    """The bid one leads with, said again, is answered alike and is no news."""
    laps = bob.ask("laps")
    alice.demand("bid 40", r"OK bid 40")
    alice.demand("bid 40", r"OK bid 40")
    alice.demand("#again bid 40", r"OK #again bid 40")
    alice.demand("bid 41", r"ERROR leading price=40 .+")
    count = int(laps.split()[-1])
    bob.demand("laps", rf"OK laps {count + 1}")


def meet_between_lots(room, bob, winner):
    bob.demand("bid 100", r"ERROR closed .+")
    count = int(bob.ask("laps").split()[-1])
    check(count == 7, f"between lots there are {count} laps of the last lot, not 7")
    late = room.connect("late")
    late.expect(r"WINNER .+")
    late.demand("status", r"OK status")
    check(late.data(1) == [winner], f"between lots the status is {late.data(2)}")


def raise_oneself(room):
    server = room.serve("--seconds", "60", "--self-raise", "allow")
    alice = room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 10", r"OK bid 10")
    alice.demand("bid 10", r"OK bid 10")
    alice.demand("bid 11", r"OK bid 11")
    alice.demand("laps", r"OK laps 2")
    server.stop()
