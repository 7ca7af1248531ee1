"""Those who take the server for another one, and say hello in their own way."""

import time

from peer import check
from storm import dial, hear, hear_end

TITLE = "greetings: HTTP, TLS, SSH and others, 250 of each"
COUNT = 250
GREETING_SECONDS = 0.015
"""The server waits 20 ms for a first line."""
SPACING = 0.01
"""Seconds between two rounds, so that there are bids enough meanwhile to be judged."""
HELLO = bytes.fromhex(
    "16030100b5010000b10303" + "5a" * 32 + "20" + "a5" * 32 + "0006130113021303" "0100"
    "0062000000100e00000b6578616d706c652e636f6d" "002b0003020304" "000a00040002001d"
    "000d000400020403" "00330026 0024001d0020" + "3c" * 32)
HTTP = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: x\r\n\r\n",
    b"POST /bid HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nbid 9999",
    b"OPTIONS * HTTP/1.0\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)
OTHERS = (
    HELLO + b"\n",
    b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
    b"EHLO example.com\r\n",
    b"USER anonymous\r\n",
    b"*1\r\n$4\r\nPING\r\n",
    b"\x03\x00\x00\x13\x0e\xe0\x00\x00\x00\x00\x00\x01\x00\x08\x00\x03\x00\x00\x00\n",
    b"CONNECT {\"verbose\":false}\r\n",
    b"PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n",
)


def play(arena):
    arena.storm(browse)
    arena.storm(greet)
    arena.join()


def browse(address):
    """A web browser is told what this is, and nothing that it sends is a command."""
    for greeting in HTTP * (COUNT // len(HTTP)):
        caller = ask(address, greeting)
        heard = hear_end(caller)
        check(heard.startswith(b"HTTP/1.1 400 ") and b"OK " not in heard,
              f"{greeting[:20]!r} was answered {heard[:200]!r}")
        caller.close()


def ask(address, greeting):
    """A connection on which this was said before the server greets, as a browser does.

    On a busy machine we may be too late for that, and come again.
    """
    while True:
        start = time.monotonic()
        caller = dial(address)
        caller.sendall(greeting)
        if time.monotonic() - start < GREETING_SECONDS:
            return caller
        caller.close()


def greet(address):
    """All others are told that this is no command, as any other line."""
    for _ in range(COUNT):
        for greeting in OTHERS:
            caller = dial(address)
            caller.sendall(greeting)
            hear(caller, lambda data: b"\nERROR " in data)
            caller.close()
        time.sleep(SPACING)
