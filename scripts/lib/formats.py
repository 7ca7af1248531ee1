"""What each format of an auction allows: bids, falling asks, sealed bids, the countdown, who wins for which price."""

from __future__ import annotations

from terms import automatic_bid

SALE_REASONS = ("no-bids", "reserve-not-met")


def check_price(game, state, amount: int, bidder: str):
    """Fails unless the bid is one that the format accepts: one that raises, takes the ask, or pays the buying price."""
    terms = state.terms
    game.require(not terms.buy or amount <= terms.buy, f"a bid above the price {terms.buy} that wins at once")
    if terms.format == "dutch":
        game.require(amount in (state.ask, terms.buy), f"a bid of another amount than the ask {state.ask}")
    elif terms.is_sealed:
        game.require(terms.buy and amount == terms.buy, "an open bid on a lot of sealed bids")
    else:
        _check_raise(game, state, amount, bidder)


def _check_raise(game, state, amount, bidder):
    game.require(amount >= state.minimum(), f"a bid below the minimum {state.minimum()}")
    leader, maxima = state.bid and state.bid.bidder, game.ledger.maxima
    held = maxima[leader].amount if leader in maxima else 0
    due = due_bid(game, state)
    if due:
        game.require((bidder, amount) == due, f"where the maximum of {due[0]} bids {due[1]}")
        game.automatic[game.last] = due
    elif amount == state.terms.buy:
        # A purchase, which the leader may make too; or the maximum of somebody else has reached the leader's.
        if leader == bidder and held >= amount:
            game.automatic[game.last] = bidder, amount
    elif leader != bidder:
        # Of two equal amounts the earlier leads: the leader's own maximum is raised to it, and this bid is refused.
        game.require(not amount <= held < amount + state.terms.step, f"a bid that the maximum of {leader} meets")
    elif not game.self_raise and (game.ledger.has_notes or not game.has_maxima):
        game.require(held, "the bid of a leader was accepted")
        game.require(amount <= held < amount + state.terms.step, "a maximum pays more than the least that leads")
        game.automatic[game.last] = bidder, amount


def due_bid(game, state) -> tuple[str, int] | None:
    """The automatic bid that must come next, where all maximum bids are known."""
    if not game.ledger.maxima or state.is_paused or state.is_won or not state.terms.is_english:
        return None
    leader = (state.bid.bidder, state.bid.amount) if state.bid else None
    return automatic_bid(leader, state.minimum(), state.terms, game.ledger.maxima, game.ledger.reserve,
                         game.self_raise)


def check_ask(game, state, ask: int):
    """Fails unless a Dutch lot can ask this now."""
    terms, reserve = state.terms, game.ledger.reserve
    game.require(terms.format == "dutch" and state.is_open and not state.is_paused and not state.bid,
                  "an ask where nothing is asked")
    if game.ledger.has_notes or not terms.has_reserve:
        game.require(ask == terms.next_ask(state.ask, reserve) and ask < state.ask,
                      f"after {state.ask} another ask than {terms.next_ask(state.ask, reserve)}")
    else:
        # Where the reserve is not known, the last ask may fall by less than a step.
        game.require(0 < state.ask - ask <= terms.step, f"the ask does not fall by {terms.step}")


def check_count(game, state, count: int):
    """Fails unless `count` bidders have a sealed bid."""
    game.require(state.terms.is_sealed and state.is_open and count != (state.sealed or 0)
                 and not state.revealed,
                  "a count of sealed bids where it has not changed")
    if game.ledger.has_notes:
        game.require(count == len(game.ledger.sealed), f"{len(game.ledger.sealed)} have bid")


def check_revealed(game, state, amount: int, bidder: str):
    """Fails unless this sealed bid is the next highest."""
    game.require(state.terms.is_sealed and state.is_open, "a sealed bid is revealed where there is none")
    game.require(state.countdown == 0 or state.is_hammered or state.is_won, "a sealed bid is revealed before the end")
    game.require(amount >= state.terms.start, "a sealed bid below the start")
    game.require(all(bidder != other for _, other in state.revealed), "a sealed bid is revealed again")
    game.require(not state.revealed or amount <= state.revealed[-1][0], "a higher sealed bid is revealed later")
    game.require(len(state.revealed) < (state.sealed or 0), f"more than {state.sealed} sealed bids")
    if game.ledger.has_notes:
        due = sorted(game.ledger.sealed.items(), key=lambda item: (-item[1].amount, item[1].order))
        name, bid = due[len(state.revealed)]
        game.require((amount, bidder) == (bid.amount, name), f"where {bid.amount} {name} is revealed next")


