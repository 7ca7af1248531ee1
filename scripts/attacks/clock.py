"""The countdown as one observer hears it: what is told of it, and when that was due."""

from __future__ import annotations

from typing import NamedTuple

from peer import Failure, check

IN_TIME = 0.25
"""Seconds after which what was due counts as late: a second of a countdown, a hammer, an `OK`."""


class Late(Failure):
    """That something came after its time, which a busy machine may be the cause of."""


class Moment(NamedTuple):
    """Something that was due at one moment and told at another, of the monotonic clock."""

    what: str
    due: float
    told: float


class Clock:
    """Follows the news of one observer; notes a complaint wherever a countdown is not as it must be.

    Each bid sets the countdown to the full seconds. From then on each whole second is told once, in
    order, and behind 0 the hammer falls. When each was due follows from the moment at which the
    observer was told the last price.
    """

    def __init__(self, seconds: int):
        self.seconds = seconds
        self.moments: list[Moment] = []
        """Each number told after the full seconds, and each hammer."""
        self.complaints: list[str] = []
        """What came out of order, as where a server stood still and its countdown began anew."""
        self.faults: list[str] = []
        """What no server may say, however busy the machine is."""
        self.sold = 0
        """How many lots were sold."""
        self._told: int | None = None
        self._price: float | None = None
        self._elapsed = 0
        self._is_reset = False

    def hear_lot(self):
        self._told, self._price, self._is_reset = None, None, False

    def hear_price(self, at: float, elapsed: int | None = None):
        """With the milliseconds since the lot opened, if they are known."""
        if self._is_reset and self._told != self.seconds:
            self.complaints.append(f"no COUNTDOWN {self.seconds} came after a price")
        self._price, self._elapsed, self._is_reset = at, elapsed, True

    def hear_countdown(self, number: int, at: float):
        expected = self.seconds if self._is_reset and self._told != self.seconds else (
            self._told - 1 if self._told is not None else None)
        if number > self.seconds:
            self.faults.append(f"COUNTDOWN {number} of {self.seconds}")
        elif number != expected:
            self.complaints.append(f"COUNTDOWN {number} came where {expected} was due")
        self._told, self._is_reset = number, False
        if self._price is not None and number < self.seconds:
            self.moments.append(Moment(f"COUNTDOWN {number}", self._price + self.seconds - number, at))

    def hear_winner(self, at: float, elapsed: int | None = None):
        """With the milliseconds since the lot opened, if they are known."""
        if elapsed is not None and elapsed - self._elapsed < 1000 * self.seconds:
            self.faults.append(f"a hammer {elapsed - self._elapsed} ms after the last bid")
        if self._told != 0:
            self.complaints.append(f"the hammer fell after COUNTDOWN {self._told}")
        if self._price is not None:
            self.moments.append(Moment("WINNER", self._price + self.seconds, at))
        self.sold += 1

    def judge(self, excuses) -> float:
        """Fails unless all came in order and in time; else by how many seconds at most it was late.

        What the machine was late itself is left out.
        """
        check(not self.faults, f"{len(self.faults)} times such as {self.faults[:1]}")
        if self.complaints:
            raise Late(self.complaints[0])
        most = 0.0
        for what, due, told in self.moments:
            own = told - due - excuses.between(due, told)
            if own > IN_TIME:
                raise Late(f"{what} was told {(told - due) * 1e3:.0f} ms after its time, "
                           f"{own * 1e3:.0f} ms of it by the server")
            most = max(most, own)
        return most


def follow(seconds: int, lines: list[str], times: list[float]) -> Clock:
    """The clock of an observer who hears text, from the price of a bid on."""
    clock = Clock(seconds)
    for line, at in zip(lines, times):
        word = line.partition(" ")[0]
        if word == "LOT":
            clock.hear_lot()
        elif word == "PRICE":
            clock.hear_price(at)
        elif word == "COUNTDOWN":
            clock.hear_countdown(int(line.split()[1]), at)
        elif word == "WINNER":
            clock.hear_winner(at)
    return clock
