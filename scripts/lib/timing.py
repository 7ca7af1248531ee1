"""Checks that each second of a countdown and each fall of an ask came in time, by the kernel's time stamps."""

from __future__ import annotations

from checks import Failure, Late
from game import Game
from protocol import Connection, Message, parse
from state import State

IN_TIME = 0.25
"""The most seconds by which a line may come after its time."""
TOLERANCE = 0.05
"""By how many seconds the next line may come sooner after one than that one told."""
MACHINE_LATE = 0.1
"""Seconds that the machine must have stood still for a countdown to restart by itself."""


def check_times(connection: Connection, game: Game, delays) -> list[tuple[float, float, str]]:
    """Returns when each line of a countdown was due, its own delay in seconds, and what it was.

    - Throws: `Failure` if one was early, and `Late` if one was late, less the delays of the machine.
    """
    clock, restarts = Clock(game, delays), set(game.restarts)
    for line in connection.received:
        message = parse(line.text)
        if message.number is None:
            continue
        state = game.state(message.number)
        if message.number in restarts:
            seconds = state.terms.seconds
            if delays.between(line.at - seconds - 1, line.at) < MACHINE_LATE:
                raise Late("a countdown restarted by itself, and the machine was not late", line.text)
            clock.begin(message, state, line.at)
        else:
            clock.hear(message, state, line.at)
    return clock.late


class Clock:
    """When the countdown of a lot is due to end, and its ask to fall."""

    def __init__(self, game: Game, delays):
        self._game, self._delays = game, delays
        self.late: list[tuple[float, float, str]] = []
        self._due: float | None = None
        self._fall: float | None = None
        """When the ask falls next."""
        self._lasts, self._begun, self._shown = 0.0, 0, 0
        """How many seconds an ask lasts, the exact time of the last bid, and the last number of the countdown."""

    def begin(self, message: Message, state: State, at: float):
        """The countdown begins, or begins again."""
        left = state.terms.seconds if message.remaining is None else message.remaining / 1000
        self._due, self._fall = at + left, None
        if state.ask is not None and (self._game.ledger.has_notes or not state.terms.has_reserve):
            asks = state.terms.asks(self._game.ledger.reserve)
            self._lasts = state.terms.seconds / len(asks)
            self._fall = at + left - self._lasts * (len(asks) - asks.index(state.ask) - 1)

    def hear(self, message: Message, state: State, at: float):
        """Takes the next event, which came at this time."""
        word, _, rest = message.words.partition(" ")
        if word == "COUNTDOWN":
            self._hear_number(message, int(rest), state, at)
        elif word == "ASK" and self._fall is not None:
            self._check(message.words, self._fall, at, word)
            self._postpone(self._fall, at)
            self._fall += self._lasts
        elif word == "WINNER" and self._due is not None:
            self._check(message.words, self._due, at, word)
            if self._begun and message.elapsed - self._begun < 1000 * state.terms.seconds and not state.has_terms:
                raise Failure("the hammer fell before its time", message.words)
            self._due = None
        elif word in ("PAUSED", "VOIDED", "HAMMERED", "PASSED", "LOT") or state.is_won:
            self._due = self._fall = None
        elif word in ("PRICE", "RESUMED"):
            self._hear_reset(message, state, at)

    def _hear_reset(self, message, state, at):
        if state.is_last and message.words.startswith("PRICE "):
            return
        is_counting = state.terms.is_english and state.is_open and not state.is_paused
        self._due = at + state.terms.seconds if is_counting else None
        self._begun = message.elapsed or 0

    def _hear_number(self, message, number, state, at):
        if not state.terms.is_english and (self._due is None or number > self._shown):
            self.begin(message, state, at)
        elif self._due is not None and number < state.terms.seconds:
            self._check(message.words, due := self._due - number, at, "COUNTDOWN")
            if number:
                self._postpone(due, at)
        self._shown = number

    def _postpone(self, due, at):
        """A time that was told late begins when it was told: all that follows moves, beyond the tolerance."""
        late = max(0.0, at - due - TOLERANCE)
        self._due += late
        if self._fall is not None:
            self._fall += late

    def _check(self, what, due, at, word):
        self.late.append((due, own_delay(what, due, at, self._delays), word))


def own_delay(what: str, due: float, at: float, delays) -> float:
    """The seconds by which the server was late, less the delays of the machine; fails if they are too many."""
    own = max(0.0, at - due - delays.between(due, at))
    if own > IN_TIME:
        raise Late(f"{what} came {(at - due) * 1e3:.0f} ms after its time, {own * 1e3:.0f} ms of it by the server")
    return own
