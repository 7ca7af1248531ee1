"""Attackers: processes that yield to everybody else on the machine, and what they do with sockets.

They yield, so that what the bystanders wait for is the server and not the attackers' own appetite:
an attacker has a machine of its own. Nobody but the server has much to do, so they get what they
want all the same.
"""

from __future__ import annotations

import os
import selectors
import socket
import struct
import time
import traceback

from peer import Failure, check

HOST = "127.0.0.1"
PATIENCE = 20.0


def attack(address, pipe, act, arguments):
    """What the process of an attacker does; it reports a complaint, or none."""
    os.nice(10)
    try:
        act(address, *arguments)
        pipe.send("")
    except Failure as failure:
        pipe.send(str(failure))
    except Exception:  # pylint: disable=broad-except
        pipe.send(traceback.format_exc())


SEND_BYTES = 1 << 14
"""What an attacker's own kernel keeps is not the server's affair, and would hide what is."""


def dial(address, source=None, receive_bytes=None, send_bytes=None, waits=True) -> socket.socket:
    """A connection; with a source it comes from that address of this machine."""
    caller = socket.socket()
    if send_bytes:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_bytes)
    if receive_bytes:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    if source:
        # One source has ports for all; the kernel picks one when it knows the other end.
        caller.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
        caller.bind((source, 0))
    caller.settimeout(PATIENCE)
    caller.connect(address)
    caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not waits:
        caller.setblocking(False)
    return caller


def reset(caller: socket.socket):
    """Closes so that the other side is told by a reset."""
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    caller.close()


def hear(caller: socket.socket, is_enough, patience: float = PATIENCE) -> bytes:
    """What comes until it is enough, or the end."""
    data, deadline = b"", time.monotonic() + patience
    while not is_enough(data):
        left = deadline - time.monotonic()
        check(left > 0, f"the server said only {data[-200:]!r}")
        caller.settimeout(left)
        try:
            more = caller.recv(1 << 16)
        except TimeoutError:
            continue
        except ConnectionResetError:
            break
        if not more:
            break
        data += more
    return data


def hear_end(caller: socket.socket) -> bytes:
    """Everything up to the end of the connection, which must come."""
    return hear(caller, lambda data: False)


def hear_answer(caller: socket.socket) -> bytes:
    """Everything up to the first answer."""
    return hear(caller, lambda data: any(
        line.startswith((b"OK ", b"ERROR ")) for line in data.split(b"\n")[:-1]))


class Crowd:
    """Connections that say something over and over, as fast as the server takes it."""

    def __init__(self, address, count, say, *, reads=True, source=None, receive_bytes=None):
        self._say, self._reads = say, reads
        self._selector = selectors.DefaultSelector()
        self.sent = self.lost = 0
        self.callers = []
        for _ in range(count):
            try:
                self.add(dial(address, source, receive_bytes, SEND_BYTES, waits=False))
            except OSError:
                self.lost += 1

    def add(self, caller: socket.socket):
        """A new non-blocking connection."""
        events = selectors.EVENT_WRITE | (selectors.EVENT_READ if self._reads else 0)
        self._selector.register(caller, events, [len(self.callers), b""])
        self.callers.append(caller)

    def rage(self, seconds: float):
        """Goes on for so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self._selector.get_map():
            for key, events in self._selector.select(left):
                try:
                    if events & selectors.EVENT_READ and not key.fileobj.recv(1 << 16):
                        raise ConnectionResetError
                    if events & selectors.EVENT_WRITE:
                        self._send(key)
                except BlockingIOError:
                    pass
                except OSError:
                    self._lose(key.fileobj)

    def _send(self, key):
        number, rest = key.data
        rest = rest or self._say(number)
        taken = key.fileobj.send(rest)
        self.sent += taken
        key.data[1] = rest[taken:]

    def _lose(self, caller):
        self._selector.unregister(caller)
        caller.close()
        self.lost += 1

    def leave(self, abruptly=False):
        """Closes whatever is open."""
        self._selector.close()
        for caller in self.callers:
            if caller.fileno() < 0:
                continue
            if abruptly:
                reset(caller)
            else:
                caller.close()
