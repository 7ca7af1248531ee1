"""How long one broadcast takes, by the kernel's clock, to observers that do not read meanwhile.

So the load costs nothing: each observer is read only after all have their bytes, which the kernel has stamped.
"""

import contextlib
import resource
import socket
import time

import machine
from programs import HOST

REST, REST_EACH = 0.1, 30e-6
"""Seconds until a broadcast is over: at most 0.7 for 20,000 observers, for after one the countdown would tick."""
PATIENCE = 20


def times(port, observers, broadcasts):
    """The seconds from the first to the last observer, of each broadcast."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(connect(port, b"ping\n", b"OK ping\n")) for _ in range(observers)]
        for observer in crowd:
            machine.stamp(observer)
            observer.setblocking(False)
        bidder = stack.enter_context(connect(port, b"name bench\n", b"OK name"))
        return [broadcast(bidder, crowd, number + 1) for number in range(broadcasts)]


def broadcast(bidder, crowd, amount):
    """Bids once, leaves the server alone, and returns how far apart the first and the last were served."""
    for observer in crowd:
        with contextlib.suppress(BlockingIOError):
            observer.recv(1 << 16)
    bidder.sendall(b"bid %d\n" % amount)
    time.sleep(REST + REST_EACH * len(crowd))
    moments = [machine.receive(observer)[1] for observer in crowd]
    return max(moments) - min(moments)


def connect(port, command, answer):
    """A connection that has sent the command and received the answer."""
    peer = socket.create_connection((HOST, port), PATIENCE)
    peer.sendall(command)
    received = b""
    while answer not in received:
        part = peer.recv(1 << 16)
        if not part:
            raise ConnectionError(f"the server ended before {answer!r}")
        received += part
    return peer
