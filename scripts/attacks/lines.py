"""Attacks by what is sent: slow and endless lines, noise, telnet, the greetings of other protocols."""

import random
import re
import time

from attackers import Crowd, answers_in, connect, read, read_answers
from checks import check
from harness import Attack

SECONDS = 3.2
SLOW_COUNT, SLOW_COMMAND = 200, b"#slow ping\r\n"


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


def play_endless_lines(harness):
    for act in (send_64_mebibytes, send_lines_without_an_end):
        harness.start(act)
        harness.join()


def send_64_mebibytes(address):
    """A line of 64 MiB is refused once, and the line after it is answered."""
    connection, piece = connect(address), b"x" * (1 << 20)
    for _ in range(64):
        connection.sendall(piece)
    connection.sendall(b"\nping\n")
    received = read(connection, lambda data: b"\nOK ping\n" in data)
    check(received.count(b"ERROR line-too-long ") == 1, f"64 MiB were answered {received[-200:]!r}")
    connection.close()


def send_lines_without_an_end(address):
    crowd = Crowd(address, 20, lambda number: b"x" * (1 << 16))
    crowd.flood(SECONDS)
    crowd.leave()


BAD_LINES = ((b"ping\r\0", b"OK ping"), (b"pi\0ng\n", b"ERROR unknown-command"),
             (b"name \xf0\x80\x80\xaf\n", b"ERROR not-utf8"), (b"name \x1b]0;owned\x07\n", b"ERROR bad-name"),
             (b"bid 99999999999999999999999999999999\n", b"ERROR bad-amount"),
             (b"laps 9223372036854775807 9223372036854775807\n", b"ERROR bad-arguments"),
             (b"\xff\xff" * 1100 + b"\n", b"ERROR line-too-long"))


def send_bad_lines(address):
    for sent, answer in BAD_LINES:
        connection = connect(address)
        connection.sendall(sent)
        answers = read_answers(connection)
        check(len(answers) == 1 and answers[0].startswith(answer), f"{sent[:40]!r} was answered {answers}")
        connection.close()


def send_noise(address):
    chance = random.Random(7)
    pieces = [chance.randbytes(chance.randrange(1, 3000)) for _ in range(40)]
    # A word that is no command in front, or the noise might one day be a bid.
    pieces += [chance.choice(BAD_LINES)[0] + piece for piece in pieces]
    crowd = Crowd(address, 50, lambda number: chance.choice(pieces))
    crowd.flood(SECONDS)
    crowd.leave()


IAC, SE, SB, WILL, WONT, DO, DONT = 255, 240, 250, 251, 252, 253, 254
OPTIONS = 64
"""Of one connection, for each answer counts as a line."""


def negotiate_every_option(address):
    for first in range(0, 256, OPTIONS):
        options = range(first, first + OPTIONS)
        connection = connect(address)
        connection.sendall(b"".join(bytes((IAC, DO, option, IAC, WILL, option, IAC, WONT, option, IAC, DONT, option))
                                    for option in options) + b"ping\n")
        expected = [bytes((IAC, refusal, option)) for option in options for refusal in (WONT, DONT)]
        received = read(connection, lambda data: b"OK ping\n" in data)
        answers = re.findall(rb"\xff..", received, re.DOTALL)
        check(answers == expected, f"options from {first} were answered {answers}")
        connection.close()


def break_off_negotiations(address):
    for part in (bytes((IAC, SB, 24)), bytes((IAC,)), bytes((IAC, DO)),
                 bytes((IAC, SB, 24)) + b"x" * 100_000, bytes((IAC, SB, 24, IAC)) * 1000):
        connection = connect(address)
        connection.sendall(part)
        connection.close()
    connection = connect(address)
    connection.sendall(b"pi" + bytes((IAC, SB, 24, 10, IAC, IAC, 1, IAC, SE)) + b"ng\n")
    check(read_answers(connection) == [b"OK ping"], "a negotiation within a word breaks the word")
    connection.close()


def negotiate_without_an_end(address):
    chance = random.Random(7)
    pieces = [bytes(chance.choice((IAC, IAC, SB, SE, WILL, WONT, DO, DONT, 10, 13, 1, 97))
                    for _ in range(2000)) for _ in range(20)]
    crowd = Crowd(address, 50, lambda number: chance.choice(pieces))
    crowd.flood(SECONDS)
    crowd.leave()


GREETING_COUNT = 250
GREETING_SECONDS = 0.015
"""The server waits 20 ms for a first line."""
SPACING = 0.01
"""Seconds between two rounds, so that there are enough bids meanwhile to be judged."""
TLS = bytes.fromhex(
    "16030100b5010000b10303" + "5a" * 32 + "20" + "a5" * 32 + "0006130113021303" "0100"
    "0062000000100e00000b6578616d706c652e636f6d" "002b0003020304" "000a00040002001d"
    "000d000400020403" "00330026 0024001d0020" + "3c" * 32)
HTTP = (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: x\r\nname: mallory\r\nbid 7\r\n\r\n",
        b"POST /bid HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nbid 9999",
        b"OPTIONS * HTTP/1.0\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
OTHERS = (TLS + b"\n", b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", b"EHLO example.com\r\n", b"USER anonymous\r\n",
          b"*1\r\n$4\r\nPING\r\n", b"\x03\x00\x00\x13\x0e\xe0\x00\x00\x00\x00\x00\x01\x00\x08\x00\x03\x00\x00\x00\n",
          b"CONNECT {\"verbose\":false}\r\n", b"PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n")


def send_http(address):
    """A browser receives an HTTP 400 that names the protocol, and no line of it is a command."""
    for request in HTTP * (GREETING_COUNT // len(HTTP)):
        # A browser speaks first. On a busy machine we may be too late for that, and connect again.
        while True:
            start, connection = time.monotonic(), connect(address)
            connection.sendall(request)
            if time.monotonic() - start < GREETING_SECONDS:
                break
            connection.close()
        received = read(connection)
        check(received.startswith(b"HTTP/1.1 400 ") and b"auction/1" in received and not answers_in(received),
              f"{request[:20]!r} was answered {received[:200]!r}")
        connection.close()


def send_greetings(address):
    for _ in range(GREETING_COUNT):
        for greeting in OTHERS:
            connection = connect(address)
            connection.sendall(greeting)
            read(connection, lambda data: b"\nERROR " in data)
            connection.close()
        time.sleep(SPACING)


ATTACKS = (
    Attack("slow", "200 send a line byte by byte, 200 send half a line",
           (send_byte_by_byte, send_half_a_line), ("--line-seconds", "3")),
    Attack("endless_line", "a line of 64 MiB, and endless lines from 20", flags=("--line-rate", "none"),
           play=play_endless_lines),
    Attack("garbage", "bad lines, and noise from 50", (send_bad_lines, send_noise)),
    Attack("negotiation", "every telnet option, unfinished negotiations, negotiations from 50",
           (negotiate_every_option, break_off_negotiations, negotiate_without_an_end)),
    Attack("greetings", "HTTP, TLS, SSH and others, 250 of each", (send_http, send_greetings)),
)
