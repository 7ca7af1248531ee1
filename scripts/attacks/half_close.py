"""Those who close their side and go on listening, as `nc` does at the end of its input."""

import socket
import time

from peer import check
from storm import dial, hear_end

TITLE = "half-close: 780 close their side and hear all that is left to say"
COUNT = 260
SPACING = 0.01
"""Seconds between two rounds, so that there are bids enough meanwhile to be judged."""
CASES = (
    (b"", []),
    (b"ping\n#2 ping\nbid 5\n", [b"OK ping", b"OK #2 ping", b"ERROR not-named "]),
    (b"ping\nbid 5", [b"OK ping", b"ERROR not-named "]),
)


def play(arena):
    arena.storm(close_our_side)
    arena.join()


def close_our_side(address):
    for _ in range(COUNT):
        callers = [dial(address) for _ in CASES]
        for caller, (sent, _) in zip(callers, CASES):
            caller.sendall(sent)
            caller.shutdown(socket.SHUT_WR)
        for caller, (sent, expected) in zip(callers, CASES):
            lines = hear_end(caller).split(b"\n")
            answers = [line for line in lines if line.startswith((b"OK ", b"ERROR "))]
            check(len(answers) == len(expected)
                  and all(map(bytes.startswith, answers, expected)),
                  f"{sent!r} was answered {answers}")
            check(lines[-2:] == [b"BYE end", b""], f"the last words were {lines[-2:]}")
            caller.close()
        time.sleep(SPACING)
