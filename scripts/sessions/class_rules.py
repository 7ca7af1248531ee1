"""What follows for a class from its file and from what its students received: lots, earnings, and the rows of its tables.

It has its own rules of the formats, and its own theory, and uses no code of the server.
"""

from __future__ import annotations

import collections
import csv
import io
import math
import re

from checks import check

SECRET = "sealed", "vickrey", "allpay"
COLUMNS = ("session,round,practice,treatment,format,group,size,bidder,value,estimate,maximum,bids,bid,won,price,payment,"
           "profit,efficiency,equilibrium").split(",")
LOT_COLUMNS = ("session,round,practice,treatment,format,group,size,winner,price,revenue,winner_value,highest_value,"
               "efficiency,theoretical_revenue").split(",")
DECIMALS = {"efficiency": 4, "equilibrium": 2, "theoretical_revenue": 2}
LONGEST = 60_000
"""Milliseconds that no lot of these classes takes."""
SHOWN = 12
"""The differences that a failure lists."""

Round = collections.namedtuple("Round", "format treatment is_practice place")
"""`place` is the number within the treatment; practice counts apart."""


class Plan:
    """The file of a class, as far as lots and tables follow from it."""

    def __init__(self, text):
        lines = (line.partition("#")[0].split(None, 1) for line in text.splitlines())
        settings = {word: rest[0].strip() for word, *rest in filter(None, lines)}
        low, high, *noise = map(int, re.findall(r"\d+", settings.get("common") or settings.get("values", "50..150")))
        self.values, self.noise = (low, high), noise[0] if noise else None
        self.start, self.reserve = int(settings.get("start", 1)), int(settings.get("reserve", 0))
        self.has_same_draws = settings.get("same") == "draws"
        self.rounds = list(rounds_of(settings["rounds"]))


def rounds_of(text):
    """The rounds, in their order."""
    parts = [part.split() for part in text.split(",")]
    treatment, counts = 1, collections.Counter()
    for place, (count, *kind) in enumerate(parts):
        is_practice = kind[0] == "practice"
        kinds = [kind[1:], *(later[1:] for later in parts[place + 1:])] if is_practice else [kind]
        name = next(words[-1] for words in kinds if words and words[0] != "practice")
        for _ in range(int(count)):
            counts[is_practice] += 1
            yield Round(name, treatment, is_practice, counts[is_practice])
        if not is_practice:
            treatment, counts = treatment + 1, collections.Counter()


class Theory:
    """An auction with private values that are drawn evenly, as its risk-neutral bidders should bid.

    A bidder pays on average what the highest of its rivals is worth, where that one is lower: that is the bid at a first
    price, and times the chance to win it is the bid where all pay. The seller gets the virtual value of the highest.
    """

    def __init__(self, plan, kind, bidders):
        self.kind, self.rivals = kind, bidders - 1
        self.low, self.high = plan.values
        # An asking price falls below any start.
        self.start = 1 if kind == "dutch" else plan.start

    def part(self, value):
        """The part of all values that are lower."""
        return min(max((value - self.low) / (self.high - self.low), 0), 1)

    def chance(self, value):
        """The chance that all rivals have lower values."""
        return self.part(value) ** self.rivals

    def bids(self, value):
        """Whether a bidder with this value bids: the start must be worth the chance to win."""
        return value * (self.chance(value) if self.kind == "allpay" else 1) >= self.start

    def least(self):
        """The least value that bids."""
        low, high = self.low, self.high
        if self.bids(low):
            return low
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if self.bids(middle) else (middle, high)
        return high

    def bid(self, value):
        """The bid of the equilibrium; None for no bid."""
        if not self.bids(value):
            return None
        if self.kind in ("english", "vickrey") or value == self.low:
            return float(value)
        least = self.least()
        # The highest of the rivals, if it is between the two, times its density.
        mean = integral(lambda rival: rival * self.rivals * self.part(rival) ** (self.rivals - 1), least, value)
        paid = least * self.chance(least) + mean / (self.high - self.low)
        return paid if self.kind == "allpay" else paid / self.chance(value)

    def revenue(self):
        """What the seller can expect."""
        bidders = self.rivals + 1
        return integral(lambda value: (2 * value - self.high) * bidders * self.part(value) ** self.rivals,
                        self.least(), self.high) / (self.high - self.low)


