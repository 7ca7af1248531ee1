"""The kernel's own time stamps: when bytes came in, however late they are read.

On the loopback device the kernel stamps a segment while the sender's `send` runs. So a stamp is the
moment at which the server spoke, and a harness that was late to look is not held against the server.
"""

from __future__ import annotations

import socket
import struct
import time

SO_TIMESTAMPNS = 35
"""Of Linux, for most processors; the module `socket` does not name it."""
STAMP = struct.Struct("qq")


def stamp(connection: socket.socket):
    """Has the kernel stamp what comes in on this connection from now on."""
    connection.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)


def receive(connection: socket.socket, size: int = 1 << 18) -> tuple[bytes, float]:
    """What has come, and the moment of the monotonic clock at which its last segment did."""
    data, ancillary, _, _ = connection.recvmsg(size, socket.CMSG_SPACE(STAMP.size))
    now, wall = time.monotonic(), time.time()
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
            seconds, nanoseconds = STAMP.unpack(content[:STAMP.size])
            return data, min(now, now - (wall - seconds - nanoseconds / 1e9))
    return data, now
