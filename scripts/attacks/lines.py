"""An attack by what is sent: slow lines, half lines, endless lines, noise and unfinished negotiations."""

import random
import time

from attackers import Crowd, connect, read, read_answers
from checks import check
from harness import Attack

SECONDS = 3.2
SLOW_COUNT, SLOW_COMMAND = 200, b"#slow ping\r\n"
COMMANDS = (b"ping\r\0", b"pi\0ng\n", b"name \xf0\x80\x80\xaf\n", b"name \x1b]0;owned\x07\n", b"\x16\x03\x01\0\xb5\n",
            b"laps 9223372036854775807 9223372036854775807\n", b"GET / HTTP/1.1\r\nbid 7\r\n\r\n",
            b"\xff\xff" * 1100 + b"\n")
TELNET = (255, 255, 250, 240, 251, 252, 253, 254, 10, 13, 1, 97)
"""The bytes of negotiations, and a few others."""


def send_byte_by_byte(address):
    connections = [connect(address) for _ in range(SLOW_COUNT)]
    for place in range(len(SLOW_COMMAND)):
        for connection in connections:
            connection.sendall(SLOW_COMMAND[place:place + 1])
        time.sleep(0.1)
    for connection in connections:
        answers = read_answers(connection)
        check(answers == [b"OK #slow ping"], f"a slow command was answered {answers}")
        connection.close()


def send_half_a_line(address):
    connections = [connect(address) for _ in range(SLOW_COUNT)]
    for number, connection in enumerate(connections):
        connection.sendall(b"bid 5" if number % 2 else b"x" * 1500)
    for connection in connections:
        received = read(connection)
        check(received.endswith(b"\nBYE idle\n"), f"an unfinished line ended with {received[-80:]!r}")
        connection.close()


def send_lines_without_an_end(address):
    crowd = Crowd(address, 20, lambda number: b"x" * (1 << 16))
    crowd.flood(SECONDS)
    crowd.leave()


def send_noise(address):
    rng = random.Random(7)
    noise = [rng.randbytes(rng.randrange(1, 3000)) for _ in range(40)]
    noise += [bytes(rng.choices(TELNET, k=2000)) for _ in range(20)]
    # A command that is refused stands in front, or the noise might one day be a bid.
    pieces = [rng.choice(COMMANDS) + piece for piece in noise]
    crowd = Crowd(address, 50, lambda number: rng.choice(pieces))
    crowd.flood(SECONDS)
    crowd.leave()


ATTACKS = (
    Attack("slow", "200 send a line byte by byte, 200 send half a line",
           (send_byte_by_byte, send_half_a_line), ("--line-seconds", "3")),
    Attack("noise", "endless lines from 20, and bad lines, noise and negotiations from 50",
           (send_lines_without_an_end, send_noise), ("--line-rate", "none")),
)