class CommonTheory:
    """The equilibrium of bidders with estimates of a common value: P. Milgrom and R. Weber, Econometrica 50, 1982."""

    def __init__(self, plan, kind, bidders):
        (self.low, self.high), self.noise, self.kind, self.bidders = plan.values, plan.noise, kind, bidders

    def bid(self, estimate):
        """The bid of the equilibrium; None in a format for which none is known."""
        if self.kind == "allpay":
            return None
        if self.kind in ("english", "vickrey"):
            return self._value_if_tied(estimate)[0]
        # In each short step the bid comes nearer to the value, as fast as rivals are met.
        first, steps = self.low - self.noise, 20_000
        step, bid = (estimate - first) / steps, float(self.low)
        for index in range(steps):
            value, rate = self._value_if_tied(first + (index + 0.5) * step)
            bid = value + (bid - value) * math.exp(-rate * step)
        return bid

    def _value_if_tied(self, estimate):
        """The expected value if one rival has the same estimate and none a higher one, and the rate of such rivals."""
        rivals, width = self.bidders - 1, 2 * self.noise
        # The part of estimates that are lower, with the highest and with the lowest value that is possible.
        few = max(0, (estimate + self.noise - self.high) / width)
        many = min(1, (estimate + self.noise - self.low) / width)
        if many - few < 1e-9:
            return float(min(max(estimate, self.low), self.high)), 0
        tied = (many ** rivals - few ** rivals) / rivals
        lower = (many ** (rivals + 1) - few ** (rivals + 1)) / (rivals + 1)
        return estimate + self.noise - width * lower / tied, rivals * tied / (width * lower)

    def revenue(self):
        """None, because it has no simple form."""
        return None


def integral(function, low, high, pieces=64):
    """The integral by Simpson's rule, which is exact enough for powers of a group's size."""
    width = (high - low) / (2 * pieces)
    inner = sum((4 if place % 2 else 2) * function(low + place * width) for place in range(1, 2 * pieces))
    return (function(low) + inner + function(high)) * width / 3