def check_countdown(game, state, number: int):
    """Fails unless the countdown can be here now."""
    terms = state.terms
    game.require(number <= terms.seconds, f"a countdown above the {terms.seconds} full seconds")
    game.require(state.is_open and (state.bid or not terms.is_english)
                  and (not state.is_paused or state.is_hammered), "a countdown where none runs")
    if state.is_hammered or state.is_won and number == 0:
        return game.require(number == 0, "a number other than 0 after HAMMERED")
    game.require(number == terms.seconds or not due_bid(game, state), "the countdown runs, and a maximum does not bid")
    if terms.format == "dutch" and (state.countdown is None or number >= state.countdown):
        return _check_dutch_restart(game, state, number)
    if number == terms.seconds:
        if not state.is_reset and state.countdown is not None:
            game.restarts.append(game.last)
        return None
    game.require(not state.is_reset or state.countdown == terms.seconds,
                  f"the full {terms.seconds} seconds were not announced")
    return game.require(state.countdown == number + 1, f"{number} does not follow {state.countdown}")


def _check_dutch_restart(game, state, number):
    """The countdown of a Dutch lot begins with the time that its current ask and the further ones have."""
    if state.countdown is not None and not state.is_reset:
        game.restarts.append(game.last)
    game.require(state.ask is not None, "a countdown before the first ask")
    if game.ledger.has_notes or not state.terms.has_reserve:
        asks = state.terms.asks(game.ledger.reserve)
        left = -(-state.terms.seconds * (len(asks) - asks.index(state.ask)) // len(asks))
        game.require(number == left, f"the asks from {state.ask} on last {left} s")


def check_winner(game, state, bidder: str, amount: int):
    """Fails unless this bidder has won for this price."""
    terms = state.terms
    game.require(not due_bid(game, state), "sold, and a maximum does not bid")
    if terms.is_sealed:
        game.require(len(state.revealed) == (state.sealed or 0), "sold before all sealed bids were revealed")
    if state.bid:
        game.require((bidder, amount) == (state.bid.bidder, state.bid.amount),
                      f"the winner is not the last bidder: {state.bid.words()}")
        reserve = game.ledger.reserve
        game.require(reserve is None or amount >= reserve or not terms.is_english, f"sold below the reserve {reserve}")
    else:
        _check_sealed_winner(game, state, bidder, amount)
    game.require(state.is_won or state.countdown == 0 and not state.is_reset,
                 "sold before the countdown was announced to its end")


def _check_sealed_winner(game, state, bidder, amount):
    terms = state.terms
    game.require(bidder == state.revealed[0][1], f"the winner is not the highest bidder: {state.revealed[0]}")
    least, most = prices(terms, state.revealed, game.ledger.reserve, game.ledger.has_notes)
    game.require(least <= amount <= most, f"the price is not {least}" + (f" to {most}" if most > least else ""))


def prices(terms, revealed, reserve: int | None, is_known: bool) -> tuple[int, int]:
    """The least and the most that the winner of sealed bids pays; they differ only if the reserve is not known."""
    highest = revealed[0][0]
    if terms.format == "sealed":
        return highest, highest
    second = max(revealed[1][0] if len(revealed) > 1 else terms.start, reserve or 0)
    return second, second if is_known or not terms.has_reserve else highest


def check_passed(game, state, reason: str):
    """Fails unless the lot can end unsold for this reason."""
    if reason not in SALE_REASONS:
        return game.require(reason == "closed", "a lot passes for an unknown reason")
    game.require(not state.is_won, "a lot passes that was won")
    if reason == "no-bids":
        return game.require(not state.bid and not state.sealed, "a lot with a bid passes")
    best = state.bid.amount if state.bid else state.revealed[0][0] if state.revealed else None
    reserve = game.ledger.reserve
    game.require(state.terms.has_reserve and best is not None and not state.is_met, "no reserve can be missed")
    game.require(state.countdown == 0 or state.is_hammered, "passed before the countdown was announced to its end")
    game.require(len(state.revealed) == (state.sealed or 0), "passed before all sealed bids were revealed")
    return game.require(reserve is None or best < reserve, f"the reserve {reserve} is met")
