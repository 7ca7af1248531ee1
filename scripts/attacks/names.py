"""Attacks on the names of others: to get the value of a name, and to learn who has a sealed bid."""

from __future__ import annotations

import time

from checks import check
from harness import Attack

TAKEN, WRONG = r"ERROR name-taken .+", r"ERROR wrong-token .+"
ABSENCE = 3.0
"""How long after its end a connection counts as there."""


def steal(testbed):
    """Returns notes."""
    server = testbed.serve("--worth", "1000..999999", "--data", "none")
    alice = testbed.connect("alice", waits=False)
    token = alice.request("name alice", r"OK name alice \w+").split()[-1]
    worth = alice.expect(r"WORTH \d+")
    alice.reset()
    stranger = testbed.connect("stranger", waits=False)
    start, tries = time.monotonic(), 0
    while time.monotonic() - start < ABSENCE + 1:
        stranger.request("name alice", TAKEN)
        tries += 1
        testbed.pump_until(time.monotonic() + 0.05)
    stranger.expect("LEFT alice")
    stranger.request("name alice", TAKEN)
    stranger.request("name alice 0000", WRONG)
    check(not [line for line in stranger.lines if line.startswith(("WORTH", "OK name"))], "the name was given away")
    again = testbed.connect("again", waits=False)
    again.request(f"name alice {token}", rf"OK name alice {token}")
    check(again.expect(r"WORTH \d+") == worth, "the owner has another value than before")
    server.stop()
    return [f"{tries} tries"]


def probe(testbed):
    """Returns notes."""
    key = "c0ffee" * 6
    server = testbed.serve("--format", "sealed", "--seconds", "3600", "--lots", "2", "--data", "none",
                           "--auctioneer-token-file", testbed.secret("key", key))
    for name, commands in (("bob", ("bid 77",)), ("carol", ()), ("dave", ("bid 5", "bid 7"))):
        peer = testbed.connect(name, waits=False)
        for command in (f"name {name}", *commands):
            peer.request(command, r"OK .+")
        peer.reset()
    stranger = testbed.connect("stranger", waits=False)
    for moment in ("at once", "after they have left"):
        for name in ("bob", "carol", "dave"):
            stranger.request(f"name {name}", TAKEN)
            check(not stranger.lines[-1].startswith("OK"), f"{name} is free {moment}")
        testbed.pump_until(time.monotonic() + ABSENCE + 1)
    judge = testbed.connect("judge", waits=False)
    judge.request(f"auctioneer {key}", "OK auctioneer")
    judge.request("kick bob he has left", "OK kick")
    stranger.expect("KICKED bob he has left")
    stranger.expect("SEALED 1")
    judge.request("close", "OK close")
    judge.expect("PASSED 1 closed lot-1")
    # Nobody knows of a bid of any of them, so all names are free again, but that of the one who was kicked.
    for name in ("carol", "dave"):
        testbed.connect(f"{name} again", waits=False).request(f"name {name}", rf"OK name {name} \w+")
    stranger.request("name bob", r"ERROR kicked .+")
    server.stop()
    return ["three names"]


ATTACKS = (
    Attack("stolen_names", "a stranger asks for the name of a bidder whose connection was reset", play_alone=steal),
    Attack("probed_names", "a stranger asks for the names of bidders who have left a sealed lot", play_alone=probe),
)
