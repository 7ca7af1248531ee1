"""Checks the countdown that one observer receives: its numbers, and when each was due."""

from __future__ import annotations

from typing import NamedTuple

from peer import Failure, check

IN_TIME = 0.25
"""The most seconds by which a `COUNTDOWN`, a hammer, an `OK` or a price may come after its time."""


class Late(Failure):
    """Something came after its time; a busy machine may be the cause."""


class Moment(NamedTuple):
    """When something was due and when it was received, by the monotonic clock."""

    what: str
    due: float
    told: float


class Clock:
    """Follows the news of one observer, and records each error of a countdown.

    Each bid resets the countdown to the full seconds. After that each whole second comes once, in
    order, and after 0 the hammer falls. The due times are counted from the moment at which the
    observer received the last price.
    """

    def __init__(self, seconds: int):
        self.seconds = seconds
        self.moments: list[Moment] = []
        """Each number after the full seconds, and each hammer."""
        self.complaints: list[str] = []
        """Errors of order, which can occur if a server stood still and restarted its countdown."""
        self.faults: list[str] = []
        """Errors that are never allowed, however busy the machine is."""
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
        """Returns the greatest delay in seconds; fails if anything was out of order or late.

        Delays of the machine itself are subtracted.
        """
        check(not self.faults, f"{len(self.faults)} times such as {self.faults[:1]}")
        if self.complaints:
            raise Late(self.complaints[0])
        return max((own_delay(*moment, excuses) for moment in self.moments), default=0.0)


def own_delay(what: str, due: float, told: float, excuses) -> float:
    """Returns the seconds by which the server told something late; fails if they are too many.

    Delays of the machine itself are subtracted.
    """
    own = max(0.0, told - due - excuses.between(due, told))
    if own > IN_TIME:
        raise Late(f"{what} was told {(told - due) * 1e3:.0f} ms after its time, "
                   f"{own * 1e3:.0f} ms of it by the server")
    return own


def follow(seconds: int, lines: list[str], times: list[float]) -> Clock:
    """The clock of an observer of the text format, from the first price on."""
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
