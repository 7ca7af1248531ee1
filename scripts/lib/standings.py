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


def tallies(ledger: Ledger, event: int) -> list[Tally]:
    """Those of all who have won something by the event."""
    found = []
    for name, wins in ledger.wins.items():
        if won := [win for win in wins if win.event <= event]:
            profit = ledger.profit(won, name) if ledger.play.has_values else None
            found.append(Tally(name, len(won), sum(win.price for win in won), profit))
    return found


def champions(ledger: Ledger, event: int) -> list[str]:
    """The words of each `CHAMPION`: several if they are equal."""
    winners = tallies(ledger, event)
    best = max((tally.score for tally in winners), default=None)
    return [f"{tally.name} {tally.score[0]}" for tally in winners if tally.score == best]


def check_standings(game, rows: list[str], event: int) -> str:
    """Why these rows are not the standings after the event; empty if they are."""
    ledger, listed, scores = game.ledger, [ROW.fullmatch(row).groups() for row in rows], []
    known = {tally.name: tally for tally in tallies(ledger, event)}
    due = {*known, *game.present(event)}
    if len({name for _, name, _ in listed}) != len(listed) or len(listed) != min(len(due), MOST):
        return f"{len(listed)} of {len(due)} are listed"
    for rank, name, members in listed:
        if name not in due:
            return f"{name} is absent, and has won nothing"
        tally = known.get(name, Tally(name, 0, 0, 0 if ledger.play.has_values else None))
        scores.append(tally.score)
        if int(rank) != scores.index(tally.score) + 1:
            return f"{name} has rank {scores.index(tally.score) + 1}"
        wanted = f"lots={tally.lots} spent={tally.spent}"
        found, _, left = re.sub(r" profit=\S+", "", members).partition(" left=")
        profit = re.search(r" profit=(-?\d+)", members)
        if found != wanted or (int(profit[1]) if profit else None) != tally.profit:
            return f"{name} has {wanted} and the profit {tally.profit}"
        if not is_left(ledger, name, left, event):
            return f"{name} has another purse left than {left}"
    is_in_order = all(before >= after for before, after in zip(scores, scores[1:]))
    return "" if is_in_order else "a better one is listed later"


def is_left(ledger: Ledger, name: str, left: str, event: int) -> bool:
    """Whether the bidder may have so much left around the event."""
    if ledger.play.purse is None:
        return not left
    told = ledger.told["PURSE", name].between(event, event)
    paid = ledger.spent_at(name, event)
    return left in (str(ledger.play.purse - paid) if each is None else each for each in told) \
        or not ledger.has_notes and left.isdigit() and 0 <= int(left) <= ledger.play.purse - paid
