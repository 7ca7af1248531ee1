"""Compares the table of `auction-server --results DIR --csv` with a game."""

from __future__ import annotations

import collections
import csv
import fractions

from checks import check
from journal import MAIN, of_room, run_server

COLUMNS = ["kind", "lot", "title", "format", "bidder", "value", "bid", "price", "profit", "milliseconds", "revenue",
           "efficiency", "outcome"]


def check_table(server: str, folder: str, game, room: str = MAIN):
    """Fails unless the table has each lot that has ended and each bid, with right values, profits and efficiencies."""
    rows = list(csv.DictReader(run_server(server, "--results", folder, "--csv", *of_room(room)).splitlines()))
    check(rows and list(rows[0]) == COLUMNS, f"the columns are {list(rows[0]) if rows else 'not there'}")
    lots = [row for row in rows if row["kind"] == "lot"]
    check(len(lots) == len(game.lots), f"{len(lots)} lots are listed, and {len(game.lots)} have ended")
    for row, state in zip(lots, game.lots):
        due = lot_row(game, state)
        wrong = {name: (row[name], value) for name, value in due.items() if row[name] != value}
        check(not wrong, f"of lot {state.lot} the table has, and should have: {wrong}")
    listed = collections.Counter((int(row["lot"]), row["bidder"], row["bid"]) for row in rows if row["kind"] == "bid")
    made = bids(game)
    check(listed == made, f"bids are missing {made - listed}, or were never made {listed - made}")
    check_totals(game, [row for row in rows if row["kind"] == "total"])
    for row in rows:
        if row["kind"] == "total":
            continue
        worth = game.ledger.worths.get((int(row["lot"]), row["bidder"]))
        check(row["kind"] == "lot" or not worth or row["value"] == str(worth.amount), f"a bid with another value: {row}")


def check_totals(game, rows):
    """Fails unless there is a row for each who takes part, with what was won and paid."""
    listed = {row["bidder"]: (int(row["lot"]), int(row["price"])) for row in rows}
    due = {name: (len(game.ledger.wins.get(name, ())), game.ledger.spent[name]) for name in game.participants(game.last)}
    check(listed == due and len(rows) == len(due), f"the totals are {listed}, and should be {due}")


def lot_row(game, state) -> dict[str, str]:
    """What the row of a lot must have."""
    words, ledger = state.outcome.split(), game.ledger
    worths = {name: worth.amount for (lot, name), worth in ledger.worths.items() if lot == state.lot}
    row = {"lot": str(state.lot), "title": state.title, "format": state.terms.format,
           "milliseconds": str(game.time(state.outcome_event))}
    if words[0] == "PASSED":
        return {**row, "bidder": "", "price": "", "revenue": "0", "outcome": words[2]}
    bidder, price = words[1], int(words[2])
    value = worths[bidder]
    return {**row, "bidder": bidder, "price": str(price), "revenue": str(price), "value": str(value),
            "profit": str(value - price), "efficiency": rounded(value, max(worth for name, worth in worths.items() if name in ledger.bidders)),
            "outcome": "sold"}


def rounded(value: int, highest: int) -> str:
    """The part of the highest value, with four decimals, half a unit rounded up."""
    parts = int(fractions.Fraction(10_000 * value, highest) + fractions.Fraction(1, 2)) if highest else 10_000
    return f"{parts // 10_000}.{parts % 10_000:04}"


def bids(game) -> collections.Counter:
    """The lot, the bidder and the amount of each bid that was accepted, openly or in private."""
    found = collections.Counter()
    for number in range(game.first, game.last + 1):
        if game.is_new_price(number):
            _, amount, bidder, _, _ = game.event(number).split()
            found[game.state(number).lot, bidder, amount] += 1
    for event, words in game.ledger.notes:
        if words.startswith("BID "):
            _, bidder, amount = words.split()
            found[game.state(event).lot, bidder, amount] += 1
    return found
