"""What attackers do with sockets, each in a process that yields to everybody else on the machine.

They yield because an attacker has a machine of its own. They get what they want all the same, for only the
server has much to do.
"""

from __future__ import annotations

import os
import random
import selectors
import socket
import time
import traceback

from checks import Failure, check
from peer import PATIENCE, reset

SEND_BYTES = 1 << 14
"""A small buffer: what the attackers' own kernel keeps would hide what the server's does."""
COMMANDS = {"laps": b"laps 1 1000", "bid": b"bid 1", "name": b"name %s", "say": b"say hello", "max": b"max 1"}
NAMED = ("bid", "say", "max")
"""The commands for which attackers take names first."""
PIPELINED = 8
HERE, REMOTE = "127.0.0.66", "203.0.113.7"
"""The attackers' own address, and their address behind a proxy."""


def run(address, pipe, act):
    """The main function of the process of an attacker; it reports a complaint, or none."""
    os.nice(10)
    try:
        act(address)
        pipe.send("")
    except Failure as failure:
        pipe.send(str(failure))
    except Exception:  # pylint: disable=broad-except
        pipe.send(traceback.format_exc())


def connect(address, source=None, receive_bytes=None, send_bytes=None, waits=True) -> socket.socket:
    """A connection; with a source it comes from that address of this machine."""
    connection = socket.socket()
    if send_bytes:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_bytes)
    if receive_bytes:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    if source:
        # One source has ports for all; the kernel picks one when it knows the other end.
        connection.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
        connection.bind((source, 0))
    connection.settimeout(PATIENCE)
    connection.connect(address)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not waits:
        connection.setblocking(False)
    return connection


def read(connection: socket.socket, is_enough=lambda data: False) -> bytes:
    """What comes until it is enough, or up to the end of the connection."""
    data, deadline = b"", time.monotonic() + PATIENCE
    while not is_enough(data):
        left = deadline - time.monotonic()
        check(left > 0, f"the server sent only {data[-200:]!r}")
        connection.settimeout(left)
        try:
            more = connection.recv(1 << 16)
        except TimeoutError:
            continue
        except ConnectionResetError:
            break
        if not more:
            break
        data += more
    return data


def answers_in(data: bytes) -> list[bytes]:
    """The answers among the whole lines."""
    return [line for line in data.split(b"\n")[:-1] if line.startswith((b"OK ", b"ERROR "))]


def read_answers(connection: socket.socket, count: int = 1) -> list[bytes]:
    """The first answers, or those before the end."""
    return answers_in(read(connection, lambda data: len(answers_in(data)) >= count))


class Crowd:
    """Connections that send something again and again, as fast as the server takes it."""

    def __init__(self, address, count, text, *, reads=True):
        """`text` returns what the connection of a number sends."""
        self._text, self._reads = text, reads
        self._selector = selectors.DefaultSelector()
        self.lost = 0
        self.connections = []
        for _ in range(count):
            self.add(lambda: connect(address, None, None, SEND_BYTES, waits=False))

    def add(self, make):
        """Adds the connection that is made, or counts it as lost."""
        try:
            connection = make()
        except OSError:
            self.lost += 1
            return
        connection.setblocking(False)
        events = selectors.EVENT_WRITE | (selectors.EVENT_READ if self._reads else 0)
        self._selector.register(connection, events, [len(self.connections), b""])
        self.connections.append(connection)

    def flood(self, seconds: float):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self._selector.get_map():
            for key, events in self._selector.select(left):
                try:
                    if events & selectors.EVENT_READ and not key.fileobj.recv(1 << 16):
                        raise ConnectionResetError
                    if events & selectors.EVENT_WRITE:
                        number, rest = key.data
                        rest = rest or self._text(number)
                        key.data[1] = rest[key.fileobj.send(rest):]
                except BlockingIOError:
                    pass
                except OSError:
                    self._selector.unregister(key.fileobj)
                    key.fileobj.close()
                    self.lost += 1

    def leave(self, abruptly=False):
        self._selector.close()
        for connection in self.connections:
            if connection.fileno() >= 0:
                (reset if abruptly else socket.socket.close)(connection)


class Attacker:
    """Makes the connections of one play and their commands."""

    def __init__(self, address, command, form, source):
        self._address, self._command, self._form, self._source = address, command, form, source
        self._rng, self._serial = random.Random(7), 0

    def enter(self, **options) -> socket.socket:
        """A new connection, after its PROXY header if there is one and its first lines."""
        connection = connect(self._address, HERE if self._source == "here" else None, send_bytes=SEND_BYTES, **options)
        self._serial += 1
        name = b"name n%d\n" % self._serial if self._command in NAMED else b""
        connection.sendall(self._header() + (b"format json\n" if self._form == "json" else b"") + name)
        return connection

    def commands(self) -> bytes:
        """Eight commands."""
        line = COMMANDS.get(self._command, self._command.encode())
        if self._command == "name":
            self._serial += 1
            line %= b"f%d" % self._serial
        return (line + b"\n") * PIPELINED

    def _header(self) -> bytes:
        """The PROXY header of a trusted proxy, with an IPv4 or IPv6 address."""
        if self._source == "here":
            return b""
        if self._source == "one":
            return f"PROXY TCP4 {REMOTE} 192.0.2.2 40000 7777\r\n".encode()
        if self._rng.random() < 0.5:
            address = ".".join(str(self._rng.randint(1, 254)) for _ in range(4))
            return f"PROXY TCP4 {address} 192.0.2.2 40000 7777\r\n".encode()
        groups = ":".join(f"{self._rng.randrange(1 << 16):x}" for _ in range(7))
        return f"PROXY TCP6 2001:{groups} 2001:db8::1 40000 7777\r\n".encode()
