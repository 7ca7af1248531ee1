"""Checks that each second of a countdown came in time, by the kernel's time stamps and the times that were told."""

from __future__ import annotations

from checks import Failure, Late
from protocol import Connection, parse

CLOCK = frozenset(("LOT", "TERMS", "PRICE", "COUNTDOWN", "WINNER", "PASSED", "PAUSED", "RESUMED", "VOIDED", "HAMMERED"))
"""What begins, tells or ends a countdown."""
IN_TIME = 0.25
"""The most seconds by which a line may come after its time."""
TOLERANCE = 0.05
"""By how many seconds the next line may come sooner after one than that one told."""
MACHINE_LATE = 0.1
"""Seconds that the machine must have stood still for a countdown to restart by itself."""


def check_times(connection: Connection, delays) -> list[tuple[float, float, str]]:
    """Returns when each line of a countdown was due, its own delay in seconds, and what it was.

    Each is due by the time left that the first line told. What is told late begins when it was told: all that follows
    moves, beyond the tolerance.

    - Throws: `Failure` if the hammer fell early by the server's own times, and `Late` if a line was late, less the
      delays of the machine.
    """
    late, end, shown, hammer, has_terms = [], 0.0, None, 0, False
    for line in connection.received:
        message = parse(line.text)
        word, _, rest = message.words.partition(" ")
        if message.number is None or word not in CLOCK:
            continue
        number, is_counted = int(rest) if word == "COUNTDOWN" else 0, False
        if shown is not None and number > shown:
            if delays.between(line.at - shown - 2, line.at) < MACHINE_LATE:
                raise Late("a countdown restarted by itself, and the machine was not late", line.text)
        elif shown is not None and word in ("COUNTDOWN", "WINNER"):
            late.append((end - number, own_delay(message.words, end - number, line.at, delays), word))
            end += max(0.0, line.at - (end - number) - TOLERANCE) if number else 0
            is_counted = True
        if word == "WINNER" and message.elapsed < hammer:
            raise Failure("the hammer fell before its time", message.words)
        if word != "COUNTDOWN":
            # A lot with terms may have a price that wins at once.
            has_terms = word == "TERMS" or has_terms and word != "LOT"
            hammer = message.elapsed + (message.remaining or 0) if word == "PRICE" and not has_terms else 0
        shown = number if word == "COUNTDOWN" else None
        if not is_counted:
            end = line.at + (message.remaining or 0) / 1000
    return late


def own_delay(what: str, due: float, at: float, delays) -> float:
    """The seconds by which the server was late, less the delays of the machine; fails if they are too many."""
    own = max(0.0, at - due - delays.between(due, at))
    if own > IN_TIME:
        raise Late(f"{what} came {(at - due) * 1e3:.0f} ms after its time, {own * 1e3:.0f} ms of it by the server")
    return own
