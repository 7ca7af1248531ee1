"""The auction as its news shows it: the state after each event, and a check of each event by the rules."""

from __future__ import annotations

import bisect
import collections

import formats
from checks import Failure
from ledger import Ledger, Play
from protocol import parse
from standings import champions
from state import Bid, State
from terms import Terms, parse as parse_terms

LONGEST_SAID = 200
"""Bytes."""


class Game:
    """All known events, each with the state after it."""

    def __init__(self, seconds: int, first: int = 1, self_raise: bool = False, has_maxima: bool = False,
                 play: Play = Play(), **terms):
        """
        - Parameters:
          - seconds: the full countdown of a plain lot.
          - first: the number of the first event.
          - self_raise: whether leaders may raise their own bids.
          - has_maxima: whether there may be maximum bids that no journal tells.
          - play: the rules of the game, where no journal tells them.
          - terms: `start` and `step` of a plain lot.
        """
        self.first, self.self_raise, self.base = first, self_raise, Terms(seconds, **terms)
        self.ledger = Ledger(play)
        self.ledger.base = self.base
        self.has_maxima = has_maxima
        self.words: list[str] = []
        self.states: list[State | None] = []
        self.elapsed: list[int | None] = []
        """The exact time of each event that has one, where it is known."""
        self.restarts: list[int] = []
        """Events by which a countdown restarted without a bid."""
        self.automatic: dict[int, tuple[str, int]] = {}
        """By event: the bidder and the amount of each bid that a maximum caused."""
        self._present: set[str] = set()
        self._comings = collections.defaultdict(list)
        """By name: the events by which its bidder joined, left, joined again and so on."""
        self.kicked: dict[str, int] = {}
        """By name: the event by which its bidder was first kicked."""
        self.lots: list[State] = []
        """The state at the end of each lot."""
        self._ends: list[int] = []
        """The events with which the sale was over."""

    @property
    def last(self) -> int:
        return self.first + len(self.words) - 1

    def event(self, number: int) -> str | None:
        place = number - self.first
        return self.words[place] if 0 <= place < len(self.words) else None

    def state(self, number: int) -> State:
        return self.states[number - self.first]

    def is_present(self, name: str, number: int) -> bool:
        """Whether the bidder is present after the event."""
        return bisect.bisect_right(self._comings.get(name, ()), number) % 2 == 1

    def present(self, number: int) -> frozenset[str]:
        """All who are present after the event."""
        return frozenset(name for name in self._comings if self.is_present(name, number))

    def has_seen(self, name: str, number: int | None = None) -> bool:
        """Whether a bidder with this name has ever joined, or by an event."""
        return name in self._comings and (number is None or self._comings[name][0] <= number)

    def keeps_names(self, number: int) -> bool:
        """Whether after the event a name stays owned when its owner leaves: bids are sealed, or the lot has values."""
        state = self.state(number)
        return state.is_open and (state.terms.is_sealed or self.ledger.play.has_values)

    def participants(self, number: int) -> set[str]:
        """Those who take part in the sale after the event: they are present, or have bid; at its end they are final."""
        if self.state(number).over:
            number = next(end for end in reversed(self._ends) if end <= number)
        return {name for name, first in self.ledger.bidders.items() if first <= number} | self.present(number)

    def time(self, number: int) -> int | None:
        return self.elapsed[number - self.first]

    def forget_states(self):
        """Drops all states but the last, for a game that goes on for hours."""
        self.states[:-1] = [None] * (len(self.states) - 1)

    def is_new_price(self, number: int) -> bool:
        """Whether the event is an accepted bid, and not one repeated after a void."""
        words = self.event(number)
        if not words or not words.startswith("PRICE "):
            return False
        before = self.state(number - 1).bid if number > self.first else None
        return not before or int(words.split()[-1]) > before.number

    def winners(self) -> list[tuple]:
        """Lot, title, bidder and amount of each sold lot."""
        outcomes = [(state, state.outcome.split()) for state in self.lots]
        return [(state.lot, state.title, words[1], int(words[2])) for state, words in outcomes if words[0] == "WINNER"]

    def apply(self, words: str, elapsed: int | None = None):
        """Adds the next event; fails if the rules do not allow it."""
        before = self.states[-1] if self.states else State(self.base)
        word, _, rest = words.partition(" ")
        self.words.append(words)
        self.elapsed.append(elapsed)
        change = getattr(self, f"_{word.lower()}", None)
        if change is None:
            self._fail("words that no journal has")
        self.states.append(change(before, rest))

    def _fail(self, complaint):
        raise Failure(complaint, *self.words[-6:])

    def require(self, fact, complaint):
        """Fails unless the rules allow the newest event."""
        if not fact:
            self._fail(complaint)

    def _check_clock(self, state):
        elapsed = self.elapsed[-1]
        if elapsed is None:
            return state.elapsed
        self.require(elapsed >= state.elapsed, "the clock of the lot runs backwards")
        return elapsed

    # The lot

    def _lot(self, state, rest):
        number, _, title = rest.partition(" ")
        self.require(not state.is_open and not state.is_paused and int(number) == state.lot + 1,
                      "this lot cannot open now")
        self.ledger.open(int(number), self.base.start, self.last)
        return State(self.base, lot=int(number), title=title, is_open=True)

    def _terms(self, state, rest):
        self.require(state.is_open and self.event(self.last - 1).startswith("LOT "), "terms that follow no LOT")
        terms, _ = parse_terms(rest, self.base)
        self.require(terms.words() == rest, "terms in another order")
        plan = self.ledger.plan
        self.require(not self.ledger.has_notes or plan and plan[0] == terms, f"other terms than the lot has: {plan}")
        self.require("reserve=" not in rest or " reserve=yes" in rest, "the reserve is told")
        self.ledger.set_minimum(terms.start, self.last)
        return state._replace(terms=terms, has_terms=True, ask=terms.start if terms.format == "dutch" else None)

    def _price(self, state, rest):
        amount, bidder, time, number = rest.split()
        self.require(state.is_open and not state.is_hammered and not state.is_won, "a bid while no lot is open")
        if state.bid and int(number) == state.bid.number:
            self._check_again(state.bid, rest)
            return state._replace(is_reset=not state.is_paused)
        self.require(not state.is_paused, "a bid while the sale is paused")
        is_sent = bidder not in self.ledger.maxima and (self.ledger.has_notes or not self.has_maxima)
        self.require(bidder in self._present or not is_sent, "a bid of an absent bidder")
        count = state.bid.number if state.bid else 0
        self.require(int(number) == count + 1, f"a bid with another number than {count + 1}")
        formats.check_price(self, state, int(amount), bidder)
        bid = Bid(count + 1, int(amount), bidder, time, state.bid, self.last)
        is_won = state.terms.format == "dutch" or bid.amount == state.terms.buy
        after = state._replace(bid=bid, is_reset=not state.is_last, is_won=is_won, elapsed=self._check_clock(state))
        self.ledger.lead((bidder, bid.amount), after.minimum(), self.last)
        return after

    def _check_again(self, bid, words):
        """Checks the words of a bid that leads again, and their exact time where both have one.

        Text sent to a client has none, JSON and the journal have.
        """
        times = {self.elapsed[-1], self.time(bid.event)} - {None}
        self.require(words == bid.words() and len(times) <= 1, f"not the bid that leads again, which is {bid.words()}")

    def _ask(self, state, rest):
        formats.check_ask(self, state, int(rest))
        return state._replace(ask=int(rest), has_fallen=True)

    def _sealed(self, state, rest):
        formats.check_count(self, state, int(rest))
        return state._replace(sealed=int(rest))

    def _revealed(self, state, rest):
        amount, bidder = rest.split()
        formats.check_revealed(self, state, int(amount), bidder)
        self.ledger.reveal(bidder, self.last)
        return state._replace(revealed=(*state.revealed, (int(amount), bidder)))

    def _reserve(self, state, rest):
        reserve = self.ledger.reserve
        self.require(rest == "met" and state.is_open and state.terms.is_english and state.terms.has_reserve
                      and state.bid and not state.is_met, "a reserve cannot be met here")
        self.require(reserve is None or state.bid.amount >= reserve, f"the reserve {reserve} is not met")
        return state._replace(is_met=True)

    def _countdown(self, state, rest):
        number = int(rest)
        formats.check_countdown(self, state, number)
        return state._replace(countdown=number, is_reset=False)

    def _going(self, state, rest):
        self.require(state.terms.seconds >= 5 and state.is_open and state.terms.format != "dutch",
                      "a fair warning where there is none")
        return state

    def _last(self, state, rest):
        self.require(state.is_open and not state.is_last, "LAST while no lot is open, or again")
        return state._replace(is_last=True)

    def _winner(self, state, rest):
        bidder, amount, _, title = rest.split(" ", 3)
        self.require(state.is_open and (state.bid or state.revealed) and (not state.is_paused or state.is_hammered),
                      "a winner while nothing can be sold")
        self.require(title == state.title, f"the winner is not the last bidder of {state.title}")
        formats.check_winner(self, state, bidder, int(amount))
        self._check_clock(state)
        self.ledger.win(bidder, int(amount), self.last)
        return self._ended(state)

    def _passed(self, state, rest):
        number, reason, title = rest.split(" ", 2)
        self.require(state.is_open and int(number) == state.lot and title == state.title,
                      "a lot passes that is not open")
        formats.check_passed(self, state, reason)
        self.ledger.end(self.last)
        return self._ended(state)

    def _ended(self, state):
        ended = state._replace(is_open=False, countdown=None, is_last=False, outcome=self.words[-1],
                               outcome_event=self.last)
        self.lots.append(ended)
        return ended

    def _voided(self, state, rest):
        amount, bidder, number, *leading = rest.split()
        self.require(state.is_open and state.terms.is_english and state.bid
                      and state.bid[:3] == (int(number), int(amount), bidder), "not the last bid of the open lot")
        before = state.bid.before
        if before:
            self._check_again(before, " ".join(leading))
        else:
            self.require(not leading, "no bid can lead again")
        self.ledger.withdraw(bidder, self.last, ("MAX",))
        after = state._replace(bid=before, countdown=None, is_reset=False, is_met=False,
                               is_last=state.is_last and before is not None)
        if not before:
            # A server that starts again knows the age of a lot by its bids alone.
            after = after._replace(elapsed=0)
        self.ledger.lead((before.bidder, before.amount) if before else None, after.minimum(), self.last)
        return after

    # The sale

    def _value(self, state, rest):
        value = self.ledger.drawn.get(state.lot)
        self.require(not state.is_open and state.outcome and not state.value, "a value where none is revealed")
        self.require(value in (None, int(rest)), f"the value is {value}")
        self.ledger.drawn[state.lot] = int(rest)
        return state._replace(value=self.words[-1])

    def _next(self, state, rest):
        self.require(not state.is_open and not state.is_paused and not state.over and state.lot,
                      "the next lot is announced where none follows")
        return state

    def _over(self, state, rest):
        self.require(not state.is_open and int(rest) == state.lot, f"there were {state.lot} lots")
        self._ends.append(self.last)
        return state._replace(over=self.words[-1], champions=(), is_paused=False)

    def _champion(self, state, rest):
        due = champions(self, self.last - 1)
        is_known = self.ledger.has_worths or not self.ledger.play.has_values
        self.require(state.over and self.words[-1] not in state.champions and (rest in due or not is_known),
                     f"another champion than {due}")
        return state._replace(champions=(*state.champions, self.words[-1]))

    def _joined(self, state, rest):
        self.require(rest not in self._present, "a present bidder joins")
        self._present.add(rest)
        self._comings[rest].append(self.last)
        self.ledger.update(self.last, rest)
        return state

    def _left(self, state, rest):
        self.require(rest in self._present, "an absent bidder leaves")
        self._present.remove(rest)
        self._comings[rest].append(self.last)
        return state

    def _kicked(self, state, rest):
        name = rest.split()[0]
        self.require(self.has_seen(name) or self.first > 1, "somebody is kicked who was never there")
        self.ledger.withdraw(name, self.last)
        self.kicked.setdefault(name, self.last)
        return state

    def _said(self, state, rest):
        name, _, text = rest.partition(" ")
        self.require(name in self._present, "an absent bidder talks")
        self.require(name not in self.ledger.muted, "a muted bidder talks")
        self.require(1 <= len(text.encode()) <= LONGEST_SAID, "nothing is said, or too much")
        return state

    def _paused(self, state, rest):
        self.require(not state.is_paused, "paused twice")
        return state._replace(is_paused=True)

    def _resumed(self, state, rest):
        self.require(state.is_paused, "resumed without a pause")
        is_counting = state.bid if state.terms.is_english else state.countdown is not None
        return state._replace(is_paused=False, is_reset=bool(state.is_open and is_counting))

    def _hammered(self, state, rest):
        self.require(state.is_open and (state.bid or state.sealed), "the hammer falls without a bid")
        return state._replace(is_hammered=True, is_reset=state.is_reset and state.countdown != 0)

    def _stopped(self, state, rest):
        return state


def game_of(lines: list[str], seconds: int, **rules) -> Game:
    """The game that a peer received in text from before the first bid on."""
    game = Game(seconds, **rules)
    for line in lines:
        message = parse(line)
        if message.kind == "news":
            game.apply(message.words)
    return game
