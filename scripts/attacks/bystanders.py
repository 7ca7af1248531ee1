"""Five people who go on with the auction while somebody else attacks the server.

They are a process of their own. In each lot they bid in turn for a while, each a little more than
the one before, well below any limit; then they fall silent until the hammer falls, and only ask
whether the server is there. They note how long each bid takes to its `OK`, and to its price at
everybody, by the time stamps of the kernel; and they note what each of them is told of the
countdown, and when.

Beside each bid they measure a process that does the same work without the server.
"""

from __future__ import annotations

import os
import random
import re
import selectors
import socket
import sys
import tempfile
import time
from typing import NamedTuple

import stamps
from bidder import Bidder
from clock import Clock

COUNT = 5
SPACING = 0.02
"""Seconds from bid to bid: 10 lines a second of each, where 50 are allowed."""
PING_SPACING = 0.05
FIRST_AMOUNT = 10_000
PATIENCE = 30.0
LAYER_BIDS = 198
"""The lines that one connection may send at once (200), less the two with which it begins."""


class Plan(NamedTuple):
    """How the auction is played."""

    seconds: int = 2
    """The countdown."""
    bidding: float = 0.6
    """Seconds of bidding in each lot; then they wait for the hammer."""
    layers: int = 0
    """How many other clients make 198 bids each on the first lot, before anything else."""
    has_one_lot: bool = False
    """Whether they only wait after the first lot is sold."""
    source: tuple[str, int] | None = None
    """The local address from which they connect, if it matters."""


class Sample(NamedTuple):
    """The times of a bid, by the monotonic clock."""

    sent: float
    answered: float
    heard: float
    """When the last of them received its price."""
    alone: float
    """The seconds that a process without the server takes to write, to sync and to answer."""


class Reply(NamedTuple):
    """The times of a `ping` and its `OK`, by the monotonic clock."""

    sent: float
    answered: float


class Report(NamedTuple):
    """Everything that they measured."""

    samples: list[Sample]
    replies: list[Reply]
    clocks: list[Clock]


class Bystander(Bidder):
    """A bidder who bids when told to."""

    def __init__(self, number: int, path: str, seconds: int = 60):
        super().__init__(number, path, random.Random(number))
        self.prices: dict[int, float] = {}
        self.answers: dict[str, float] = {}
        self.complaint = ""
        self.clock = Clock(seconds)
        self.lots = 0
        self._now = 0.0

    def bid(self, amount: int) -> str:
        """The tag of the bid, which has been sent."""
        return self.ask(f"bid {amount}")

    def ask(self, *commands: str) -> str:
        """The tag of the last of these commands, which have been sent."""
        self._say(*commands)
        return f"r{self._run}b{self.number}n{self._serial}"

    def enter(self, *arguments):
        super().enter(*arguments)
        stamps.stamp(self.socket)

    @property
    def is_named(self) -> bool:
        return self._is_named

    def _receive(self) -> bytes:
        data, self._now = stamps.receive(self.socket)
        return data

    def _take(self, line: str):
        super()._take(line)
        if '"type":"price"' in line:
            self.prices[self._price] = self._now
            self.clock.hear_price(self._now, elapsed(line))
        elif '"type":"countdown"' in line:
            content = line.partition('"content":"')[2]
            self.clock.hear_countdown(int(content.partition('"')[0]), self._now)
        elif '"type":"winner"' in line:
            self.clock.hear_winner(self._now, elapsed(line))
        elif '"type":"lot"' in line:
            self.clock.hear_lot()
            self.lots += 1
        elif '"type":"ok"' in line and '"tag":"' in line:
            self.answers[line.partition('"tag":"')[2].partition('"')[0]] = self._now
        elif '"type":"error"' in line or '"type":"bye"' in line:
            self.complaint = f"{self.name} was told {line}"

    def _bid(self):
        """Never by itself."""


