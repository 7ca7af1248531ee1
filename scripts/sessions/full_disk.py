"""A full disk ends the service, and no client received an event that is not on the disk."""

import os
import re
import subprocess

from checks import check
from journal import Journal
from places import check_received

TITLE = "a full disk ends the service, a larger one continues it"
NEEDS = ("unshare", "nsenter", "mount")
SMALL, LARGE = "size=1m", "size=16m"
ROUND, MOST_BIDS = 500, 200_000
IS_ROOT = os.geteuid() == 0
UNSHARE = ("unshare", "--mount") if IS_ROOT else ("unshare", "--mount", "--map-root-user")
MOUNT = f'mount -t tmpfs -o {SMALL},mode=755 none "$1" && echo ready && exec cat'
FAILURE = r".* level=error event=journal .*(No space left on device|write: only \d+ of \d+ bytes).*"
UNAVAILABLE = re.compile(r"ERROR (#\w+ )?unavailable .+")


def lacking(_):
    """Says why this machine may not mount a disk in a namespace; empty if it may."""
    probe = subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    return "no permission to mount a disk" if probe.returncode else ""


class Disk:
    """A tmpfs in a mount namespace of its own; it exists while programs in it run."""

    def __init__(self, bed):
        self.bed = bed
        self.folder = os.path.join(bed.folder, "disk")
        os.mkdir(self.folder)
        holder = bed.spawn("disk", *UNSHARE, "sh", "-c", MOUNT, "sh", self.folder)
        holder.expect("ready")
        as_user = () if IS_ROOT else ("--user", "--preserve-credentials")
        self.through = ("nsenter", f"--target={holder.process.pid}", "--mount", *as_user)
        self.outside = f"/proc/{holder.process.pid}/root{self.folder}"
        """The path of the disk for programs outside its namespace."""

    def grow(self):
        self.bed.spawn("mount", *self.through, "mount", "-t", "tmpfs", "-o", f"remount,{LARGE},mode=755", "none",
                       self.folder).check_exit(0)


def play(bed):
    disk = Disk(bed)
    server = serve(bed, disk)
    observer, alice, bob = (bed.connect(name) for name in ("observer", "alice", "bob"))
    token = alice.demand("name alice", r"OK name .+").split()[-1]
    bob.demand("name bob", r"OK name .+")
    flood(bed, alice, bob)
    server.check_exit(4)
    server.errors.expect(FAILURE)
    game = Journal(f"{disk.outside}/journal", 60, self_raise=True).read().game
    check_received_lines(game, observer, alice, bob)
    disk.grow()
    last = game.states[-1].bid
    server = serve(bed, disk)
    check(any(f" open at {last.amount} by {last.bidder}, " in line for line in server.errors.lines),
          f"the last bid was {last.words()}, but {server.errors.lines}")
    alice = bed.connect("alice again")
    alice.demand(f"name alice {token}", rf"OK name alice {token}")
    alice.demand(f"bid {last.amount + 1}", rf"OK bid {last.amount + 1}")
    server.stop()


def serve(bed, disk):
    return bed.serve("--seconds", "60", "--self-raise", "allow", "--lot", "Vase",
                     "--data", os.path.join(disk.folder, "journal"), through=disk.through)


def flood(bed, *bidders):
    """Each bidder sends rounds of bids, each round in one write, until the server ends."""
    amount = 0
    while not bidders[0].has_ended:
        check(amount < MOST_BIDS, "the disk never fills up")
        places = [len(bidder.lines) for bidder in bidders]
        for bidder in bidders:
            bidder.say(*(f"bid {amount + step}" for step in range(1, ROUND + 1)), f"#{amount} ping")
        pong = f"OK #{amount} ping"
        bed.wait(lambda: all(bidder.has_ended or pong in bidder.lines[place:] for bidder, place in zip(bidders, places)),
                 f"a round of {ROUND} bids is not answered")
        amount += ROUND


def check_received_lines(game, observer, *bidders):
    """Every received event is in the journal, and every bid answered `OK` is too."""
    for peer in (observer, *bidders):
        peer.expect_end()
        check(peer.lines[-1] == "BYE journal", f"{peer.name}: the last line is {peer.lines[-1]!r}")
        check_received(game, peer.connection, is_complete=False)
    check(not observer.answers(), f"an observer that asked for nothing received {observer.answers()}")
    bids = {(bid.bidder, bid.amount) for bid in game.states[-1].laps()}
    for bidder in bidders:
        refused = [UNAVAILABLE.fullmatch(line) is not None for line in bidder.answers()]
        # False sorts before True, so this fails if an answer follows a refusal.
        check(refused == sorted(refused), f"{bidder.name}: a command was answered after one that was unavailable")
        lost = [line for line in bidder.answers() if line.startswith("OK bid ")
                and (bidder.name, int(line.split()[2])) not in bids]
        check(not lost, f"{bidder.name}: not in the journal: {lost}")
    check(any(UNAVAILABLE.fullmatch(line) for bidder in bidders for line in bidder.answers()),
          "no bid was refused as unavailable")
