"""The server under attack, the auction that goes on beside it, and what must not come of it."""

from __future__ import annotations

import multiprocessing
import os
import time

import bystanders
import storm
from checker import Checker, check_with_server
from machine import MIB, figures, share_of_a_core
from peer import Failure, check

FORK = multiprocessing.get_context("fork")
QUIET = 1.2
"""Seconds of the auction alone, against which the attack is measured."""
FLOOR = 0.015
"""Seconds below which nobody is held to have waited: two turns of a scheduler with other work."""
LATEST = 0.99
PATIENCE = 20.0
IDLE_SHARE = 0.05


class Late(Failure):
    """That the bystanders waited, which a busy machine may be the cause of."""


class Arena:
    """One server and its bystanders; attackers come and go."""

    def __init__(self, room, *, seconds="60", flags=(), memory=32, sockets=64):
        """Memory is what the server, and the kernel for its sockets, may take more, in MiB."""
        self.room = room
        self.folder = os.path.join(room.folder, "data")
        self.server = room.serve("--seconds", seconds, "--data", self.folder, *flags,
                                 limits=())
        self.pid, self.address = self.server.process.pid, (storm.HOST, room.port)
        self.notes: list[str] = []
        self._memory, self._sockets = memory * MIB, sockets * MIB
        self._attackers: list = []
        self._spans: list[tuple[float, float]] = []
        self._bystanders = self._samples = None
        self._logs = [os.path.join(room.folder, f"b{number}.log")
                      for number in range(1, bystanders.COUNT + 1)]

    # The order of things

    def open(self):
        """Lets the auction begin, and takes note of how it goes while nothing else does."""
        ours, theirs = FORK.Pipe()
        process = FORK.Process(target=bystanders.run, args=(self.room.port, self._logs, theirs, self.pid))
        process.start()
        theirs.close()
        self._bystanders = (process, ours)
        self._hear_bystanders("to begin")
        self.pass_time(0.3)
        self._quiet = time.monotonic(), time.monotonic() + QUIET
        self.pass_time(QUIET)
        self.before = self.most = figures(self.pid)

    def storm(self, act, *arguments, processes=1):
        """Has attackers act, each in a process of its own; goes on at once."""
        for number in range(processes):
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=storm.attack,
                                   args=(self.address, theirs, act, arguments))
            process.start()
            theirs.close()
            self._attackers.append((process, ours))

    def join(self, seconds: float = 120.0):
        """Waits until the attackers are done, who must be by then."""
        start = time.monotonic()
        attackers, self._attackers = self._attackers, []
        try:
            for process, pipe in attackers:
                while not pipe.poll():
                    check(time.monotonic() < start + seconds, f"still at it after {seconds:g} s")
                    self.pass_time(0.05)
                complaint = pipe.recv()
                process.join(PATIENCE)
                check(not complaint, complaint)
        finally:
            self._spans.append((start, time.monotonic()))
            for process, _ in attackers:
                process.kill()

    def pass_time(self, seconds: float):
        """Lets time pass, and looks at the server meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.room.pump(min(left, 0.1))
            if hasattr(self, "most"):
                now = figures(self.pid)
                self.most = type(now)(*map(max, self.most, now))

    def close(self):
        """Lets the auction end, and holds that it was a good one."""
        self._wait_for_descriptors()
        process, pipe = self._bystanders
        pipe.send("stop")
        samples = self._hear_bystanders("to stop")
        self._check_idle()
        pipe.send("leave")
        process.join(PATIENCE)
        self.server.stop()
        self._check_journal()
        self._check_memory()
        self._check_times(samples)

    def end(self):
        """Ends whoever is left of those who were started."""
        for process, _ in [*self._attackers, *([self._bystanders] if self._bystanders else [])]:
            if process.is_alive():
                process.kill()
            process.join()

    # What must be so

    def _hear_bystanders(self, purpose):
        process, pipe = self._bystanders
        deadline = time.monotonic() + 2 * bystanders.PATIENCE
        while not pipe.poll():
            check(time.monotonic() < deadline, f"no bystander was ready {purpose}")
            self.pass_time(0.02)
        try:
            said = pipe.recv()
        except EOFError:
            said = f"the bystanders ended instead of {purpose}: {process.exitcode}"
        check(said == "ready" or not isinstance(said, str), said)
        return said

    def _wait_for_descriptors(self):
        """Whoever attacked is gone, and nothing of them stays."""
        deadline = time.monotonic() + PATIENCE
        while (now := figures(self.pid)).descriptors > self.before.descriptors:
            check(time.monotonic() < deadline,
                  f"{now.descriptors} descriptors are open, {self.before.descriptors} were before")
            self.pass_time(0.05)
        check(now.threads <= self.before.threads, f"{now.threads} threads")

    def _check_idle(self):
        """Now that nobody says anything, nothing is done; a moment's rest may come first."""
        shares = []
        for _ in range(3):
            shares.append(share_of_a_core(self.pid, self.pass_time))
            if shares[-1] <= IDLE_SHARE:
                return
        check(False, f"it takes {shares[-1]:.0%} of a core while nobody says anything")

    def _check_journal(self):
        """Whatever was told is in the journal, and everybody was told the same."""
        checker = Checker(self.folder, self._logs)
        try:
            checker.look()
            check_with_server(self.room.server_path, self.folder, checker.ledger)
        finally:
            checker.close()

    def _check_memory(self):
        more = self.most.memory - self.before.memory
        kernel = self.most.sockets - self.before.sockets
        self.notes.append(f"{more / MIB:.0f}+{max(0, kernel) / MIB:.0f} MiB")
        check(more <= self._memory,
              f"it took {more / MIB:.0f} MiB more, over {self._memory / MIB:g}")
        check(kernel <= self._sockets,
              f"the kernel took {kernel / MIB:.0f} MiB more, over {self._sockets / MIB:g}")

    def _check_times(self, samples):
        """The latest of a hundred waited at most twice as long as before the attack.

        Or twice as long as the machine took, under the same load, for the same without the server.
        """
        during = [sample for sample in samples
                  if any(start <= sample.sent <= end for start, end in self._spans)]
        before = [sample for sample in samples if self._quiet[0] <= sample.sent <= self._quiet[1]]
        if not self._spans:
            return
        check(len(before) >= 20, f"only {len(before)} bids before the attack")
        check(during, "not one bid during the attack")
        alone = latest(during, "alone")
        for kind in ("answered", "heard"):
            usual, now = latest(before, kind), latest(during, kind)
            bound = 2 * max(usual, alone, FLOOR)
            if now > bound:
                raise Late(f"bids were {kind} in {now * 1e3:.1f} ms (p99 of {len(during)}), over "
                           f"{bound * 1e3:.1f}: before {usual * 1e3:.1f}, "
                           f"without the server {alone * 1e3:.1f}")
        self.notes.append(f"p99 {latest(before, 'heard') * 1e3:.1f} -> "
                          f"{latest(during, 'heard') * 1e3:.1f} ms of {len(during)} bids "
                          f"(machine {alone * 1e3:.1f})")


def latest(samples, kind):
    """The time of which one in a hundred takes longer."""
    times = sorted(getattr(sample, kind) for sample in samples)
    return times[min(len(times) - 1, int(LATEST * len(times)))]
