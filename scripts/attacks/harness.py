"""The server under attack, the honest bidders who continue meanwhile, and the checks of both.

Lots are bid for and sold all the while. Whatever the attack, the judge finds one order of events that explains
what everybody received, and each number of each countdown, each hammer, the `OK` of each honest command and
the price of each honest bid come within 250 ms of their time. Percentiles are printed and not checked: of a few
dozen bids, one moment of a busy machine decides.
"""

from __future__ import annotations

import dataclasses
import os
import time
from typing import Callable

import attackers
from checks import Late, check
from honest import COUNT, HonestBidders, Plan
from history import compare, history_of_observer
from journal import Journal, Room, check_with_server
from judge import Judge
from machine import FORK, MIB, Control, figures, share_of_a_core
from peer import PATIENCE
from programs import HOST
from timing import check_times, own_delay

IDLE_SHARE = 0.05
MEASURE_SECONDS = 0.2
"""How often memory is measured, which takes some milliseconds."""
PAUSE, LONG_PAUSE = "0.2", "60"
"""Seconds between two lots: normally, and if there must be only one lot."""
LAYERS = 5
"""Five times 197 bids, so that `laps` has long answers."""
KERNEL_MEMORY = 200
"""MiB in addition for both ends of hundreds of connections that do not read."""
OUTPUT_BYTES = 64 << 10
"""The default limit of waiting output for each connection that does not read."""


@dataclasses.dataclass(frozen=True)
class Attack:
    """One attack: what the attackers do, and the bounds of the server meanwhile."""

    name: str
    TITLE: str
    acts: tuple[Callable, ...] = ()
    """What runs at the same time, each in a process of its own, with the server's address."""
    flags: tuple[str, ...] = ()
    memory: int = 32
    """How many MiB the server may use in addition."""
    sockets: int = 64
    """How many MiB the kernel may use in addition for sockets, of both ends."""
    plan: Plan = Plan()
    has_journal: bool = True
    VARIANTS: tuple = ((),)
    """Flags, or whatever `vary` takes."""
    vary: Callable | None = None
    """The attack for a variant, if that is more than flags."""
    play: Callable | None = None
    """Plays it in other words than its acts, given the harness."""
    play_alone: Callable | None = None
    """Plays it without honest bidders, given the testbed; returns notes."""
    NEEDS: tuple[str, ...] = ("ss",)
    PROGRAMS: tuple[str, ...] = ()

    def varied(self, variant) -> Attack:
        if self.vary:
            return self.vary(self, variant)
        return dataclasses.replace(self, flags=(*self.flags, *variant))


