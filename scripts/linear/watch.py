"""Checks that each second of a countdown came in time, by the time stamps of the scribe."""

from __future__ import annotations

from game import Game
from transcript import Transcript, parse
from violation import Violation

IN_TIME = 0.25
"""The most seconds by which a line may come after its time."""
MACHINE_LATE = 0.1
"""Seconds that the machine must have stood still for a countdown to restart by itself."""


def check_times(transcript: Transcript, game: Game, excuses) -> list[float]:
    """Returns the delay of each, less that of the machine; fails if one was late or early."""
    late: list[float] = []
    due: float | None = None
    begun = 0
    restarts = set(game.restarts)
    for heard in transcript.connections[0].heard:
        message = parse(heard.text)
        if message.seq is None or not heard.text.startswith("{"):
            continue
        state = game.state(message.seq)
        word = message.words.partition(" ")[0]
        if message.seq in restarts:
            if excuses.between(heard.at - transcript.seconds - 1, heard.at) < MACHINE_LATE:
                raise Violation("a countdown began anew by itself, and the machine was not late",
                                heard.text)
            due = heard.at + transcript.seconds
        elif word in ("PRICE", "RESUMED"):
            due = heard.at + transcript.seconds if state.is_open and not state.is_paused else None
            begun = message.elapsed or 0
        elif word in ("PAUSED", "VOIDED", "HAMMERED", "PASSED", "LOT"):
            due = None
        elif word in ("COUNTDOWN", "WINNER") and due is not None:
            left = int(message.words.split()[1]) if word == "COUNTDOWN" else 0
            if left < transcript.seconds:
                late.append(own_lateness(due - left, heard, message, excuses))
            if word == "WINNER":
                if begun and message.elapsed - begun < 1000 * transcript.seconds:
                    raise Violation("the hammer fell before its time", heard.text)
                due = None
    return late


def own_lateness(due, heard, message, excuses):
    own = heard.at - due - excuses.between(due, heard.at)
    if own > IN_TIME:
        raise Violation(f"{message.words} was told {(heard.at - due) * 1e3:.0f} ms after its time, "
                        f"{own * 1e3:.0f} ms of it by the server")
    return own
