"""Bytes that are no lines of the protocol, and some that nearly are."""

import random

from peer import check
from storm import Crowd, dial, hear_answer

TITLE = "garbage: NUL, mixed line ends, invalid and overlong UTF-8, noise from 50"
SECONDS = 3.2
LINES = (
    (b"ping\n", b"OK ping"),
    (b"ping\r\n", b"OK ping"),
    (b"ping\r\0", b"OK ping"),
    (b"\n\r\n\r\0   \t\nping\n", b"OK ping"),
    (b"pi\0ng\n", b"ERROR unknown-command"),
    (b"\0\n", b"ERROR unknown-command"),
    (b"ping\0\n", b"ERROR unknown-command"),
    (b"pi\rng\n", b"ERROR unknown-command"),
    (b"bid \xfe\n", b"ERROR not-utf8"),
    (b"name \xc0\xaf\n", b"ERROR not-utf8"),
    (b"name \xe0\x80\xaf\n", b"ERROR not-utf8"),
    (b"name \xf0\x80\x80\xaf\n", b"ERROR not-utf8"),
    (b"name \xed\xa0\x80\n", b"ERROR not-utf8"),
    (b"name \xf4\x90\x80\x80\n", b"ERROR not-utf8"),
    (b"name \xe2\x82\n", b"ERROR not-utf8"),
    ("name \u202eecila\n".encode(), b"ERROR bad-name"),
    (b"name \x1b]0;owned\x07\n", b"ERROR bad-name"),
    (b"name %s\n", b"ERROR bad-name"),
    ("bid \u0661\u0662\n".encode(), b"ERROR bad-amount"),
    (b"bid 99999999999999999999999999999999\n", b"ERROR bad-amount"),
    (b"bid 0x7fffffff\n", b"ERROR bad-amount"),
    (b"bid 1e9\n", b"ERROR bad-amount"),
    (b"laps 9223372036854775807 9223372036854775807\n", b"ERROR bad-arguments"),
    (b"#\xe2\x80\xae ping\n", b"ERROR bad-arguments"),
    (b"x" * 1024 + b"\n", b"ERROR line-too-long"),
    (b"\xff\xff" * 600 + b"\n", b"ERROR not-utf8"),
    (b"\xff\xff" * 1100 + b"\n", b"ERROR line-too-long"),
)


def play(arena):
    arena.storm(lines)
    arena.storm(noise)
    arena.join()


def lines(address):
    """Each is answered by its own word."""
    for sent, answer in LINES:
        caller = dial(address)
        caller.sendall(sent)
        answers = [line for line in hear_answer(caller).split(b"\n")
                   if line.startswith((b"OK ", b"ERROR "))]
        check(len(answers) == 1 and answers[0].startswith(answer),
              f"{sent[:40]!r} was answered {answers}")
        caller.close()


def noise(address):
    chance = random.Random(7)
    pieces = [chance.randbytes(chance.randrange(1, 3000)) for _ in range(40)]
    # A word of its own, or the noise might one day be a bid that nobody can account for.
    pieces += [chance.choice(LINES)[0] + piece for piece in pieces]
    crowd = Crowd(address, 50, lambda number: chance.choice(pieces))
    crowd.rage(SECONDS)
    crowd.leave()
