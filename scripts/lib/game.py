"""The auction as its news shows it: the state after each event, and a check of each event by the rules."""

from __future__ import annotations

import bisect
import collections
from typing import Iterator, NamedTuple

from checks import Failure
from protocol import parse


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

    lot: int = 0
    title: str = ""
    is_open: bool = False
    bid: Bid | None = None
    """The last accepted bid of the lot, even after the lot has ended."""
    countdown: int | None = None
    """The number of the last `COUNTDOWN`, if it still holds."""
    is_reset: bool = False
    """Whether the countdown was reset, and its `COUNTDOWN` has not come yet."""
    is_hammered: bool = False
    outcome: str = ""
    outcome_event: int = 0
    over: str = ""
    is_paused: bool = False
    elapsed: int = 0
    """The milliseconds from the opening of the lot to its last bid."""

    def minimum(self) -> int:
        return self.bid.amount + 1 if self.bid else 1

    def snapshot(self) -> list[str]:
        """The lines of the snapshot for a newcomer."""
        lines = []
        if self.is_open:
            lines.append(f"LOT {self.lot} {self.title}")
            if self.bid:
                lines.append(f"PRICE {self.bid.words()}")
            if self.countdown is not None:
                lines.append(f"COUNTDOWN {self.countdown}")
        elif self.outcome:
            lines.append(self.outcome)
        if self.over:
            lines.append(self.over)
        return [*lines, "PAUSED"] if self.is_paused else lines

    def laps(self) -> Iterator[Bid]:
        """The bids of the lot, the newest first."""
        bid = self.bid
        while bid:
            yield bid
            bid = bid.before


