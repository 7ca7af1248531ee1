"""Five people who go on with the auction while somebody else attacks the server.

They are a process of their own. They bid in turn, each a little more than the one before, well
below any limit, and note how long each bid takes to its `OK`, and to its price at everybody. In
between they note how long the same way takes without the server, which is what the machine itself
makes of the load.
"""

from __future__ import annotations

import os
import random
import selectors
import socket
import sys
import tempfile
import time
from typing import NamedTuple

from bidder import Bidder
from machine import wait_for_a_core

COUNT = 5
SPACING = 0.02
"""Seconds from bid to bid: 10 lines a second of each, where 50 are allowed."""
FIRST_AMOUNT = 1000
PATIENCE = 30.0


class Sample(NamedTuple):
    """What became of a bid made at this moment of the monotonic clock; the rest is seconds.

    They leave out what the server, or who measures, waited for a core that others had: nobody here
    can help that, and it is little where the machine has nothing else to do.
    """

    sent: float
    answered: float
    heard: float
    alone: float
    """What a process takes to do as much on the same machine: to write, to sync and to answer."""


class Bystander(Bidder):
    """A bidder who bids when told to."""

    def __init__(self, number: int, path: str):
        super().__init__(number, path, random.Random(number))
        self.prices: dict[int, float] = {}
        self.answers: dict[str, float] = {}
        self.complaint = ""

    def bid(self, amount: int) -> str:
        """The tag of the bid, which has been sent."""
        self._say(f"bid {amount}")
        return f"r{self._run}b{self.number}n{self._serial}"

    @property
    def is_named(self) -> bool:
        return self._is_named

    def hear(self):
        self._now = time.monotonic()
        super().hear()

    def _take(self, line: str):
        super()._take(line)
        if '"type":"price"' in line:
            self.prices[self._price] = self._now
        elif '"type":"ok"' in line and '"tag":"' in line:
            self.answers[line.partition('"tag":"')[2].partition('"')[0]] = self._now
        elif '"type":"error"' in line or '"type":"bye"' in line:
            self.complaint = f"{self.name} was told {line}"

    def _bid(self):
        """Never by itself."""


class Bystanders:
    """Runs in the process of its own; whoever made it talks to it over a pipe."""

    def __init__(self, port: int, logs: list[str], pipe, server: int):
        self._server = server
        self._people = [Bystander(number, path) for number, path in enumerate(logs, start=1)]
        self._pipe, self._amount = pipe, FIRST_AMOUNT
        self._selector = selectors.DefaultSelector()
        self._echo = echo()
        for person in self._people:
            person.enter(1, port, False, None)
            self._selector.register(person.socket, selectors.EVENT_READ, person)
            self._pump(lambda person=person: person.is_named)

    def run(self):
        """Bids until told to stop, then hands over all the samples; waits to be told to leave."""
        samples, turn, due = [], 0, time.monotonic()
        self._pipe.send("ready")
        while not self._pipe.poll():
            samples.append(self._bid(self._people[turn % COUNT]))
            turn, due = turn + 1, max(due + SPACING, time.monotonic())
            self._pump(lambda: time.monotonic() >= due, until=due)
        self._pipe.recv()
        self._pipe.send(samples)
        self._pump(self._pipe.poll, until=float("inf"))
        for person in self._people:
            person.close()

    def _bid(self, person) -> Sample:
        self._amount += 1
        waited = wait_for_a_core(self._server, os.getpid())
        sent = time.monotonic()
        tag = person.bid(self._amount)
        self._pump(lambda: tag in person.answers
                   and all(self._amount in other.prices for other in self._people))
        heard = max(other.prices.pop(self._amount) for other in self._people)
        answered = person.answers.pop(tag)
        waited = wait_for_a_core(self._server, os.getpid()) - waited
        start = time.monotonic()
        self._echo.sendall(b"x")
        self._echo.recv(1)
        alone = time.monotonic() - start
        return Sample(sent, max(0, answered - sent - waited), max(0, heard - sent - waited), alone)

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


def run(port: int, logs: list[str], pipe, server: int):
    """What the process does; a complaint takes the place of the samples."""
    try:
        Bystanders(port, logs, pipe, server).run()
    except BaseException as error:  # pylint: disable=broad-except
        pipe.send(f"a bystander: {error!r}")
        sys.exit(1)
