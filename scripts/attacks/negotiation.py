"""Telnet, as far as it goes: every option, and negotiations without an end."""

import random
import re

from peer import check
from storm import Crowd, dial, hear

TITLE = "telnet: every option refused, unfinished negotiations, negotiations from 50"
IAC, SE, SB, WILL, WONT, DO, DONT = 255, 240, 250, 251, 252, 253, 254
OPTIONS = 64
"""Of one connection, for each answer counts as a line."""
SECONDS = 3.2


def play(arena):
    arena.storm(every_option)
    arena.storm(unfinished)
    arena.storm(negotiate)
    arena.join()


def every_option(address):
    for first in range(0, 256, OPTIONS):
        options = range(first, first + OPTIONS)
        caller = dial(address)
        caller.sendall(b"".join(bytes((IAC, DO, option, IAC, WILL, option, IAC, WONT, option,
                                       IAC, DONT, option)) for option in options) + b"ping\n")
        expected = [bytes((IAC, refusal, option)) for option in options for refusal in (WONT, DONT)]
        heard = hear(caller, lambda data: b"OK ping\n" in data)
        answers = re.findall(rb"\xff..", heard, re.DOTALL)
        check(answers == expected, f"options from {first} were answered {answers}")
        caller.close()


def unfinished(address):
    """A line goes on after what was cut short, and what was never ended ends with its sender."""
    for part in (bytes((IAC, SB, 24)), bytes((IAC,)), bytes((IAC, DO)),
                 bytes((IAC, SB, 24)) + b"x" * 100_000, bytes((IAC, SB, 24, IAC)) * 1000):
        caller = dial(address)
        caller.sendall(part)
        caller.close()
    caller = dial(address)
    caller.sendall(b"pi" + bytes((IAC, SB, 24, 10, IAC, IAC, 1, IAC, SE)) + b"ng\n")
    hear(caller, lambda data: b"OK ping\n" in data)
    caller.close()


def negotiate(address):
    chance = random.Random(7)
    pieces = [bytes(chance.choice((IAC, IAC, SB, SE, WILL, WONT, DO, DONT, 10, 13, 1, 97))
                    for _ in range(2000)) for _ in range(20)]
    crowd = Crowd(address, 50, lambda number: chance.choice(pieces))
    crowd.rage(SECONDS)
    crowd.leave()