class Bystanders:
    """Runs in the process of its own; whoever made it talks to it over a pipe."""

    def __init__(self, port: int, logs: list[str], pipe, plan: Plan):
        self._plan = plan
        everybody = [Bystander(number, path, plan.seconds)
                     for number, path in enumerate(logs, start=1)]
        self._people, self._layers = everybody[:COUNT], everybody[COUNT:]
        self._pipe, self._amount = pipe, FIRST_AMOUNT
        self._samples: list[Sample] = []
        self._replies: list[Reply] = []
        self._selector = selectors.DefaultSelector()
        self._echo = echo()
        for person in everybody:
            person.source = plan.source
            person.enter(1, port, False, None)
            self._selector.register(person.socket, selectors.EVENT_READ, person)
            self._pump(lambda person=person: person.is_named)
        self._lay()

    def run(self):
        """Plays lots until told to stop, sends the report, and waits until told to leave."""
        self._pipe.send("ready")
        self._play_lot()
        self._pipe.send("sold")
        while not self._pipe.poll():
            if self._plan.has_one_lot:
                self._ping()
            else:
                self._play_lot()
        self._pipe.recv()
        self._pipe.send(Report(self._samples, self._replies,
                               [person.clock for person in self._people]))
        self._pump(self._pipe.poll, until=float("inf"))
        for person in (*self._people, *self._layers):
            person.close()

    def _lay(self):
        """Has the other clients bid in turn, so that the first lot has many bids."""
        amount = 0
        for layer in self._layers:
            amounts = range(amount + 1, amount + LAYER_BIDS + 1)
            tag = layer.ask(*(f"bid {each}" for each in amounts))
            self._pump(lambda layer=layer, tag=tag: tag in layer.answers)
            amount = amounts[-1]
        self._pump(lambda: not amount or all(amount in person.prices for person in self._people))

    def _play_lot(self):
        """Bids for a while, waits for the hammer, and then for the next lot if there is one."""
        until, turn, due = time.monotonic() + self._plan.bidding, 0, time.monotonic()
        lots = min(person.lots for person in self._people)
        sold = min(person.clock.sold for person in self._people)
        while time.monotonic() < until and not self._pipe.poll():
            self._samples.append(self._bid(self._people[turn % COUNT]))
            turn, due = turn + 1, max(due + SPACING, time.monotonic())
            self._pump(lambda: time.monotonic() >= due, until=due)
        patience = time.monotonic() + self._plan.seconds + PATIENCE
        while not self._pipe.poll() and not all(
                person.clock.sold > sold and (self._plan.has_one_lot or person.lots > lots)
                for person in self._people):
            if time.monotonic() > patience:
                raise TimeoutError(f"no hammer fell for {PATIENCE:g} s")
            self._ping()

    def _ping(self):
        """Waits a moment, and then each client in turn sends a `ping`."""
        due = time.monotonic() + PING_SPACING
        person = self._people[len(self._replies) % COUNT]
        sent = time.monotonic()
        tag = person.ask("ping")
        self._pump(lambda: tag in person.answers)
        self._replies.append(Reply(sent, person.answers.pop(tag)))
        self._pump(lambda: time.monotonic() >= due, until=due)

    def _bid(self, person) -> Sample:
        self._amount += 1
        sent = time.monotonic()
        tag = person.bid(self._amount)
        self._pump(lambda: tag in person.answers
                   and all(self._amount in other.prices for other in self._people))
        heard = max(other.prices.pop(self._amount) for other in self._people)
        answered = person.answers.pop(tag)
        start = time.monotonic()
        self._echo.sendall(b"x")
        self._echo.recv(1)
        return Sample(sent, answered, heard, time.monotonic() - start)

    def _pump(self, is_so, until: float | None = None):
        """Hears until it is so; that may take until a moment, or else the patience has an end."""
        deadline = time.monotonic() + PATIENCE if until is None else until
        while not is_so():
            left = deadline - time.monotonic()
            if left <= 0 and until is None:
                raise TimeoutError(f"the auction stood still for {PATIENCE:g} s")
            for key, _ in self._selector.select(max(0, min(left, 0.05))):
                key.data.hear()
                if key.data.socket is None or key.data.complaint:
                    raise ConnectionError(key.data.complaint or f"{key.data.name} lost the server")
            if until is not None and left <= 0:
                return


def elapsed(line: str) -> int:
    """The time of a price or a winner, in milliseconds since the lot opened."""
    return int(re.search(r'"elapsedMilliseconds":(\d+)', line)[1])


def echo() -> socket.socket:
    """A socket that answers each byte by as many steps as a bid takes in the server.

    One process hears it and hands it to another, which writes and syncs, and hands it back. So it
    waits for a core, and for the disk, as often as a bid does.
    """
    ours, front = socket.socketpair()
    front_to_disk, disk = socket.socketpair()
    if os.fork() == 0:
        for other in (ours, front, front_to_disk):
            other.close()
        keep(disk)
    disk.close()
    if os.fork() == 0:
        ours.close()
        while front.recv(1):
            front_to_disk.sendall(b"x")
            front_to_disk.recv(1)
            front.sendall(b"x")
        os._exit(0)
    front.close()
    front_to_disk.close()
    return ours


def keep(disk: socket.socket):
    """Writes and syncs before it answers, until nobody asks any more."""
    with tempfile.TemporaryFile() as file:
        while disk.recv(1):
            file.write(bytes(64))
            file.flush()
            os.fdatasync(file.fileno())
            disk.sendall(b"x")
    os._exit(0)


def run(port: int, logs: list[str], plan: Plan, pipe):
    """What the process does; a complaint takes the place of the report."""
    try:
        Bystanders(port, logs, pipe, plan).run()
    except BaseException as error:  # pylint: disable=broad-except
        pipe.send(f"a bystander: {error!r}")
        sys.exit(1)
