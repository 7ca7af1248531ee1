"""Players on terminals, bots and single commands in rooms: from one to another, and over a server that is killed."""

import os
import re

from checks import check
from tmux import Terminal

TITLE = "the client in rooms: opened, listed, joined, over a killed server"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
KEY = re.compile(r"[0-9a-f]{32}")
LOST = r"server closed the c|[Rr]efused"


def play(testbed):
    folder = os.path.join(testbed.folder, "journal")
    flags = ("--data", folder, "--seconds", "60", "--pause", "60", "--lot", "Clock")
    server = testbed.serve(*flags, port=testbed.free_port())
    alice, bob = Terminal(testbed, "alice", 80, 24), Terminal(testbed, "bob", 40, 12)
    open_room(alice, bob)
    list_rooms(testbed, alice)
    command(testbed)
    server.kill()
    for terminal in (alice, bob):
        terminal.expect(LOST)
    testbed.serve(*flags, port=testbed.port)
    come_back(alice, bob)
    leave(alice)
    play_bots(testbed)
    bob.press("C-c")
    bob.expect_exit(0)


def open_room(alice, bob):
    """A player opens a room at the prompt, and another one starts in it."""
    alice.open("./auction --name alice play")
    alice.expect(r"^ Lot 1: Clock\b")
    alice.run("5")
    alice.expect(r" YOU LEAD\b")
    alice.run("open blue lots=2")
    alice.expect(r"^ blue ─ Lot 1\b")
    alice.expect(r"> +the key of your room: [0-9a-f]{32} ")
    alice.expect_gone(r"YOU LEAD|Clock")
    bob.run("./auction --room blue --name bob play")
    bob.expect(r"^ blue ─ Lot 1\b")
    bob.run("20")
    alice.expect(r" bob leads\b")
    alice.expect(r"\+ B bob has joined")
    alice.run("pause")
    bob.expect(r"(?i)paused")
    alice.run("resume")
    alice.expect_gone(r"(?i)sale paused")


def list_rooms(testbed, alice):
    """The rooms in a view, and in a pipe; each command can be sent in each room."""
    alice.run("rooms")
    alice.expect(r"^│•blue +2 here +lot 1, english")
    alice.press("Escape")
    alice.expect_gone(r"2 here +lot 1")
    listing = testbed.client("rooms", "rooms")
    listing.check_exit(0)
    rows = [line.split(" ")[:4] for line in listing.lines]
    wanted = [["ROOM", "main", "people=1", "lot=1"], ["ROOM", "blue", "people=2", "lot=1"]]
    check(rows == wanted, f"rooms printed {listing.lines}")


def command(testbed):
    """Single commands in the room, by the flag and by the variable; a room that is not there is exit code 1."""
    for flags, variables in ((("--room", "blue"), {}), ((), {"AUCTION_ROOM": "blue"})):
        status = testbed.client("status", *flags, "status", **variables)
        status.check_exit(0)
        check("PRICE 20 bob" in "\n".join(status.lines), f"status printed {status.lines}")
    watcher = testbed.client("watch", "--room", "blue", "watch", "--json")
    testbed.wait(lambda: watcher.lines, "watch prints nothing")
    check('"type":"lot"' in watcher.lines[0] and "Clock" not in watcher.lines[0], f"watch printed {watcher.lines}")
    carol = testbed.client("carol", "--room", "blue", "--name", "carol", "bid", "15")
    carol.check_exit(1)
    check(carol.lines[-1].startswith("ERROR too-low"), f"a bid printed {carol.lines}")
    lost = testbed.client("lost", "--room", "red", "who")
    lost.check_exit(1)
    check(lost.lines == ["ERROR no-room no room has this name, type rooms for a list"], f"printed {lost.lines}")
    opened = testbed.client("open", "open", "green", "seconds=2", "lots=1", "pause=0", "worth=50..150")
    opened.check_exit(0)
    check(len(opened.lines) == 1 and opened.lines[0].startswith("OK open green ") and KEY.search(opened.lines[0]),
          f"open printed {opened.lines}")
    wrong = testbed.client("wrong", "open", "green", "lots=0")
    wrong.check_exit(2)


def come_back(alice, bob):
    """Each view comes back into the room by itself, under its name, and its price stands."""
    for terminal in (alice, bob):
        terminal.expect_gone(LOST)
        terminal.expect(r"^ blue ─ Lot 1\b")
    bob.expect(r" YOU LEAD\b")
    alice.run("25")
    alice.expect(r" YOU LEAD\b")
    bob.expect(r" OUTBID +A alice leads\b")
    # The client that opened the room is its auctioneer again.
    alice.run("void")
    bob.expect(r" YOU LEAD\b")


def leave(alice):
    """Nothing of the former room is left on the screen; the bid in the other one stands."""
    alice.run("join main")
    alice.expect(r"^ Lot 1: Clock\b")
    alice.expect(r" YOU LEAD\b")
    alice.expect_gone(r"\bbob\b|blue ─")
    alice.run("quit")
    alice.expect_exit(0)


def play_bots(testbed):
    """Bots play the sale of a room to its end; the main room is not over and hears nothing of them."""
    observer = testbed.connect("observer")
    bots = testbed.client("bots", "--room", "green", "bots", "2", "--strategy", "truthful,shader", "--delay", "0")
    bots.check_exit(0)
    check(sum(line.split()[2] == "1" for line in bots.lines[1:]) == 1, f"bots printed {bots.lines}")
    check(not any("truthful" in line for line in observer.lines), "the main room hears the bots")
