"""What attackers do with sockets, each in a process of low priority.

A real attacker has a machine of its own, so these must not take time from the server. They are fast enough all the
same, because only the server has much to do.
"""

from __future__ import annotations

import math
import os
import re
import resource
import selectors
import socket
import time
import traceback
from typing import NamedTuple

from checks import Failure, check
from testbed import PATIENCE, reset

SECONDS = 3.6
"""Longer than a lot of the honest bidders, so that a hammer falls meanwhile."""
SMALL = 1 << 14
"""A small buffer: what the attackers' own kernel keeps would hide what the server's does."""
DRIP_SECONDS = 0.1


def run(address, pipe, act):
    """The main function of the process of an attacker; it reports a complaint, or none."""
    os.nice(10)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    try:
        act(address)
        pipe.send("")
    except Failure as failure:
        pipe.send(str(failure))
    except Exception:  # pylint: disable=broad-except
        pipe.send(traceback.format_exc())


def connect(address, source="", waits=True, send_bytes=0, receive_bytes=0) -> socket.socket:
    """A connection; with a source it comes from that address of this machine."""
    connection = socket.socket()
    for option, size in ((socket.SO_SNDBUF, send_bytes), (socket.SO_RCVBUF, receive_bytes)):
        if size:
            connection.setsockopt(socket.SOL_SOCKET, option, size)
    if source:
        # One source has ports for all; the kernel picks one when it knows the other end.
        connection.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
        connection.bind((source, 0))
    connection.settimeout(PATIENCE)
    connection.connect(address)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setblocking(waits)
    return connection


def read(connection: socket.socket, until=b"") -> bytes:
    """Returns what is received, until it contains `until`, or to the end of the connection."""
    data, deadline = b"", time.monotonic() + PATIENCE
    while not until or until not in data:
        connection.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            more = connection.recv(1 << 16)
        except TimeoutError:
            raise Failure(f"the server sent only {data[-200:]!r}") from None
        except ConnectionResetError:
            break
        if not more:
            break
        data += more
    return data


class Flood(NamedTuple):
    """Connections that send something again and again, as fast as the server takes it.

    In all that they send `SERIAL` stands for the next number.
    """

    count: int
    pieces: tuple[bytes, ...]
    """What the connections send, in turn."""
    manner: str = "read"
    """`read`, `silent` (never reads), `reset` (at the first answer, then returns) or `return` (whenever it is closed)."""
    first: bytes = b""
    """What each sends once."""
    until: bytes = b""
    """What each waits for after `first`."""
    source: str = ""
    """The address from which each comes; `SLOT` in it stands for the number of the connection."""
    seconds: float = SECONDS
    most: float = math.inf
    """The `SERIAL` after which they stop."""

    def __call__(self, address):
        crowd = Crowd(self, address)
        crowd.flood(time.monotonic() + self.seconds)
        crowd.leave()


class Crowd:
    """The connections of a flood."""

    def __init__(self, flood: Flood, address):
        self._flood, self._address, self._serial = flood, address, 0
        self._selector = selectors.DefaultSelector()
        for slot in range(flood.count):
            self._enter(slot)

    def flood(self, until: float):
        while (left := until - time.monotonic()) > 0 and self._serial < self._flood.most and self._selector.get_map():
            for key, events in self._selector.select(left):
                try:
                    self._act(key, events)
                except BlockingIOError:
                    pass
                except OSError:
                    self._selector.unregister(key.fileobj)
                    (reset if self._flood.manner == "reset" else socket.socket.close)(key.fileobj)
                    if self._flood.manner in ("reset", "return"):
                        self._enter(key.data[0])

    def leave(self):
        for key in list(self._selector.get_map().values()):
            (socket.socket.close if self._flood.manner == "read" else reset)(key.fileobj)
        self._selector.close()

    def _enter(self, slot):
        flood = self._flood
        try:
            connection = connect(self._address, flood.source.replace("SLOT", str(slot + 1)), send_bytes=SMALL,
                                 receive_bytes=4096 if flood.manner == "silent" else 0)
            connection.sendall(self._filled(flood.first))
            received = read(connection, flood.until) if flood.until else b""
        except OSError:
            return  # It was not let in.
        check(flood.until in received, f"an attacker was not let in: {received[-200:]!r}")
        connection.setblocking(False)
        events = selectors.EVENT_WRITE | (0 if flood.manner == "silent" else selectors.EVENT_READ)
        self._selector.register(connection, events, [slot, b""])

    def _act(self, key, events):
        if events & selectors.EVENT_READ and (self._flood.manner == "reset" or not key.fileobj.recv(1 << 16)):
            raise ConnectionResetError
        if events & selectors.EVENT_WRITE:
            slot, rest = key.data
            rest = rest or self._filled(self._flood.pieces[slot % len(self._flood.pieces)])
            key.data[1] = rest[key.fileobj.send(rest):]

    def _filled(self, data):
        def number(_):
            self._serial += 1
            return b"%d" % self._serial

        return re.sub(b"SERIAL", number, data)


class Unfinished(NamedTuple):
    """Connections that send something without an end, until the server closes them with the expected `ending`."""

    count: int
    begin: bytes
    ending: bytes
    """What each must have received when it is closed."""
    drip: bytes = b""
    """What is sent again and again, in pieces of `drip_bytes`."""
    drip_bytes: int = 1
    first: bytes = b""
    until: bytes = b""
    """What each sends first, and what it waits for after that."""

    def __call__(self, address):
        connections = []
        while len(connections) < self.count:
            start = time.monotonic()
            connection = connect(address)
            if self.first:
                connection.sendall(self.first)
                read(connection, self.until)
            connection.sendall(self.begin)
            # A client that has sent nothing for 0.3 s speaks the line protocol. This machine may have been as slow.
            if self.first or time.monotonic() - start < 0.2:
                connections.append(connection)
            else:
                connection.close()
        for turn in range(int(SECONDS / DRIP_SECONDS) if self.drip else 0):
            start = turn * self.drip_bytes % len(self.drip)
            for connection in connections:
                try:
                    connection.sendall(self.drip[start:start + self.drip_bytes])
                except OSError:
                    pass  # It was closed.
            time.sleep(DRIP_SECONDS)
        for connection in connections:
            received = read(connection)
            check(self.ending in received, f"{self.begin[:40]!r} without an end was answered {received[-200:]!r}")
            connection.close()
