"""The state of an auction after an event, as everybody may know it."""

from __future__ import annotations

from typing import Iterator, NamedTuple

from terms import Terms


class Bid(NamedTuple):
    """An accepted bid, linked to the bid before it."""

    number: int
    amount: int
    bidder: str
    time: str
    before: Bid | None
    event: int

    def words(self) -> str:
        return f"{self.amount} {self.bidder} {self.time} {self.number}"


class State(NamedTuple):
    """The state after an event."""

    terms: Terms
    has_terms: bool = False
    """Whether the terms were announced, because they are not those of a plain English lot."""
    lot: int = 0
    title: str = ""
    is_open: bool = False
    bid: Bid | None = None
    """The last accepted bid of the lot, even after the lot has ended."""
    ask: int | None = None
    """What a Dutch lot costs now."""
    has_fallen: bool = False
    """Whether that was announced; the first ask is that of the terms."""
    sealed: int | None = None
    """How many have bid in private, once that was announced."""
    revealed: tuple[tuple[int, str], ...] = ()
    """The sealed bids that were revealed, the highest first."""
    is_met: bool = False
    """Whether it was announced that the reserve is met."""
    is_last: bool = False
    countdown: int | None = None
    """The number of the last `COUNTDOWN`, if it still holds."""
    is_reset: bool = False
    """Whether the countdown was reset, and its `COUNTDOWN` has not come yet."""
    is_hammered: bool = False
    is_won: bool = False
    """Whether somebody has taken the ask or paid the price that wins at once, so that the lot ends now."""
    outcome: str = ""
    outcome_event: int = 0
    value: str = ""
    over: str = ""
    champions: tuple[str, ...] = ()
    is_paused: bool = False
    elapsed: int = 0
    """The milliseconds from the opening of the lot to its last bid."""

    def minimum(self) -> int:
        """The least amount of the next bid."""
        if self.ask is not None:
            return self.ask
        if not self.bid or not self.terms.is_english:
            return self.terms.start
        return min(self.bid.amount + self.terms.step, self.terms.buy or self.bid.amount + self.terms.step)

    def snapshot(self) -> list[str]:
        """The lines of the snapshot for a newcomer."""
        lines = []
        if self.is_open:
            lines.append(f"LOT {self.lot} {self.title}")
            lines += [f"TERMS {self.terms.words()}"] if self.has_terms else []
            lines += [f"PRICE {self.bid.words()}"] if self.bid else []
            lines += [f"ASK {self.ask}"] if self.has_fallen else []
            lines += [f"SEALED {self.sealed}"] if self.sealed is not None else []
            lines += [f"REVEALED {amount} {bidder}" for amount, bidder in self.revealed[-1:]]
            lines += [f"COUNTDOWN {self.countdown}"] if self.countdown is not None else []
            lines += ["LAST"] if self.is_last else []
            lines += ["RESERVE met"] if self.is_met else []
        elif self.outcome:
            lines.append(self.outcome)
            lines += [self.value] if self.value else []
        if self.over:
            lines += [self.over, *self.champions]
        return [*lines, "PAUSED"] if self.is_paused else lines

    def laps(self) -> Iterator[Bid]:
        """The bids of the lot, the newest first."""
        bid = self.bid
        while bid:
            yield bid
            bid = bid.before