class Harness:
    """One server and its honest bidders; attackers come and go."""

    def __init__(self, testbed, attack: Attack):
        self.testbed, self.attack, plan = testbed, attack, attack.plan
        self.folder = os.path.join(testbed.folder, "data") if attack.has_journal else "none"
        pause = LONG_PAUSE if plan.has_one_lot else PAUSE
        self.server = testbed.serve("--seconds", str(plan.seconds), "--pause", pause, "--data", self.folder,
                                    *attack.flags, limits=())
        self.pid, self.address = self.server.pid, (HOST, testbed.port)
        self.notes: list[str] = []
        self.before = self.most = figures(self.pid, testbed.port)
        self._measured = 0.0
        self._attackers: list = []
        self._spans: list[tuple[float, float]] = []
        self._start: float | None = None
        self._quiet_end: float | None = None
        """When the lot without an attack was sold; None if there is only one lot."""
        self._control = Control(self.pid, testbed.folder if attack.has_journal else None)
        self._honest: HonestBidders | None = None

    def play(self):
        """Plays one lot without the attack, then the attack, and checks everything."""
        self._honest = HonestBidders(self.testbed, self.testbed.port, self.attack.plan, self._measure)
        if not self.attack.plan.has_one_lot:
            self._honest.play_lot()
            self._quiet_end = time.monotonic()
        self.before = self.most = figures(self.pid, self.testbed.port)
        if self.attack.play:
            self.attack.play(self)
        else:
            self.start(*self.attack.acts)
            self.join()
        self._end()

    def start(self, *acts):
        """Has attackers act, each in a process of its own; goes on at once."""
        self._start = self._start or time.monotonic()
        for act in acts:
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=attackers.run, args=(self.address, theirs, act))
            process.start()
            theirs.close()
            self._attackers.append((process, ours))

    def join(self, seconds: float = 120.0):
        """Plays until the attackers have ended; fails with the complaint of one of them."""
        start, self._start = self._start, None
        present, self._attackers = self._attackers, []
        try:
            self._honest.play_until(lambda: all(pipe.poll() for _, pipe in present)
                                    or time.monotonic() > start + seconds)
            check(time.monotonic() <= start + seconds, f"the attack goes on after {seconds:g} s")
            for process, pipe in present:
                complaint = pipe.recv()
                process.join(PATIENCE)
                check(not complaint, complaint)
        finally:
            self._spans.append((start, time.monotonic()))
            for process, _ in present:
                process.kill()

    def play_for(self, seconds: float):
        """Has the honest bidders play for a while."""
        until = time.monotonic() + seconds
        self._honest.play_until(lambda: time.monotonic() > until)

    def close(self):
        """Ends every process that is left."""
        self._control.close()
        if self._honest:
            self._honest.close()
        for process, _ in self._attackers:
            process.kill()
            process.join()

    def _measure(self):
        if time.monotonic() > self._measured + MEASURE_SECONDS:
            now = figures(self.pid, self.testbed.port)
            self.most = type(now)(*map(max, self.most, now))
            self._measured = time.monotonic()

    def _end(self):
        """Lets the auction end, and checks it."""
        self._wait_for_descriptors()
        if self.attack.plan.has_one_lot:
            self._honest.play_until(lambda: self._honest.has_sold)
        connections = self._honest.finish()
        delays = self._control.end()
        if self._quiet_end:
            self._check_idle()
        self._honest.close()
        self.server.stop()
        self._check_memory()
        self._check_order(connections, delays)
        self._check_samples(self._honest.samples, delays)

    # The checks

    def _wait_for_descriptors(self):
        """The attackers have gone, and nothing of them stays."""
        deadline = time.monotonic() + PATIENCE
        while (now := figures(self.pid)).descriptors > self.before.descriptors:
            check(time.monotonic() < deadline,
                  f"{now.descriptors} descriptors are open, {self.before.descriptors} were before")
            self.play_for(0.05)
        check(now.threads <= self.before.threads, f"{now.threads} threads")

    def _check_idle(self):
        """The server does nothing while nobody sends anything; it may take a moment to come to rest."""
        for _ in range(3):
            share = share_of_a_core(self.pid, lambda seconds: self.testbed.pump_until(time.monotonic() + seconds))
            if share <= IDLE_SHARE:
                return
        check(False, f"it takes {share:.0%} of a core while nobody sends anything")

    def _check_memory(self):
        more, kernel = self.most.memory - self.before.memory, self.most.sockets - self.before.sockets
        self.notes.append(f"{more / MIB:.0f}+{max(0, kernel) / MIB:.0f} MiB")
        check(more <= self.attack.memory * MIB, f"it took {more / MIB:.0f} MiB more, over {self.attack.memory}")
        check(kernel <= self.attack.sockets * MIB,
              f"the kernel took {kernel / MIB:.0f} MiB more, over {self.attack.sockets}")

    def _check_order(self, connections, delays):
        """One order of events explains everything, the journal has the same, and each countdown was in time."""
        room = Room(history_of_observer(connections[0]), has_journal=False)
        if self.attack.has_journal:
            journal = Journal(self.folder).read()
            compare(journal.history, room.history)
            check_with_server(self.testbed.server_path, self.folder, journal.history)
            room = journal.rooms["main"]
        bidders = {connection.label.partition("-")[0] for connection in connections}
        Judge({"main": room}, bidders).judge(connections, {})
        late = [moment for connection in connections[:COUNT] for moment in check_times(connection, delays)]
        if not any(word == "WINNER" and self._is_during_attack(due) for due, _, word in late):
            raise Late("no hammer was due during the attack, which is too short to show anything")
        self.notes.append(f"clock at most {max(own for _, own, _ in late) * 1e3:.0f} ms late")

    def _check_samples(self, samples, delays):
        """Every `OK` and every price of an honest bid came in time."""
        bids = [sample for sample in samples if sample.priced]
        answers = max(own_delay("an OK", sample.sent, sample.answered, delays) for sample in samples)
        prices = max((own_delay("a price", bid.sent, bid.priced, delays) for bid in bids), default=0.0)
        self.notes += [f"OK at most {answers * 1e3:.0f} ms", f"price at most {prices * 1e3:.0f} ms"]
        if not self._quiet_end:
            return
        during = [bid for bid in bids if self._is_during_attack(bid.sent)]
        if not during:
            raise Late("not one bid during the attack")
        before = [bid.priced - bid.sent for bid in bids if bid.sent <= self._quiet_end]
        usual, now = latest(before) * 1e3, latest(bid.priced - bid.sent for bid in during) * 1e3
        self.notes.append(f"p99 {usual:.1f} -> {now:.1f} ms of {len(during)} bids")

    def _is_during_attack(self, moment):
        return any(start <= moment <= end for start, end in self._spans)


def latest(times) -> float:
    """The time of which one in a hundred takes longer."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
