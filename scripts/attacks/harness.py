"""The server under attack, the honest bidders who continue meanwhile, and the checks of both.

Lots are bid for and sold during the whole attack. The judge must find one order of events that explains what everybody
received. Each second of each countdown, each hammer, the `OK` of each honest command and the price of each honest bid
must come within 250 ms of their time.
"""

from __future__ import annotations

import dataclasses
import glob
import os
import time
from typing import Callable

import attackers
from checks import Late, check
from history import compare, history_of_observer
from honest import COUNT, SECONDS, HonestBidders
from journal import Journal, Room, check_with_server
from judge import Judge, check_times, own_delay
from machine import FORK, MIB, Control, figures, share_of_a_core
from programs import HOST
from testbed import PATIENCE

IDLE_SHARE = 0.05
MEASURE_SECONDS = 0.2
"""How often memory is measured, which takes some milliseconds."""
MOST_SECONDS = 120
"""How long an attack may take."""
HONEST_BYTES = 300_000
"""The most that the honest bidders write to the journal."""


@dataclasses.dataclass(frozen=True)
class Attack:
    """One attack: what the attackers do, and the bounds of the server meanwhile."""

    name: str
    TITLE: str
    acts: tuple[Callable, ...]
    """What runs at the same time, each in a process of its own, with the server's address."""
    flags: tuple[str, ...] = ()
    memory: int = 32
    """How many MiB the server may use in addition."""
    sockets: int = 64
    """How many MiB the kernel may use in addition for sockets, of both ends."""
    journal: tuple[int, int] | None = None
    """How many bytes the attackers at least and at most write to the journal."""
    share: float = 2.0
    """How much of a core the server may use during the attack."""
    files: int = 0
    """How many files the server may open, if there is a limit."""
    has_journal: bool = True
    has_long_lot: bool = False
    """Whether there is one lot with many bids, for a long answer to `laps`. The honest bidders only send `ping` then."""
    source: str | None = None
    """The local address from which the honest bidders connect, if it matters."""
    NEEDS = "ss", "prlimit"


