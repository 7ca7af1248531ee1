"""Who owns a name: from when, for how long, and what its token opens."""

from news import check_answers
from peer import check

TITLE = "names, tokens and BYE replaced"


def play(room):
    server = room.serve("--seconds", "60", "--lot", "Vase")
    watcher = room.connect("watcher")
    bid_is_kept(room, watcher)
    name_without_a_bid_is_free_again(room, watcher)
    token_of_nobody_counts_as_none(room)
    server.stop()


def bid_is_kept(room, watcher):
    """With an accepted bid the name is owned for good, and its token moves it."""
    alice = room.connect("alice")
    token = alice.demand("name Alice", r"OK name Alice \S+").split()[-1]
    watcher.expect(r"JOINED Alice")
    again = alice.demand("name alice", r"OK name \S+ \S+").split()[-1]
    check(again == token, "the same name again has another token")
    alice.demand("bid 10", r"OK bid 10")

    second = room.connect("second")
    second.demand("name ALICE", r"ERROR name-taken .+")
    second.demand("name ALICE wrong", r"ERROR wrong-token .+")
    second.demand(f"name alice {token}", r"OK name \S+ \S+")
    alice.expect(r"BYE replaced")
    alice.expect_end()
    check(alice.lines[-1] == "BYE replaced", f"after BYE came {alice.lines[-1]!r}")
    second.demand("bid 10", r"OK bid 10")
    second.demand("bid 11", r"ERROR leading price=10 .+")
    second.demand("laps", r"OK laps 1")
    second.quit()
    watcher.expect(r"LEFT \S+")

    third = room.connect("third")
    third.demand("name alice", r"ERROR name-taken .+")
    third.demand("name alice wrong", r"ERROR wrong-token .+")
    third.demand("who", r"OK who 0")
    third.demand(f"name alice {token}", rf"OK name \S+ {token}")
    for peer in (alice, second, third):
        check_answers(peer)


def name_without_a_bid_is_free_again(room, watcher):
    bob = room.connect("bob")
    token = bob.demand("name bob", r"OK name bob \S+").split()[-1]
    bob.demand("bid 3", r"ERROR too-low minimum=11 .+")
    watcher.expect(r"JOINED bob")
    bob.close()
    watcher.expect(r"LEFT bob")
    other = room.connect("other")
    fresh = other.demand("name bob", r"OK name bob \S+").split()[-1]
    check(fresh != token, "a name that was free again has its old token")


def token_of_nobody_counts_as_none(room):
    zoe = room.connect("zoe")
    token = zoe.demand("name zoe 0123456789abcdef", r"OK name zoe \S+").split()[-1]
    check(token != "0123456789abcdef", "a token that a stranger made up was taken over")
