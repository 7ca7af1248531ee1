"""The terms of a lot, as `TERMS` and the journal's `PLAN` say them, and the automatic bids for maximum bids."""

from __future__ import annotations

from typing import NamedTuple

FORMATS = ("english", "dutch", "sealed", "vickrey")


class Terms(NamedTuple):
    """What everybody may know of how a lot is sold."""

    seconds: int
    format: str = "english"
    start: int = 1
    step: int = 1
    has_reserve: bool = False
    buy: int | None = None
    longest: str | None = None
    """Seconds, which may have a decimal point."""

    @property
    def is_english(self) -> bool:
        """Whether the countdown begins with the first bid; else it begins with the lot."""
        return self.format == "english"

    @property
    def is_sealed(self) -> bool:
        return self.format in ("sealed", "vickrey")

    def words(self) -> str:
        words = [f"format={self.format} seconds={self.seconds} start={self.start} step={self.step}"]
        words += ["reserve=yes"] if self.has_reserve else []
        words += [f"{name}={value}" for name, value in (("buy", self.buy), ("longest", self.longest)) if value]
        return " ".join(words)

    def next_ask(self, ask: int, reserve: int | None) -> int:
        """The ask to which a Dutch lot falls next; the last is the reserve, or 1."""
        return max(ask - self.step, reserve or 1)

    def asks(self, reserve: int | None) -> list[int]:
        """All asks of a Dutch lot, each of which lasts the same part of its seconds."""
        asks = [self.start]
        while asks[-1] > (reserve or 1):
            asks.append(self.next_ask(asks[-1], reserve))
        return asks


def parse(words: str, base: Terms) -> tuple[Terms, int | None]:
    """The terms in words, and the reserve if they have its amount; what they leave out is that of the base.

    - Throws: `ValueError` if a word is none of `NAME=VALUE`, or a name is unknown.
    """
    fields, reserve = base._asdict(), None
    for word in words.split():
        name, sign, value = word.partition("=")
        if not sign or name not in (*fields, "reserve"):
            raise ValueError(f"no term: {word!r}")
        if name == "reserve":
            fields["has_reserve"], reserve = True, None if value == "yes" else int(value)
        elif name == "format":
            fields[name] = FORMATS[FORMATS.index(value)]
        else:
            fields[name] = value if name == "longest" else int(value)
    return Terms(**fields), reserve


class Maximum(NamedTuple):
    """A bidder's maximum bid; of two equal ones that with the smaller order is older."""

    amount: int
    order: int


def automatic_bid(leader: tuple[str, int] | None, minimum: int, terms: Terms, maxima: dict[str, Maximum],
                  reserve: int | None, self_raise: bool = False) -> tuple[str, int] | None:
    """The bidder and the amount of the next automatic bid, the least that leads; None if there is none.

    The highest maximum of anybody but the leader is considered, if it reaches the minimum of the next bid. It answers
    the leader's own maximum in one step, and the leader answers in return. A maximum that reaches a reserve that the
    price does not meet bids the reserve; that of a leader whom nobody challenges only with `self_raise`.
    """
    name, price = leader or (None, 0)
    own = maxima[name].amount if name in maxima else 0
    needed = reserve if reserve and price < reserve else 0
    bid = _challenge(name, own, minimum, terms, maxima)
    if bid is None:
        bid = (name, minimum) if self_raise and needed and own >= max(needed, minimum) else None
    if bid is None:
        return None
    bidder, amount = bid
    if amount < needed <= maxima[bidder].amount:
        amount = needed
    return bidder, min(amount, terms.buy or amount)


def _challenge(leader, own, minimum, terms, maxima):
    """The bid that the best maximum of the others leads to."""
    rivals = [(most.amount, -most.order, name) for name, most in maxima.items()
              if name != leader and most.amount >= minimum]
    if not rivals:
        return None
    highest, _, rival = max(rivals)
    if own < minimum:
        # The leader has no answer.
        return rival, minimum
    if highest > own:
        return rival, min(highest, own + terms.step)
    # The challenger bids all it has, so that everybody sees why it is outbid.
    return (rival, highest) if own >= highest + terms.step else (leader, highest)
