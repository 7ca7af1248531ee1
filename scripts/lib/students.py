"""Simulated students, who play a class by simple rules: the equilibrium or their value, with some noise.

With a common value they are naive: each takes its estimate for its value.
"""

from __future__ import annotations

import itertools
import os
import random
import urllib.request

from programs import HOST
from testbed import Testbed

LOW, HIGH, NOISE = 50, 150, 20
"""The range of all values, and the most by which an estimate is wrong."""
MISTAKE, RAISE = 3, 2
"""The standard deviation of what students bid, and by how much they raise a price."""
START = 120
"""Where a Dutch price begins: in a group of three nobody takes earlier."""
TABLES = "class.csv", "class-lots.csv"


class Student:
    """Bids once in each round with sealed bids, and up to a limit in the others."""

    def __init__(self, testbed: Testbed, name: str, rng: random.Random):
        self._rng, self._name = rng, name
        self._round = self._format = ""
        self._size = self._limit = 0
        self._is_open = False
        """Whether the lot of the round is open: the first lot that a group's room shows may be an earlier one."""
        self.peer = testbed.connect(name, waits=False)
        self.peer.on_line = self._receive
        self.peer.send_lines("join class", f"name {name}")

    def _receive(self, line):
        match line.split():
            case ["ROUND", number, *settings] if " group=" in line:
                # The title of the class is last.
                found = dict(word.split("=") for word in itertools.takewhile(lambda word: "=" in word, settings))
                self._round, self._format, self._size = number, found["format"], int(found["size"])
                self._is_open = False
            case ["LOT", _, *title]:
                self._is_open = title[-1:] == [self._round]
            case ["WORTH", *about, worth] if self._is_open:
                self._limit = max(1, round(self._rng.gauss(self._target(int(worth), bool(about)), MISTAKE)))
                if self._format != "dutch":
                    self._bid(min(LOW, self._limit) if self._format == "english" else self._limit)
            case ["PRICE", price, bidder, *_] if self._is_open and bidder != self._name and self._limit > int(price):
                self._bid(min(int(price) + RAISE, self._limit))
            case ["ASK", price, *_] if self._is_open and int(price) <= self._limit:
                self.peer.send_lines("take")

    def _bid(self, amount):
        self.peer.send_lines(f"bid {amount}")

    def _target(self, worth, is_estimate):
        """What a student without mistakes would bid.

        Source: V. Krishna, "Auction Theory", 2nd edition, 2010, chapters 2 and 3.
        """
        low, high = (LOW - NOISE, HIGH + NOISE) if is_estimate else (LOW, HIGH)
        chance = ((worth - low) / (high - low)) ** (self._size - 1)
        shaded = worth - (worth - low) / self._size
        return {"sealed": shaded, "dutch": shaded, "allpay": shaded * chance}.get(self._format, worth)


class Class:
    """A server that leads a class of simulated students, and its teacher."""

    def __init__(self, testbed: Testbed, plan: str, students: int, rng: random.Random):
        name = f"class-{testbed.moment()}"
        folder = os.path.join(testbed.folder, name)
        self._server = testbed.serve("--class", testbed.secret(f"{name}.txt", plan), "--data", folder)
        self._address = f"http://{HOST}:{testbed.port}/"
        with open(os.path.join(folder, "host-token"), encoding="ascii") as file:
            self._token = file.read().strip()
        self._teacher = testbed.connect("teacher", waits=False)
        self._students = [Student(testbed, f"s{number}", rng) for number in range(1, students + 1)]

    def start(self):
        for student in self._students:
            student.peer.expect("OK name .+")
        for command in (f"auctioneer {self._token}", "join class", "start"):
            self._teacher.request(command, f"OK {command.split()[0]}.*")

    def finish(self, seconds: float) -> list[str]:
        """Waits until the class is over; returns its two tables, and stops the server."""
        self._teacher.expect("OVER .+", seconds)
        tables = [self._fetch(name) for name in TABLES]
        self._server.stop()
        return tables

    def _fetch(self, name):
        request = urllib.request.Request(self._address + name, headers={"Authorization": f"Bearer {self._token}"})
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()


def play(testbed: Testbed, plans: list[str], students: int, rng: random.Random, seconds: float = 60) -> list[str]:
    """Plays classes at the same time, each with a server of its own; returns their two tables, joined."""
    classes = [Class(testbed, plan, students, rng) for plan in plans]
    for each in classes:
        each.start()
    tables = zip(*(each.finish(seconds) for each in classes))
    return [parts[0] + "".join(part.partition("\n")[2] for part in parts[1:]) for parts in tables]
