"""Who is ahead in a game, as the ledger has it: the standings, and the champions at the end."""

from __future__ import annotations

import re
from typing import NamedTuple

from ledger import Ledger

MOST = 100
"""How many are listed."""
ROW = re.compile(r"STANDING (\d+) (\S+) (.+)")


class Tally(NamedTuple):
    """What a bidder has won by some event."""

    name: str
    lots: int
    spent: int
    profit: int | None

    @property
    def score(self) -> tuple[int, ...]:
        """What decides, more is better: the profit; or without values the lots, then how little was paid."""
        return (self.lots, -self.spent) if self.profit is None else (self.profit,)


def tally(ledger: Ledger, name: str, event: int) -> Tally:
    won = [win for win in ledger.wins.get(name, ()) if win.event <= event]
    profit = ledger.profit(won, name) if ledger.has_worths else None
    return Tally(name, len(won), sum(win.price for win in won), profit)


def champions(game, event: int) -> list[str]:
    """The words of each `CHAMPION`: the best of all who take part, several if they are equal; none if nothing is sold."""
    tallies = [tally(game.ledger, name, event) for name in game.participants(event)]
    best = max((each.score for each in tallies), default=None)
    is_sold = any(each.lots for each in tallies)
    return [f"{each.name} {each.score[0]}" for each in tallies if is_sold and each.score == best]


def check_standings(game, rows: list[str], event: int) -> str:
    """Why these rows are not the standings after the event; empty if they are."""
    ledger, listed, scores = game.ledger, [ROW.fullmatch(row).groups() for row in rows], []
    names = {name for _, name, _ in listed}
    # Who has bid in secret alone is not listed for that, which would tell everybody.
    due = game.participants(event)
    # Profits would tell the values of those who have won.
    are_profits_told = ledger.play.has_values and bool(ledger.play.profits or game.state(event).over)
    if not names <= due or len(names) != len(listed) or len(listed) != min(len(due), MOST):
        return f"{sorted(names ^ due)} are listed wrongly or not at all, or somebody twice"
    for rank, name, members in listed:
        own = tally(ledger, name, event)
        profit = re.search(r" profit=(-?\d+)", members)
        if bool(profit) != are_profits_told:
            return f"{name} has {'no ' if are_profits_told else 'a '}profit"
        if not are_profits_told:
            own = own._replace(profit=None)
        elif not ledger.has_worths:
            own = own._replace(profit=int(profit[1]))
        scores.append(own.score)
        if int(rank) != scores.index(own.score) + 1:
            return f"{name} has rank {scores.index(own.score) + 1}"
        wanted = f"lots={own.lots} spent={own.spent}"
        found, _, left = re.sub(r" profit=\S+", "", members).partition(" left=")
        if found != wanted or (int(profit[1]) if profit else None) != own.profit:
            return f"{name} has {wanted} and the profit {own.profit}"
        # Not less what the open lot reserves, which would tell a secret bid.
        purse = ledger.play.purse
        if left != ("" if purse is None else str(purse - own.spent)):
            return f"{name} has another purse left than {left}"
    is_in_order = all(before >= after for before, after in zip(scores, scores[1:]))
    return "" if is_in_order else "a better one is listed later"

