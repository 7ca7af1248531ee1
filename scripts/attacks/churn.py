"""People who come, say a word or none, stay a moment and go, at a steady rate."""

from __future__ import annotations

import collections
import os
import random
import time

from storm import dial, reset

ADDRESS = "127.0.0.77"
"""An address of their own, so that its limits are not those of anybody else."""
STAY = 1.0
WORDS = (b"", b"ping\n", b"status\nwho\nlaps\n", b"format json\n", b"bid 1", b"help\n",
         b"name %s\n", b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfd\x01", b"ping\r\nquit\r\n")


def churn(address, rate, seconds, came):
    """Does so as long as told, whether the server is there or not, and counts who came.

    The address is asked for each time, for each life of a server has another.
    """
    os.nice(10)
    chance, start = random.Random(7), time.monotonic()
    inside = collections.deque()
    number = 0
    while (now := time.monotonic()) < start + seconds:
        while inside and inside[0][0] <= now:
            leave(inside.popleft()[1], chance)
        if number > (now - start) * rate:
            time.sleep(0.005)
            continue
        number += 1
        try:
            caller = dial(address(), ADDRESS, waits=False)
            word = chance.choice(WORDS)
            caller.send(word.replace(b"%s", b"churn-%d" % number))
        except OSError:
            continue  # The server is dead for the moment.
        came.value += 1
        inside.append((now + chance.uniform(0, 2 * STAY), caller))
    for _, caller in inside:
        caller.close()


def leave(caller, chance):
    """With what it was told read or not, and politely or not."""
    try:
        if chance.random() < 0.5:
            caller.recv(1 << 16)
    except OSError:
        pass
    if chance.random() < 0.3:
        reset(caller)
    else:
        caller.close()