class Game:
    """All known events, each with the state after it."""

    def __init__(self, seconds: int, first: int = 1, self_raise: bool = False):
        """The countdown's full seconds, the number of the first event, and whether leaders may raise their bids."""
        self.seconds, self.first, self.self_raise = seconds, first, self_raise
        self.words: list[str] = []
        self.states: list[State | None] = []
        self.elapsed: list[int | None] = []
        """The exact time of each event that has one, where it is known."""
        self.restarts: list[int] = []
        """Events by which a countdown restarted without a bid."""
        self._present: set[str] = set()
        self._comings = collections.defaultdict(list)
        """By name: the events by which its bidder joined, left, joined again and so on."""
        self.lots: list[State] = []
        """The state at the end of each lot."""

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
        return [(state.lot, state.title, state.bid.bidder, state.bid.amount) for state in self.lots
                if state.outcome.startswith("WINNER ")]

    def apply(self, words: str, elapsed: int | None = None):
        """Adds the next event; fails if the rules do not allow it."""
        before = self.states[-1] if self.states else State()
        word, _, rest = words.partition(" ")
        self.words.append(words)
        self.elapsed.append(elapsed)
        change = getattr(self, f"_{word.lower()}", None)
        if change is None:
            self._fail("words that no journal has")
        self.states.append(change(before, rest))

    def _fail(self, complaint):
        raise Failure(complaint, *self.words[-6:])

    def _check_clock(self, state):
        elapsed = self.elapsed[-1]
        if elapsed is None:
            return state.elapsed
        if elapsed < state.elapsed:
            self._fail("the clock of the lot runs backwards")
        return elapsed

    def _lot(self, state, rest):
        number, _, title = rest.partition(" ")
        if state.is_open or state.is_paused or int(number) != state.lot + 1:
            self._fail("this lot cannot open now")
        return State(int(number), title, True)

    def _price(self, state, rest):
        amount, bidder, time, number = rest.split()
        if not state.is_open or state.is_hammered:
            self._fail("a bid while no lot is open")
        if state.bid and int(number) == state.bid.number:
            self._check_again(state.bid, rest)
            return state._replace(is_reset=not state.is_paused)
        if state.is_paused:
            self._fail("a bid while the sale is paused")
        if int(amount) < state.minimum():
            self._fail(f"a bid below the minimum {state.minimum()}")
        if state.bid and state.bid.bidder == bidder and not self.self_raise:
            self._fail("the bid of a leader was accepted")
        if bidder not in self._present:
            self._fail("a bid of an absent bidder")
        count = state.bid.number if state.bid else 0
        if int(number) != count + 1:
            self._fail(f"a bid with another number than {count + 1}")
        bid = Bid(count + 1, int(amount), bidder, time, state.bid, self.last)
        return state._replace(bid=bid, is_reset=True, elapsed=self._check_clock(state))

    def _check_again(self, bid, words):
        """Checks the words of a bid that leads again, and their exact time where both have one.

        Text sent to a client has none, JSON and the journal have.
        """
        times = {self.elapsed[-1], self.time(bid.event)} - {None}
        if words != bid.words() or len(times) > 1:
            self._fail(f"not the bid that leads again, which is {bid.words()}")

    def _countdown(self, state, rest):
        number = int(rest)
        if number > self.seconds:
            self._fail(f"a countdown above the {self.seconds} full seconds")
        if not state.is_open or not state.bid or state.is_paused and not state.is_hammered:
            self._fail("a countdown where none runs")
        if state.is_hammered:
            if number != 0:
                self._fail("a number other than 0 after HAMMERED")
        elif number == self.seconds:
            if not state.is_reset:
                self.restarts.append(self.last)
        elif state.is_reset and state.countdown != self.seconds:
            self._fail(f"the full {self.seconds} seconds were not announced")
        elif state.countdown != number + 1:
            self._fail(f"{number} does not follow {state.countdown}")
        return state._replace(countdown=number, is_reset=False)

    def _going(self, state, rest):
        if self.seconds < 5 or not state.is_open:
            self._fail("a fair warning where there is none")
        return state

    def _last(self, state, rest):
        if not state.is_open:
            self._fail("LAST while no lot is open")
        return state

    def _winner(self, state, rest):
        bidder, amount, _, title = rest.split(" ", 3)
        if not state.is_open or not state.bid or state.is_paused and not state.is_hammered:
            self._fail("a winner while nothing can be sold")
        if (bidder, int(amount), title) != (state.bid.bidder, state.bid.amount, state.title):
            self._fail(f"the winner is not the last bidder: {state.bid.words()}")
        if state.countdown != 0 or state.is_reset:
            self._fail("sold before the countdown was announced to its end")
        self._check_clock(state)
        return self._ended(state)

    def _passed(self, state, rest):
        number, reason, title = rest.split(" ", 2)
        if not state.is_open or int(number) != state.lot or title != state.title:
            self._fail("a lot passes that is not open")
        if reason != "closed" and state.bid:
            self._fail("a lot with a bid passes")
        return self._ended(state)

    def _ended(self, state):
        ended = state._replace(is_open=False, countdown=None, outcome=self.words[-1],
                               outcome_event=self.last)
        self.lots.append(ended)
        return ended

    def _next(self, state, rest):
        if state.is_open or state.is_paused or state.over or not state.lot:
            self._fail("the next lot is announced where none follows")
        return state

    def _over(self, state, rest):
        if state.is_open or int(rest) != state.lot:
            self._fail(f"there were {state.lot} lots")
        return state._replace(over=self.words[-1], is_paused=False)

    def _joined(self, state, rest):
        if rest in self._present:
            self._fail("a present bidder joins")
        self._present.add(rest)
        self._comings[rest].append(self.last)
        return state

    def _left(self, state, rest):
        if rest not in self._present:
            self._fail("an absent bidder leaves")
        self._present.remove(rest)
        self._comings[rest].append(self.last)
        return state

    def _kicked(self, state, rest):
        if rest.split()[0] not in self._present:
            self._fail("an absent bidder is kicked")
        return state

    def _paused(self, state, rest):
        if state.is_paused:
            self._fail("paused twice")
        return state._replace(is_paused=True)

    def _resumed(self, state, rest):
        if not state.is_paused:
            self._fail("resumed without a pause")
        return state._replace(is_paused=False, is_reset=bool(state.is_open and state.bid))

    def _hammered(self, state, rest):
        if not state.is_open or not state.bid:
            self._fail("the hammer falls without a bid")
        if state.countdown == 0:
            return state._replace(is_hammered=True, is_reset=False)
        return state._replace(is_hammered=True)

    def _voided(self, state, rest):
        amount, bidder, number, *leading = rest.split()
        if not state.is_open or not state.bid or state.bid[:3] != (int(number), int(amount), bidder):
            self._fail("not the last bid of the open lot")
        before = state.bid.before
        if before:
            self._check_again(before, " ".join(leading))
        elif leading:
            self._fail("no bid can lead again")
        return state._replace(bid=before, countdown=None, is_reset=False)

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