class GroupLot:
    """How the lot of a group ended by the rules of its format; it fails if the students saw something else.

    A play has what one student saw and did in a round; see `Play`.
    """

    def __init__(self, plan, number, group, plays):
        """The plays by name."""
        self.plan, self.number, self.group, self.plays = plan, number, group, plays
        self.round = plan.rounds[number - 1]
        self.kind = self.round.format
        self.where = f"round {number}, {self.kind}, group {group}: "
        self.theory = (Theory if plan.noise is None else CommonTheory)(plan, self.kind, len(plays))
        for name, play in plays.items():
            told = play.format, play.is_practice, play.place[2]
            check(told == (self.kind, self.round.is_practice, len(plays)), f"{self.where}{name} was told {told}")
        self.worths = {name: self._only(play.worths, f"the values of {name}") for name, play in plays.items()}
        self.common = None
        self._check_worths()
        self.outcome = self._only({play.outcome for play in plays.values() if play.outcome}, "the ends of the lot")
        self.is_closed = self.outcome == "PASSED closed"
        self.bids: dict[str, list[int]] = {name: [] for name in plays}
        """All accepted bids of each bidder, in their order."""
        self.winner = self.price = None
        if self.kind in SECRET:
            self._check_sealed()
        elif self.kind == "english":
            self._check_english()
        else:
            self._check_dutch()
        self.payments = dict.fromkeys(plays, 0)
        if self.winner and self.kind == "allpay":
            self.payments |= self.counted
        elif self.winner:
            self.payments[self.winner] = self.price
        unsold = "PASSED reserve-not-met" if self.counted else "PASSED no-bids"
        end = f"WINNER {self.winner} {self.price}" if self.winner else unsold
        check(self.is_closed or self.outcome == end, f"{self.where}{self.outcome}, but it has to be {end}", self.bids)

    def value(self, name):
        """What the lot is worth to a bidder who wins it."""
        return self.worths[name] if self.common is None else self.common

    def profit(self, name):
        return (self.value(name) if name == self.winner else 0) - self.payments[name]

    @property
    def counted(self) -> dict[str, int]:
        """The newest bids that were not taken back, as a kick does with a sealed bid."""
        kicked = {name for name, play in self.plays.items() if play.is_kicked and self.kind in SECRET}
        return {name: bids[-1] for name, bids in self.bids.items() if bids and name not in kicked}

    def _only(self, found, what):
        check(len(found) == 1, f"{self.where}{what} are {found}")
        return next(iter(found))

    def _check_worths(self):
        (low, high), noise = self.plan.values, self.plan.noise
        estimates = {play.is_estimate for play in self.plays.values()}
        check(estimates == {noise is not None}, f"{self.where}whether a value is an estimate: {estimates}")
        if noise is None:
            check(all(low <= worth <= high for worth in self.worths.values()), f"{self.where}values {self.worths}")
            return
        self.common = self._only({value for play in self.plays.values() for value in play.values}, "the common values")
        check(low <= self.common <= high, f"{self.where}the common value {self.common}")
        check(all(abs(worth - self.common) <= noise for worth in self.worths.values()),
              f"{self.where}the value {self.common} has the estimates {self.worths}")

    def _check_sealed(self):
        revealed = max((play.revealed for play in self.plays.values()), key=len)
        told = {bidder: amount for amount, bidder in revealed}
        check(len(told) == len(revealed), f"{self.where}a bid was revealed twice", revealed)
        for name, play in self.plays.items():
            bid = told.get(name)
            self.bids[name] = self._bids_of_absent(name, bid) if play.is_absent else play.accepted(bid)
        if self.is_closed:
            return
        counted = self.counted
        check(told == counted, f"{self.where}revealed was {told}, but they had bid {counted}")
        amounts = sorted(counted.values(), reverse=True)
        check([amount for amount, _ in revealed] == amounts, f"{self.where}revealed in a wrong order", revealed)
        if revealed and amounts[0] >= self.plan.reserve:
            self.winner = revealed[0][1]
            second = max((*amounts[1:], self.plan.start)[0], self.plan.reserve)
            self.price = second if self.kind == "vickrey" else amounts[0]

    def _bids_of_absent(self, name, told):
        """What the server bids for somebody who has left before bidding; half of an amount may be rounded either way."""
        bid = self.theory.bid(self.worths[name])
        return [] if bid is None else [told if told and is_near(told, bid, 0.5) else round(bid)]

    def _check_english(self):
        prices = {number: price for play in self.plays.values() for number, price in play.prices.items()}
        for play in self.plays.values():
            check(prices | play.prices == prices, f"{self.where}not all saw the same prices", prices, play.prices)
        check(sorted(prices) == list(range(1, len(prices) + 1)), f"{self.where}a price is missing", prices)
        rising = [amount for _, (amount, _) in sorted(prices.items())]
        check(rising == sorted(set(rising)), f"{self.where}the price fell", prices)
        for _, (amount, bidder) in sorted(prices.items()):
            self.bids[bidder].append(amount)
        if prices and not self.is_closed:
            self.price, self.winner = prices[len(prices)]
        for name, play in self.plays.items():
            limit = self.theory.bid(self.worths[name])
            check(not play.is_absent or name == self.winner or (self.price or 0) >= limit - 0.5,
                  f"{self.where}the server did not bid {limit} for {name}", self.bids)

    def _check_dutch(self):
        asks = [ask for play in self.plays.values() for ask in play.asks]
        if self.is_closed or self.outcome.startswith("PASSED"):
            return
        self.winner, self.price = self.outcome.split()[1], min(asks)
        play, limit = self.plays[self.winner], self.theory.bid(self.worths[self.winner])
        has_taken = self.price in [offer.amount for offer in play.offers]
        check(is_near(min(self.price, limit), self.price, 0.5) if play.is_absent else has_taken,
              f"{self.where}{self.winner} has not taken {self.price}")
        self.bids[self.winner] = [self.price]

    # Rows

    def rows(self, session) -> list[dict]:
        """The rows of the bidders, as strings, numbers, None for empty, and lists of bids."""
        head, efficiency = self._head(session), self._efficiency()
        return [dict(zip(COLUMNS, (
            *head, cell(name), self.value(name), None if self.common is None else self.worths[name], self._maximum(name),
            self.bids[name], self.counted.get(name), "yes" if name == self.winner else "no", self.price,
            self.payments[name], self.profit(name), efficiency,
            self.theory.bid(self.worths[name])))) for name in self.plays]

    def lot_row(self, session) -> dict:
        """The row of the lot."""
        winner = self.winner
        return dict(zip(LOT_COLUMNS, (
            *self._head(session), winner and cell(winner), self.price, sum(self.payments.values()),
            winner and self.value(winner), max(map(self.value, self.plays)), self._efficiency(),
            self.theory.revenue())))

    def _head(self, session):
        return (session, self.number, "yes" if self.round.is_practice else "no", self.round.treatment, self.kind,
                self.group, len(self.plays))

    def _efficiency(self):
        if self.is_closed:
            return None
        return self.value(self.winner) / max(map(self.value, self.plays)) if self.winner else 0.0

    def _maximum(self, name):
        play = self.plays[name]
        if play.is_absent and self.kind == "english":
            return round(self.theory.bid(self.worths[name])) if self.bids[name] else None
        return None if play.is_kicked else play.maximum


