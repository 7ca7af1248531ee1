"""Every command and every error word, said by hand."""

import re

from news import check_answers
from peer import check

TITLE = "every command and every error by hand"

BEFORE_THE_NAME = (
    ("ping", r"OK ping"),
    ("PING", r"OK ping"),
    ("#42 ping", r"OK #42 ping"),
    ("#0123456789abcdefABCDEF0123456789 ping", r"OK #0123456789abcdefABCDEF0123456789 ping"),
    ("#0123456789abcdefABCDEF01234567890 ping", r"ERROR .+"),
    ("#4-2 ping", r"ERROR .+"),
    ("bid 10", r"ERROR not-named .+"),
    ("#1 10", r"ERROR #1 not-named .+"),
    ("who", r"OK who 0"),
    ("laps", r"OK laps 0"),
    ("name", r"ERROR bad-arguments .+"),
    ("name a b c", r"ERROR bad-arguments .+"),
    ("name al!ce", r"ERROR bad-name .+"),
    ("name " + "a" * 25, r"ERROR bad-name .+"),
    ("name zoë", r"ERROR bad-name .+"),
    ("frobnicate", r"ERROR unknown-command .+"),
    ("#a frobnicate", r"ERROR #a unknown-command .+"),
    ("ping now", r"ERROR bad-arguments .+"),
    ("who else", r"ERROR bad-arguments .+"),
    ("format", r"ERROR bad-arguments .+"),
    ("format xml", r"ERROR bad-arguments .+"),
    ("laps 1", r"ERROR bad-arguments .+"),
    ("format text", r"OK format text"),
)

ALICE_BIDS = (
    ("name alice", r"OK name alice \S+"),
    ("#n NAME alice", r"OK #n name alice \S+"),
    ("name other", r"ERROR already-named .+"),
    ("bid", r"ERROR bad-arguments .+"),
    ("bid 1 2", r"ERROR bad-arguments .+"),
    ("bid ten", r"ERROR bad-amount .+"),
    ("bid 0", r"ERROR bad-amount .+"),
    ("bid -1", r"ERROR bad-amount .+"),
    ("bid +11", r"ERROR bad-amount .+"),
    ("bid 11.5", r"ERROR bad-amount .+"),
    ("bid 1000000000001", r"ERROR bad-amount .+"),
    ("bid 99999999999999999999999999", r"ERROR bad-amount .+"),
    ("#t bid 9", r"ERROR #t too-low minimum=10 .+"),
    ("#t bid 10", r"OK #t bid 10"),
    ("bid 20", r"ERROR leading price=10 .+"),
)

BOB_BIDS = (
    ("name ALICE", r"ERROR name-taken .+"),
    ("name alice guess", r"ERROR wrong-token .+"),
    ("name bob", r"OK name bob \S+"),
    ("bid 14", r"ERROR too-low minimum=15 .+"),
    ("15", r"OK bid 15"),
)


def play(room):
    server = room.serve("--seconds", "60", "--start", "10", "--step", "5", "--lot", "Vase")
    alice, bob = room.connect("alice"), room.connect("bob")
    greeting = alice.lines[0]
    check(re.fullmatch(r"HELLO auction/1 seconds=60 step=5 game=[a-z0-9]{4,8} \(type help\)", greeting),
          f"greeted {greeting!r}")
    for peer, script in ((alice, BEFORE_THE_NAME), (alice, ALICE_BIDS), (bob, BOB_BIDS)):
        for command, answer in script:
            peer.demand(command, answer)
    alice.expect(r"PRICE 10 alice \d\d:\d\d\.\d 1")
    alice.expect(r"COUNTDOWN 60")
    alice.expect(r"JOINED bob")
    alice.expect(r"PRICE 15 bob \d\d:\d\d\.\d 2")
    ask_for_data(alice)
    alice.demand("bid 1000000000000", r"OK bid 1000000000000")
    bob.quit()
    alice.expect(r"LEFT bob")
    server.stop()
    check_answers(alice)
    check_answers(bob)


def ask_for_data(peer):
    peer.demand("laps", r"OK laps 2")
    check_data(peer, r"LAP 1 10 alice \d\d:\d\d\.\d", r"LAP 2 15 bob \d\d:\d\d\.\d")
    peer.demand("#l laps 2 500", r"OK #l laps 2")
    check_data(peer, r"LAP 2 15 bob .+")
    peer.demand("laps 1 1", r"OK laps 2")
    check_data(peer, r"LAP 1 10 alice .+")
    peer.demand("who", r"OK who 2")
    check(sorted(peer.data(2)) == ["WHO alice", "WHO bob"], f"who said {peer.data(2)}")
    peer.demand("status", r"OK status")
    check_data(peer, r"LOT 1 Vase", r"PRICE 15 bob .+ 2", r"COUNTDOWN \d+")
    first = len(peer.lines)
    peer.demand("help", r"OK help")
    screen = [line for line in peer.lines[first:] if line.startswith("HELP ")]
    check(0 < len(screen) < 24 and all(len(line) <= 80 for line in screen),
          f"help does not fit on a screen: {screen}")


def check_data(peer, *patterns):
    """Fails unless just these lines stand right before the answer."""
    lines = peer.data(len(patterns))
    check(all(map(re.fullmatch, patterns, lines)), f"{peer.name}: got {lines}, not {patterns}")
