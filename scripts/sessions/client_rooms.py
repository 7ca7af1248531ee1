"""Players on terminals, bots and single commands in rooms: from one to another, and over a server that is killed."""

import os
import re

from checks import check
from relay import Relay
from tmux import Terminal

TITLE = "the client in rooms: opened, listed, joined, over a killed server, and one that has ended"
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
    server = testbed.serve(*flags, port=testbed.port)
    come_back(alice, bob)
    leave(alice)
    play_bots(testbed)
    lose_room(testbed, server, flags, bob)
    find_other_room(testbed)


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
    alice.expect(r"\+ bob has joined")
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
    bob.expect(r" OUTBID +by alice\b")
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


def lose_room(testbed, server, flags, bob):
    """A view whose room has ended while it was away says so, and goes on in the main room."""
    bob.run("open red")
    bob.expect(r"^ red ─ Lot 1\b")
    bob.press("C-z")
    bob.expect(r"^\$")
    server.kill()
    testbed.serve(*flags, "--room-idle", "1", port=testbed.port)
    observer = testbed.connect("second observer")

    def has_ended():
        observer.request("rooms", r"OK rooms \d+")
        return not any(line.startswith("ROOM red") for line in observer.lines[-4:])

    testbed.wait(has_ended, "the room does not end", interval=0.2)
    bob.run("fg")
    bob.expect(r"room red has ended; you are in")
    bob.expect(r"^ Lot 1: Clock\b")
    bob.press("C-c")
    bob.expect_exit(0)


def find_other_room(testbed):
    """While the view is away its room ends, and another one gets the name: nothing of the first is left."""
    testbed.serve("--data", "none", "--seconds", "60", "--lot", "Clock", "--room-idle", "1")
    carol = testbed.connect("carol")
    carol.request("name carol", r"OK name carol .+")
    network = Relay(testbed, testbed.port)
    testbed.port = network.port
    dave = Terminal(testbed, "dave", 80, 24)
    dave.open("./auction --name dave play")
    dave.run("open den seconds=1 pause=60 worth=77..150")
    dave.expect(r"^ den ─ Lot 1\b")
    dave.run("say farewell")
    dave.expect(r"dave: farewell")
    dave.run("77")
    dave.expect(r"(?i)won")
    network.cut()
    dave.expect(LOST)

    def has_ended():
        carol.request("rooms", r"OK rooms \d+")
        return carol.lines[-1] == "OK rooms 1"

    testbed.wait(has_ended, "the room does not end", interval=0.1)
    carol.request("open den", r"OK open den .+")
    carol.request("bid 19", r"OK bid 19")
    network.restore()
    dave.expect(r"room den had ended and was opened again")
    dave.expect(r" carol leads\b")
    dave.expect_gone(r"farewell|\b77\b|worth")
    dave.run("pause")
    dave.expect(r"(?i)auctioneer")
    dave.press("C-c")
    dave.expect_exit(0)
