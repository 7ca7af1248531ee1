"""How long one broadcast takes, by the kernel's own clock, to observers that do not read meanwhile.

So the load costs nothing: each observer is read only after all have their bytes, and asked when they came.
"""

import contextlib
import resource
import socket
import struct
import time

TIMESTAMPS = 35
"""SO_TIMESTAMPNS of socket(7), which Python has no name for."""
REST, REST_EACH = 0.1, 30e-6
"""Seconds in which a broadcast is over: at most 0.7 for 20,000, for after one the countdown would tick."""
PATIENCE = 20


def times(port, observers, broadcasts):
    """From the first to the last observer, in seconds, of so many broadcasts."""
    allow_files()
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(connect(port)) for _ in range(observers)]
        for observer in crowd:
            observer.sendall(b"ping\n")
            expect(observer, b"OK ping\n")
            observer.setsockopt(socket.SOL_SOCKET, TIMESTAMPS, 1)
            observer.setblocking(False)
        bidder = stack.enter_context(connect(port))
        bidder.sendall(b"name bench\n")
        expect(bidder, b"OK name")
        return [broadcast(bidder, crowd, number + 1) for number in range(broadcasts)]


def broadcast(bidder, crowd, amount):
    """Bids once, leaves the server alone, and returns how far apart the first and the last were served."""
    for observer in crowd:
        drain(observer)
    bidder.sendall(b"bid %d\n" % amount)
    time.sleep(REST + REST_EACH * len(crowd))
    moments = [arrival(observer) for observer in crowd]
    return max(moments) - min(moments)


def arrival(observer):
    """When the newest bytes of an observer came."""
    _, notes, _, _ = observer.recvmsg(65536, 64)
    seconds, nanoseconds = next(struct.unpack("qq", data) for _, kind, data in notes if kind == TIMESTAMPS)
    return seconds + nanoseconds / 1e9


def drain(observer):
    """Takes what has come before."""
    with contextlib.suppress(BlockingIOError):
        observer.recv(65536)


def expect(peer, words):
    """Reads until these words have come."""
    heard = b""
    while words not in heard:
        part = peer.recv(65536)
        if not part:
            raise ConnectionError(f"the server ended before {words!r}")
        heard += part


def connect(port):
    """A connection that waits for at most so long."""
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def allow_files():
    """Raises the number of open files as far as it may be."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
