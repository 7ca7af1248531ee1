"""Three bidders and a watcher, each in an nc of their own, over one lot and into the next."""

from news import Record, check_answers
from room import HOST

TITLE = "three bidders and a watcher"
NEEDS = ("nc",)


def play(room):
    server = room.serve("--seconds", "2", "--pause", "1", "--lot", "Vase", "--lot", "Old clock")
    watcher = enter(room, "watcher")
    alice, bob, carol = (enter(room, name) for name in ("alice", "bob", "carol"))
    carol.demand("bid 100", r"ERROR not-named .+")
    for bidder in (alice, bob, carol):
        bidder.demand(f"name {bidder.name}", rf"OK name {bidder.name} \S+")
    first_lot(alice, bob, carol)
    watcher.expect(r"WINNER alice 200 \d\d:\d\d\.\d Vase")
    bob.expect(r"WINNER alice .*")
    bob.demand("bid 999", r"ERROR closed .+")
    watcher.expect(r"LOT 2 Old clock")
    second_lot(alice, bob, carol)
    everybody = (watcher, alice, bob, carol)
    for peer in everybody:
        peer.expect(r"OVER 2")
    alice.demand("bid 70", r"ERROR closed .+")

    server.stop()
    record = Record(watcher.lines)
    record.check_game()
    for peer in everybody:
        peer.expect(r"BYE shutdown")
        peer.finish()
        peer.expect_end()
        record.check_heard(peer)
        check_answers(peer)


def enter(room, name):
    peer = room.spawn(name, "nc", HOST, str(room.port))
    peer.expect(r"LOT 1 Vase")
    return peer


def first_lot(alice, bob, carol):
    alice.demand("bid 100", r"OK bid 100")
    bob.demand("bid 90", r"ERROR too-low minimum=101 .+")
    alice.demand("bid 130", r"ERROR leading price=100 .+")
    bob.demand("bid 120", r"OK bid 120")
    carol.demand("bid much", r"ERROR bad-amount .+")
    carol.demand("150", r"OK bid 150")
    alice.demand("bid 200", r"OK bid 200")
    bob.demand("bid 200", r"ERROR too-low minimum=201 .+")


def second_lot(alice, bob, carol):
    for bidder in (bob, carol):
        bidder.expect(r"LOT 2 Old clock")
    bob.demand("bid 50", r"OK bid 50")
    carol.demand("bid 60", r"OK bid 60")
    bob.demand("bid 60", r"ERROR too-low minimum=61 .+")
    alice.expect(r"WINNER carol 60 \d\d:\d\d\.\d Old clock")
