"""Checks that each second of a countdown came in time, by the kernel's time stamps at one connection."""

from __future__ import annotations

from checks import Failure, Late
from game import Game
from protocol import Connection, parse

IN_TIME = 0.25
"""The most seconds by which a line may come after its time."""
MACHINE_LATE = 0.1
"""Seconds that the machine must have stood still for a countdown to restart by itself."""


def check_times(connection: Connection, game: Game, delays) -> list[tuple[float, float, str]]:
    """Returns when each line of a countdown was due, its own delay in seconds, and what it was.

    - Throws: `Failure` if one was early, and `Late` if one was late, less the delays of the machine.
    """
    late: list[tuple[float, float, str]] = []
    due: float | None = None
    begun = 0
    restarts = set(game.restarts)
    for line in connection.received:
        message = parse(line.text)
        if message.number is None:
            continue
        state = game.state(message.number)
        word = message.words.partition(" ")[0]
        if message.number in restarts:
            if delays.between(line.at - game.seconds - 1, line.at) < MACHINE_LATE:
                raise Late("a countdown restarted by itself, and the machine was not late", line.text)
            due = line.at + game.seconds
        elif word in ("PRICE", "RESUMED"):
            due = line.at + game.seconds if state.is_open and not state.is_paused else None
            begun = message.elapsed or 0
        elif word in ("PAUSED", "VOIDED", "HAMMERED", "PASSED", "LOT"):
            due = None
        elif word in ("COUNTDOWN", "WINNER") and due is not None:
            left = int(message.words.split()[1]) if word == "COUNTDOWN" else 0
            if left < game.seconds:
                late.append((due - left, own_delay(message.words, due - left, line.at, delays), word))
            if word == "WINNER":
                if begun and message.elapsed - begun < 1000 * game.seconds:
                    raise Failure("the hammer fell before its time", line.text)
                due = None
    return late


def own_delay(what: str, due: float, at: float, delays) -> float:
    """The seconds by which the server was late, less the delays of the machine; fails if they are too many."""
    own = max(0.0, at - due - delays.between(due, at))
    if own > IN_TIME:
        raise Late(f"{what} came {(at - due) * 1e3:.0f} ms after its time, {own * 1e3:.0f} ms of it by the server")
    return own
