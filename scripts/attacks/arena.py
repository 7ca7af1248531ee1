"""The server under attack, the auction that goes on meanwhile, and the checks of both.

Lots are bid for and sold all the while. Whatever the attack, each number of each countdown is told
once and in order. Each number, each hammer, the `OK` of each honest command and the price of each
honest bid come within 250 ms of their time. See `control` for what is subtracted from that, and why.
Percentiles are printed and not checked: of a few dozen bids, one moment of a busy machine decides.
"""

from __future__ import annotations

import multiprocessing
import os
import time

import bystanders
import storm
from bystanders import Plan
from checker import Checker, check_with_server
from clock import Late, own_delay
from control import Control
from machine import MIB, figures, share_of_a_core
from peer import Failure, check

FORK = multiprocessing.get_context("fork")
PATIENCE = 20.0
IDLE_SHARE = 0.05
PAUSE, LONG_PAUSE = "0.2", "60"
"""Seconds between two lots: normally, and if there must be only one lot."""


class Arena:
    """One server and its bystanders; attackers come and go."""

    def __init__(self, room, *, flags=(), memory=32, sockets=64, plan=Plan(), journal=True,
                 strangers=()):
        """`memory` is how many MiB the server, and the kernel for its sockets, may use in addition.

        Strangers are attackers who make a bid.
        """
        self.room, self._plan, self._strangers = room, plan, strangers
        self.folder = os.path.join(room.folder, "data") if journal else "none"
        self.server = room.serve("--seconds", str(plan.seconds), "--pause",
                                 LONG_PAUSE if plan.has_one_lot else PAUSE, "--data", self.folder, *flags,
                                 limits=())
        self.pid, self.address = self.server.process.pid, (storm.HOST, room.port)
        self.notes: list[str] = []
        self._memory, self._sockets = memory * MIB, sockets * MIB
        self._attackers: list = []
        self._spans: list[tuple[float, float]] = []
        self._quiet_end: float | None = None
        """When the lot without an attack was sold; none if there is only one lot."""
        self._start: float | None = None
        self._bystanders = self._control = None
        self._logs = [os.path.join(room.folder, f"b{number}.log")
                      for number in range(1, bystanders.COUNT + plan.layers + 1)]

    # The order of things

    def open(self):
        """Starts the auction, and plays one lot without an attack, to measure it."""
        ours, theirs = FORK.Pipe()
        process = FORK.Process(target=bystanders.run, args=(
            self.room.port, self._logs, self._plan, theirs))
        process.start()
        theirs.close()
        self._bystanders = process, ours
        self._control = Control(self.pid, None if self.folder == "none" else self.room.folder)
        self._hear_bystanders("to begin")
        self.before = self.most = figures(self.pid)
        if not self._plan.has_one_lot:
            self._hear_bystanders("to sell a lot")
            self._quiet_end = time.monotonic()
            self.before = self.most = figures(self.pid)

    def storm(self, act, *arguments, processes=1):
        """Has attackers act, each in a process of its own; goes on at once."""
        self._start = self._start or time.monotonic()
        for number in range(processes):
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=storm.attack,
                                   args=(self.address, theirs, act, arguments))
            process.start()
            theirs.close()
            self._attackers.append((process, ours))

    def join(self, seconds: float = 120.0):
        """Waits until the attackers are done, who must be by then."""
        start, self._start = self._start, None
        attackers, self._attackers = self._attackers, []
        try:
            for process, pipe in attackers:
                while not pipe.poll():
                    check(time.monotonic() < start + seconds, f"still at it after {seconds:g} s")
                    if not self._bystanders[0].is_alive():
                        raise Failure(self._complaint())
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
        if self._plan.has_one_lot:
            self._hear_bystanders("to sell the lot")
        self._tell_bystanders("stop")
        report = self._hear_bystanders("to stop")
        excuses = self._control.end()
        if self._quiet_end:
            self._check_idle()
        self._tell_bystanders("leave")
        self._bystanders[0].join(PATIENCE)
        self.server.stop()
        if self.folder != "none":
            self._check_journal()
        self._check_memory()
        self._check_clocks(report.clocks, excuses)
        self._check_answers(report, excuses)
        if self._quiet_end:
            self._note_percentiles(report.samples)

    def end(self):
        """Ends whoever is left of those who were started."""
        if self._control:
            self._control.close()
        for process, _ in filter(None, (*self._attackers, self._bystanders)):
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
        check(said in ("ready", "sold") or not isinstance(said, str), said)
        return said

    def _tell_bystanders(self, word):
        try:
            self._bystanders[1].send(word)
        except BrokenPipeError:
            check(False, self._complaint())

    def _complaint(self):
        """The complaint of the bystanders, whose process has ended."""
        process, pipe = self._bystanders
        try:
            while isinstance(said := pipe.recv(), str) and said in ("ready", "sold"):
                pass
            return said
        except EOFError:
            return f"the bystanders ended: {process.exitcode}"

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
        checker = Checker(self.folder, self._logs, self._strangers)
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

    def _check_clocks(self, clocks, excuses):
        """Requires that every countdown came in order and in time."""
        lateness, hammers = 0.0, 0
        for clock in clocks:
            lateness = max(lateness, clock.judge(excuses))
            hammers += sum(what == "WINNER" and self._is_during_attack(due)
                           for what, due, _ in clock.moments)
        if not hammers:
            raise Late("no hammer was due during the attack, which is too short to show anything")
        self.notes.append(f"clock at most {lateness * 1e3:.0f} ms late")

    def _check_answers(self, report, excuses):
        """Requires that every `OK` and every price of an honest bid came in time."""
        answers = [("an OK", told.sent, told.answered) for told in (*report.samples, *report.replies)]
        prices = [("a price", sample.sent, sample.heard) for sample in report.samples]
        for kind, moments in (("OK", answers), ("price", prices)):
            most = max((own_delay(*moment, excuses) for moment in moments), default=0.0)
            self.notes.append(f"{kind} at most {most * 1e3:.0f} ms")

    def _note_percentiles(self, samples):
        """Notes what the latest of a hundred bids took to its price, before and during the attack."""
        before = [sample.heard - sample.sent for sample in samples if sample.sent <= self._quiet_end]
        during = [sample for sample in samples if self._is_during_attack(sample.sent)]
        if not during:
            raise Late("not one bid during the attack")
        times = [latest(before), latest(sample.heard - sample.sent for sample in during),
                 latest(sample.alone for sample in during)]
        usual, now, alone = (f"{seconds * 1e3:.1f}" for seconds in times)
        self.notes.append(f"p99 {usual} -> {now} ms of {len(during)} bids (machine {alone})")

    def _is_during_attack(self, moment):
        return any(start <= moment <= end for start, end in self._spans)


def latest(times) -> float:
    """The time of which one in a hundred takes longer."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
