"""A disk that fills up ends the service, and nobody was told what is not on it."""

import os
import re
import subprocess

from ledger import Ledger
from news import Record, word
from peer import check
from segments import JournalReader

TITLE = "a full disk ends the service, a larger one goes on"
NEEDS = ("unshare", "nsenter", "mount")
SMALL, LARGE = "size=1m", "size=16m"
ROUND, MOST_BIDS = 500, 200_000
IS_ROOT = os.geteuid() == 0
UNSHARE = ("unshare", "--mount") if IS_ROOT else ("unshare", "--mount", "--map-root-user")
MOUNT = f'mount -t tmpfs -o {SMALL},mode=755 none "$1" && echo ready && exec cat'
FAILURE = r".* level=error event=journal .*(No space left on device|write: only \d+ of \d+ bytes).*"
UNAVAILABLE = re.compile(r"ERROR (#\w+ )?unavailable .+")


def lacking(_):
    """Whether this machine lets us mount a disk of our own, in words; empty if it does."""
    probe = subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"],
                           capture_output=True, check=False)
    return "no leave to mount a disk" if probe.returncode else ""


class Disk:
    """A small disk in memory, which only the programs that go through it see.

    It goes with the last of them: nothing is left to unmount, however the session ends.
    """

    def __init__(self, room):
        self.room = room
        self.folder = os.path.join(room.folder, "disk")
        os.mkdir(self.folder)
        holder = room.spawn("disk", *UNSHARE, "sh", "-c", MOUNT, "sh", self.folder)
        holder.expect("ready")
        self._pid = holder.process.pid
        as_user = () if IS_ROOT else ("--user", "--preserve-credentials")
        self.through = ("nsenter", f"--target={self._pid}", "--mount", *as_user)

    def path(self, name):
        """Where the file is seen from outside."""
        return f"/proc/{self._pid}/root{self.folder}/{name}"

    def grow(self):
        grower = self.room.spawn("grow", *self.through, "mount", "-t", "tmpfs",
                                 "-o", f"remount,{LARGE},mode=755", "none", self.folder)
        code = grower.exit_code()
        check(code == 0, f"the disk cannot grow: {grower.errors.lines}")


def play(room):
    disk = Disk(room)
    server = serve(room, disk)
    watcher, alice, bob = (room.connect(name) for name in ("watcher", "alice", "bob"))
    token = alice.demand("name alice", r"OK name .+").split()[-1]
    bob.demand("name bob", r"OK name .+")
    flood(room, alice, bob)
    code = server.exit_code()
    check(code == 4, f"the server exited {code}: {server.errors.lines}")
    server.errors.expect(FAILURE)
    ledger = read(disk)
    check_told(ledger, watcher, alice, bob)
    disk.grow()
    go_on(room, disk, ledger.lots[-1].bids[-1], token)


def serve(room, disk):
    return room.serve("--seconds", "60", "--self-raise", "allow", "--lot", "Vase",
                      "--data", os.path.join(disk.folder, "journal"), through=disk.through)


def flood(room, *bidders):
    """Bids until the server leaves; all of a round at once from each."""
    amount = 0
    while not bidders[0].has_ended:
        check(amount < MOST_BIDS, "the disk never fills up")
        places = [len(bidder.lines) for bidder in bidders]
        data = b"".join(b"bid %d\n" % (amount + step) for step in range(1, ROUND + 1))
        for bidder in bidders:
            bidder.send(data + b"#%d ping\n" % amount)
        pong = f"OK #{amount} ping"
        room.wait(lambda: all(bidder.has_ended or pong in bidder.lines[place:]
                              for bidder, place in zip(bidders, places)),
                  f"a round of {ROUND} bids is not answered")
        amount += ROUND


def read(disk):
    """What the journal tells, whatever stands unfinished behind it."""
    ledger = Ledger()
    for line in JournalReader(disk.path("journal")).read():
        ledger.take(line)
    return ledger


def check_told(ledger, watcher, *bidders):
    """Fails if anybody was told what is not in the journal, or not told why the end came."""
    record = Record([event.words for event in ledger.events])
    for peer in (watcher, *bidders):
        peer.expect_end()
        check(peer.lines[-1] == "BYE journal", f"{peer.name}: the last line is {peer.lines[-1]!r}")
        record.check_heard(peer, is_complete=False)
    check("ERROR" not in map(word, watcher.lines), "one who asked for nothing was told of errors")
    refused = 0
    for bidder in bidders:
        answers = [UNAVAILABLE.fullmatch(line) is not None for line in bidder.answers()]
        refused += sum(answers)
        check(answers == sorted(answers), f"{bidder.name}: answered after what was unavailable")
        for amount in accepted(bidder):
            check(ledger.bids_of[bidder.name, amount], f"{bidder.name}'s {amount} is forgotten")
    check(refused, "nobody was told that a bid could not be kept")


def accepted(bidder):
    return [int(line.split()[2]) for line in bidder.lines if line.startswith("OK bid ")]


def go_on(room, disk, last, token):
    """A new start on the larger disk goes on with what the small one took."""
    server = serve(room, disk)
    check(any(f" open at {last.amount} by {last.bidder}, " in line for line in server.errors.lines),
          f"the last bid was {last}, but {server.errors.lines}")
    alice = room.connect("alice again")
    alice.demand(f"name alice {token}", rf"OK name alice {token}")
    alice.demand(f"bid {last.amount + 1}", rf"OK bid {last.amount + 1}")
    server.stop()
