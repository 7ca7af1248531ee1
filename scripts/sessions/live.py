"""Two bidders and an observer on terminals: a lot to its end, and another during which the server is killed."""

import os
import signal
import time

from checks import check
from tmux import Terminal

TITLE = "two bidders and an observer on terminals, and a server that is killed and comes back"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
LOTS = ("--pause", "3", "--lot", "Blue vase", "--lot", "Clock")
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
LOST = r"server closed the c|[Rr]efused"
SECONDS, MOST_WAKES = 1.0, 20
"""How long wakes are counted, and how many a second may have.

An open lot wakes a view ten times a second, for its clock; twice that is a loop that does not sleep.
"""


def play(testbed):
    folder = os.path.join(testbed.folder, "journal")
    server = testbed.serve("--data", folder, "--seconds", "5", *LOTS, port=testbed.free_port())
    alice, bob, observer = terminals = (Terminal(testbed, "alice", 80, 24), Terminal(testbed, "bob", 40, 12),
                                        Terminal(testbed, "observer", 100, 30))
    alice.open("./auction --name alice play")
    bob.open("./auction --name bob play")
    observer.open("./auction watch")
    check_wakes(testbed, observer)
    sell(*terminals)
    kill(server, *terminals)
    server = testbed.serve("--data", folder, "--seconds", "60", *LOTS, "--auctioneer-token-file",
                           testbed.secret("token", TOKEN), port=testbed.port)
    reconnect(*terminals)
    fall_silent(server, *terminals)
    kick(*terminals)
    alice.run("quit")
    observer.press("q")
    for terminal in (alice, observer):
        terminal.expect_exit(0)


def check_wakes(testbed, observer):
    """Without news only the clock of the lot moves."""
    observer.expect(r" alice, bob\b")
    before, start = wakes(observer), time.monotonic()
    testbed.pump_until(start + SECONDS)
    more, passed = wakes(observer) - before, time.monotonic() - start
    check(more <= MOST_WAKES * passed, f"a view without news woke {more} times in {passed:.1f} s")


def wakes(terminal):
    """How often the main thread of the client has slept, as the kernel counts it."""
    with open(f"/proc/{terminal.client()}/status", encoding="utf-8") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches:"))


def sell(alice, bob, observer):
    """Bids by keys and by words, a refusal, the warnings and the hammer."""
    for terminal in (alice, bob, observer):
        terminal.expect(r" no bid yet\b")
    alice.press("Up", "Enter")
    alice.expect(r" YOU LEAD\b")
    for terminal in (bob, observer):
        terminal.expect(r" alice leads\b")
    bob.run("1")
    bob.expect(r"> +.*(at least|minimum|too low)")
    bob.run("100")
    alice.expect(r" OUTBID by bob\b")
    alice.wait(lambda _: alice.title() == "OUTBID by bob at 100: Blue vase" or None, "another title")
    alice.run("110")
    bob.expect(r" OUTBID +by alice\b")
    observer.expect(r" alice leads\b")
    observer.expect(r"GOING ONCE\b")
    observer.expect(r"GOING TWICE\b")
    alice.expect(r" sold to you for 110\b")
    for terminal in (bob, observer):
        terminal.expect(r" sold to alice for 110\b")


def kill(server, alice, bob, observer):
    """The second lot stands at 20 when the server dies, which each view says."""
    terminals = (alice, bob, observer)
    for terminal in terminals:
        terminal.expect(r"^ Lot 2: Clock\b")
    alice.run("10")
    bob.expect(r" alice leads\b")
    bob.run("20")
    bob.expect(r" YOU LEAD\b")
    server.kill()
    for terminal in terminals:
        terminal.expect(LOST)
    bob.run("30")
    bob.expect(r"> +not connected\b")


def reconnect(alice, bob, observer):
    """Each view finds the server by itself and shows all earlier bids; the players have their names again."""
    for terminal in (alice, bob, observer):
        terminal.expect_gone(LOST)
        terminal.expect(r"[ •]2 +20 bob\b")
    bob.expect(r" YOU LEAD\b")
    alice.run("21")
    alice.expect(r" YOU LEAD\b")
    bob.run("22")
    for terminal in (alice, bob, observer):
        terminal.expect(r" 4 laps\b")


def fall_silent(server, alice, bob, observer):
    """A server that stands still during a countdown closes no connection, and each view says so all the same."""
    terminals = (alice, bob, observer)
    os.kill(server.pid, signal.SIGSTOP)
    for terminal in terminals:
        terminal.expect(r"the server (is silent|does not answer)")
    os.kill(server.pid, signal.SIGCONT)
    for terminal in terminals:
        terminal.press("C-r")
        terminal.expect_gone(r"the server (is silent|does not answer)")
    bob.expect(r" YOU LEAD\b")


def kick(alice, bob, observer):
    """The auctioneer at a view removes a bidder: the bidder's shell and the other views say why."""
    alice.run(f"auctioneer {TOKEN}")
    alice.expect(r"you are the auctioneer")
    alice.run("kick bob two names")
    bob.expect(r"^auction-client: the auctioneer has remov")
    bob.expect_exit(1)
    for terminal in (alice, observer):
        terminal.expect(r"bob was removed")
