"""Names claimed by the hundred, and guesses at the tokens of others; from an address of its own."""

import random
import time

from bystanders import COUNT as BYSTANDERS
from peer import check
from storm import dial, hear

TITLE = "names: 2,600 claims and guesses of tokens from one address"
ADDRESS = "127.0.0.66"
"""The limits are those of an address, and the bystanders are not to be kept waiting by them."""
ROUNDS = 260
SPACING = 0.01
"""Seconds between two, so that there are bids enough meanwhile to be judged."""


def play(arena):
    arena.storm(guess)
    arena.storm(claim)
    arena.join()


def guess(address):
    """Nobody gets in, and soon nobody is even tried."""
    chance = random.Random(7)
    words = set()
    for number in range(ROUNDS):
        caller = dial(address, ADDRESS)
        name = f"b{number % BYSTANDERS + 1}"
        caller.sendall(b"".join(b"name %s %032x\n" % (name.encode(), chance.getrandbits(128))
                                for _ in range(5)))
        heard = hear(caller, lambda data: data.count(b"\nERROR ") + data.count(b"\nOK ") >= 5)
        check(b"\nOK " not in heard, f"a guess was answered {heard[-200:]!r}")
        words.update(line.split()[1] for line in heard.split(b"\n") if line.startswith(b"ERROR "))
        caller.close()
        time.sleep(SPACING)
    check(b"slow-down" in words, f"1,300 wrong tokens were answered {sorted(words)}")


def claim(address):
    words = set()
    for number in range(ROUNDS):
        caller = dial(address, ADDRESS)
        caller.sendall(b"".join(b"name claim-%d-%d\n" % (number, n) for n in range(5)))
        heard = hear(caller, lambda data: data.count(b"\nERROR ") + data.count(b"\nOK ") >= 5)
        words.update(line.split()[1] for line in heard.split(b"\n")
                     if line.startswith((b"ERROR ", b"OK ")))
        caller.close()
        time.sleep(SPACING)
    check(b"slow-down" in words, f"{ROUNDS} claims of one address were answered {sorted(words)}")
