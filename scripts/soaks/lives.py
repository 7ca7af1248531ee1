"""A server that lives for minutes among clients who come and go, and is killed now and then."""

from __future__ import annotations

import collections
import os
import random
import statistics
import time

from attackers import connect
from bidder import Bidder
from checks import Failure, check
from journal import Journal, check_with_server
from judge import Judge
from machine import FORK, MIB, figures
from peer import reset
from programs import HOST
from protocol import save
from testbed import Testbed

BIDDERS = 8
SPACING = 0.01
RATE = 100
LIVES, SHORTEST_LIFE = 5, 40
LOT_SECONDS, SILENCE = 20, 1.5
"""How long they bid for a lot; then they are silent until it is sold."""
WARM_UP = 0.25
"""The share of a life in which memory is touched for the first time."""
SLACK = {"memory": 12 * MIB, "descriptors": 60, "threads": 0}
"""What the first and the last samples may differ by: the two rings of news, of 4 MiB each, fill slowly; about a
hundred clients are connected, and as many as happen to be."""
ADDRESS, STAY = "127.0.0.77", 1.0
"""The address of the clients who come and go, and about how many seconds they stay."""
WORDS = (b"", b"ping\n", b"status\nwho\nlaps\n", b"format json\n", b"bid 1", b"help\n", b"name %s\n",
         b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfd\x01", b"ping\r\nquit\r\n")


class Soak:
    """All lives, in one folder."""

    def __init__(self, programs, folder: str, minutes: float):
        self._programs, self._folder, self._data = programs, folder, os.path.join(folder, "data")
        self._seconds = minutes * 60
        self._bidders = [Bidder(number) for number in range(1, BIDDERS + 1)]
        self._journal = Journal(self._data, 1)
        self._judge = Judge(self._journal.game, self._journal.tokens, {bidder.name for bidder in self._bidders})
        self._port, self._came = FORK.Value("i", 0), FORK.Value("i", 0)
        self._growth = dict.fromkeys(SLACK, 0)
        self._amount = self._minutes = 0
        self._start = time.monotonic()

    def run(self) -> str:
        lives = max(1, min(LIVES, int(self._seconds // SHORTEST_LIFE)))
        crowd = FORK.Process(target=come_and_go, args=(self._port, self._seconds + 60, self._came), daemon=True)
        crowd.start()
        try:
            for life in range(1, lives + 1):
                self._live(life, self._seconds / lives)
            check_with_server(self._programs.server, self._data, self._journal.game)
        finally:
            crowd.kill()
            crowd.join()
        return (f"{lives} lives, {self._came.value} connections came, {self._judge.acknowledged} bids, "
                f"{self._journal.game.last} events, {len(self._journal.game.winners())} lots sold; "
                f"at most {self._growth['memory'] / MIB:.1f} MiB, {self._growth['descriptors']:g} descriptors and "
                f"{self._growth['threads']:g} threads more at the end of a life than at its start")

    def _live(self, life, seconds):
        """One run of the server, from its start to its death, and what can be proved of it."""
        testbed, floor, samples, connections = Testbed(self._programs), self._journal.game.last, [], []
        try:
            server = testbed.serve("--seconds", "1", "--pause", "0", "--data", self._data, "--threads", str(life % 2 + 1))
            self._port.value = testbed.port
            for bidder in self._bidders:
                bidder.enter(testbed, testbed.port)
                connections.append(bidder.peer.connection)
            self._bid(testbed, server.pid, life, seconds, samples)
            server.kill()
            testbed.wait(lambda: all(bidder.peer.has_ended for bidder in self._bidders), "a dead server's connection is open")
        finally:
            for connection in connections:
                connection.was_cut = True
            save(connections, os.path.join(self._folder, "transcript"))
            testbed.close()
        self._journal.read()
        self._judge.judge(connections, floor)
        self._journal.game.forget_states()
        self._check_flat(life, samples)

    def _bid(self, testbed, pid, life, seconds, samples):
        start = due = time.monotonic()
        while (now := time.monotonic()) < start + seconds:
            if now >= start + len(samples) + 1:
                samples.append(figures(pid))
                self._report(life, samples[-1])
            if now >= due and (now - start) % (LOT_SECONDS + SILENCE) < LOT_SECONDS:
                self._amount += 1
                bidder = self._bidders[self._amount % BIDDERS]
                if bidder.is_named:
                    bidder.ask(f"bid {self._amount}")
                due = max(due + SPACING, now - 1)
            testbed.pump(min(SPACING, max(0.001, due - now)))
            for bidder in self._bidders:
                check(not bidder.peer.has_ended, f"{bidder.name} lost the server in its life {life}")

    def _report(self, life, now):
        """Prints figures once a minute."""
        minute = int((time.monotonic() - self._start) // 60)
        if minute > self._minutes:
            self._minutes = minute
            print(f"minute {minute}: life {life}, {self._amount} bids, {self._came.value} connections came, "
                  f"{now.memory / MIB:.1f} MiB, {now.descriptors} descriptors, {now.threads} threads", flush=True)

    def _check_flat(self, life, samples):
        """The last samples are about as the first, after a while to warm up."""
        samples = samples[int(WARM_UP * len(samples)):]
        third = max(1, len(samples) // 3)
        for kind, slack in SLACK.items():
            before, after = (statistics.median(getattr(sample, kind) for sample in part)
                             for part in (samples[:third], samples[-third:]))
            if after > before + slack:
                raise Failure(f"in life {life} {kind} grew from {before:g} to {after:g}")
            self._growth[kind] = max(self._growth[kind], after - before)


def come_and_go(port, seconds, came):
    """Has clients come at a steady rate, whether the server is there or not; each stays a moment."""
    os.nice(10)
    chance, start = random.Random(7), time.monotonic()
    present = collections.deque()
    number = 0
    while (now := time.monotonic()) < start + seconds:
        while present and present[0][0] <= now:
            leave(present.popleft()[1], chance)
        if number > (now - start) * RATE:
            time.sleep(0.005)
            continue
        number += 1
        try:
            client = connect((HOST, port.value), ADDRESS, waits=False)
            client.send(chance.choice(WORDS).replace(b"%s", b"visitor-%d" % number))
        except OSError:
            continue  # The server is dead for the moment.
        came.value += 1
        present.append((now + chance.uniform(0, 2 * STAY), client))


def leave(client, chance):
    """Some read what they received, and some reset."""
    try:
        if chance.random() < 0.5:
            client.recv(1 << 16)
    except OSError:
        pass
    if chance.random() < 0.3:
        reset(client)
    else:
        client.close()