def cell(name):
    """A name as it is in a table: a spreadsheet must not take it for a formula."""
    return f"'{name}" if name.startswith("-") else name


def check_tables(tables, session, lots):
    """Compares every cell of both tables with the lots that have ended."""
    bidders, lot_rows = tables
    check_table(bidders, COLUMNS, [row for lot in lots for row in lot.rows(session)], "bidder")
    check_table(lot_rows, LOT_COLUMNS, [lot.lot_row(session) for lot in lots])


def check_table(text, columns, expected, *own):
    """Compares a table with its expected rows, each known by its round, its group and its `own` columns."""
    def key(row):
        return tuple(str(row[column]) for column in ("round", "group", *own))

    check(text.endswith("\r\n") and text.count("\n") == text.count("\r\n"), "a line of a table does not end in CRLF")
    header, *cells = csv.reader(io.StringIO(text, newline=""))
    check(header == list(columns), f"a table has the columns {header}")
    check(all(len(row) == len(columns) for row in cells), "a row has another number of cells than the header")
    rows = [dict(zip(columns, row)) for row in cells]
    told = {key(row): row for row in rows}
    check(len(told) == len(rows), "a table has a row twice")
    expected = {key(row): row for row in expected}
    check(told.keys() == expected.keys(), f"a table has the rows {sorted(told.keys() - expected.keys())} too many, and not "
          f"{sorted(expected.keys() - told.keys())}")
    check([int(row["round"]) for row in rows] == sorted(int(row["round"]) for row in rows), "the rounds are not in order")
    differences = [f"{' '.join(name)}, {column}: {row[column]!r}, not {expected[name][column]!r}"
                   for name, row in told.items() for column in columns
                   if not is_right(column, row[column], expected[name][column])]
    check(not differences, f"{len(differences)} cells of a table are wrong", *differences[:SHOWN])
    if "bids" in columns:
        check_order(rows)


def is_right(column, told, expected) -> bool:
    if expected is None:
        return told == ""
    if isinstance(expected, list):
        bids = [re.fullmatch(r"(\d+)@(\d+)", word) for word in told.split(" ")] if told else []
        return (all(bids) and [int(bid[1]) for bid in bids] == expected
                and is_plausible([int(bid[2]) for bid in bids]))
    if column in DECIMALS:
        digits = DECIMALS[column]
        return (re.fullmatch(rf"\d+\.\d{{{digits}}}", told) is not None
                and is_near(float(told), expected, 0.5 / 10 ** digits))
    return told == str(expected)


def is_near(told, exact, most) -> bool:
    return abs(told - exact) <= most + 1e-7


def is_plausible(times) -> bool:
    return times == sorted(times) and max(times, default=0) < LONGEST


def check_order(rows):
    """Where the price rises, a higher bid of the group came later."""
    groups = collections.defaultdict(list)
    for row in rows:
        if row["format"] == "english":
            groups[row["round"], row["group"]] += [tuple(map(int, bid.split("@"))) for bid in row["bids"].split()]
    for name, bids in groups.items():
        check(is_plausible([time for _, time in sorted(bids)]), f"bids of round {name} are in a wrong order", *sorted(bids))