class Harness:
    """One server and its honest bidders; attackers come and go."""

    def __init__(self, testbed, attack: Attack):
        self._testbed, self._attack = testbed, attack
        self._folder = os.path.join(testbed.folder, "data") if attack.has_journal else "none"
        through = ("prlimit", f"--nofile={attack.files}:{attack.files}") if attack.files else ()
        self._server = testbed.serve("--seconds", str(SECONDS), "--pause", "60" if attack.has_long_lot else "0.2",
                                     "--data", self._folder, *attack.flags, limits=(), through=through)
        self._pid = self._server.pid
        self._before = self._most = figures(self._pid, testbed.port)
        self._measured = 0.0
        self._attackers: list = []
        self._span = (0.0, 0.0)
        self._control = Control(self._pid, testbed.folder if attack.has_journal else None)
        self._honest: HonestBidders | None = None
        self.notes: list[str] = []

    def play(self):
        """Plays lots during the attack, and checks everything."""
        self._honest = HonestBidders(self._testbed, self._attack, self._measure)
        self._before = self._most = figures(self._pid, self._testbed.port)
        written = self._journal_bytes()
        self._play_attack()
        written = self._journal_bytes() - written
        self._wait_for_descriptors()
        if self._attack.has_long_lot:
            self._honest.play_until(lambda: self._honest.has_sold)
        observer, connections = self._honest.finish()
        delays = self._control.end()
        if not self._attack.has_long_lot:
            self._check_idle()
        self._honest.close()
        self._server.stop()
        self._check_use(written)
        self._check_order(observer, connections, delays)
        answers = max(own_delay("an OK", *sample, delays) for sample in self._honest.answered)
        prices = max((own_delay("a price", *sample, delays) for sample in self._honest.priced), default=0.0)
        self.notes += [f"OK at most {answers * 1e3:.0f} ms", f"price at most {prices * 1e3:.0f} ms"]

    def close(self):
        """Ends every process that is left."""
        self._control.close()
        if self._honest:
            self._honest.close()
        for process, _ in self._attackers:
            process.kill()
            process.join()

    def _play_attack(self):
        """Runs the attackers, each in a process of its own; fails with the complaint of one of them."""
        start, used = time.monotonic(), figures(self._pid).cpu
        for act in self._attack.acts:
            ours, theirs = FORK.Pipe(duplex=False)
            address = HOST, self._testbed.port
            process = FORK.Process(target=attackers.run, args=(address, theirs, act))
            process.start()
            theirs.close()
            self._attackers.append((process, ours))
        self._honest.play_until(lambda: all(pipe.poll() for _, pipe in self._attackers)
                                or time.monotonic() > start + MOST_SECONDS)
        self._span = start, time.monotonic()
        share = (figures(self._pid).cpu - used) / (self._span[1] - start)
        check(share <= self._attack.share, f"it takes {share:.0%} of a core")
        check(time.monotonic() <= start + MOST_SECONDS, f"the attack goes on after {MOST_SECONDS} s")
        for process, pipe in self._attackers:
            complaint = pipe.recv()
            process.join(PATIENCE)
            check(not complaint, complaint)

    def _measure(self):
        if time.monotonic() > self._measured + MEASURE_SECONDS:
            now = figures(self._pid, self._testbed.port)
            self._most = type(now)(*map(max, self._most, now))
            self._measured = time.monotonic()

    def _journal_bytes(self) -> int:
        """How much is in the journal; the metrics do not count what is secret."""
        return sum(os.path.getsize(path) for path in glob.glob(os.path.join(self._folder, "*.journal")))

    # The checks

    def _wait_for_descriptors(self):
        """The attackers have gone, and nothing of them stays."""
        deadline = time.monotonic() + PATIENCE
        while (now := figures(self._pid)).descriptors > self._before.descriptors:
            check(time.monotonic() < deadline,
                  f"{now.descriptors} descriptors are open, {self._before.descriptors} were before")
            until = time.monotonic() + 0.05
            self._honest.play_until(lambda until=until: time.monotonic() > until)
        check(now.threads <= self._before.threads, f"{now.threads} threads")

    def _check_idle(self):
        """The server does nothing while nobody sends anything; it may take a moment to come to rest."""
        for _ in range(3):
            share = share_of_a_core(self._pid, lambda seconds: self._testbed.pump_until(time.monotonic() + seconds))
            if share <= IDLE_SHARE:
                return
        check(False, f"it takes {share:.0%} of a core while nobody sends anything")

    def _check_use(self, written):
        more, kernel = self._most.memory - self._before.memory, self._most.sockets - self._before.sockets
        self.notes.append(f"{more / MIB:.0f}+{max(0, kernel) / MIB:.0f} MiB")
        check(more <= self._attack.memory * MIB, f"it took {more / MIB:.0f} MiB more, over {self._attack.memory}")
        check(kernel <= self._attack.sockets * MIB,
              f"the kernel took {kernel / MIB:.0f} MiB more, over {self._attack.sockets}")
        if self._attack.journal:
            least, most = self._attack.journal
            self.notes.append(f"{written:,} bytes of journal")
            check(least <= written <= most + HONEST_BYTES, f"{written} bytes were written to the journal")

    def _check_order(self, observer, connections, delays):
        """One order of events explains everything, the journal has the same, and each countdown was in time."""
        room = Room(history_of_observer(observer), has_journal=False)
        if self._attack.has_journal:
            journal = Journal(self._folder).read()
            compare(journal.history, room.history)
            check_with_server(self._testbed.server_path, self._folder, journal.history)
            room = journal.rooms["main"]
        bidders = {connection.label.partition("-")[0] for connection in connections}
        Judge({"main": room}, bidders).judge(connections, {})
        late = [moment for connection in connections[:COUNT] for moment in check_times(connection, delays)]
        if not any(word == "winner" and self._span[0] <= due <= self._span[1] for due, _, word in late):
            raise Late("no hammer was due during the attack, which is too short to show anything")
        self.notes.append(f"clock at most {max(own for _, own, _ in late) * 1e3:.0f} ms late")
