"""What the kernel knows: when bytes came, what a process uses, and how late the machine runs its processes.

The load generators use the cores and the disk of this machine; an attacker on another machine would not. So
a control process measures two delays that the server does not cause, and checks of time subtract the larger:

- how late the control process runs, which only sleeps and syncs 64 bytes, at the priority of the server;
- the longest time that a thread of the server was runnable without a core (`schedstat`).
"""

from __future__ import annotations

import bisect
import contextlib
import multiprocessing
import os
import random
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time
from typing import NamedTuple

from programs import HOST

FORK = multiprocessing.get_context("fork")
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
MIB = 1 << 20
SO_TIMESTAMPNS = 35
"""Of Linux, for most processors; the module `socket` does not name it."""
STAMP = struct.Struct("qq")
END_SECONDS = 5.0
"""How long a killed process may take to end."""
SERVER_PORTS = 20_000, 30_000
SPACING, LATE = 0.01, 0.01
"""How often the control process measures, and the least delay that counts: a sync takes milliseconds."""


def free_port() -> int:
    """A port on which nobody listens, and which the kernel gives to no connection.

    So a client that connects while the server is away can neither take the port nor reach itself.
    """
    while True:
        port = random.randrange(*SERVER_PORTS)
        with contextlib.suppress(OSError), socket.create_server((HOST, port)):
            return port


def stamp(connection: socket.socket):
    """Has the kernel stamp what arrives from now on.

    On the loopback device it does so while the sender's `send` runs, however late the receiver reads.
    """
    connection.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)


def receive(connection: socket.socket, size: int = 1 << 18) -> tuple[bytes, float]:
    """What has arrived, and when its last segment did, by the monotonic clock."""
    data, ancillary, _, _ = connection.recvmsg(size, socket.CMSG_SPACE(STAMP.size))
    now, wall = time.monotonic(), time.time()
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
            seconds, nanoseconds = STAMP.unpack(content[:STAMP.size])
            return data, min(now, now - (wall - seconds - nanoseconds / 1e9))
    return data, now


class Figures(NamedTuple):
    """What a process uses."""

    memory: int
    """Resident bytes."""
    descriptors: int
    threads: int
    cpu: float
    """Seconds since the process began."""
    sockets: int
    """Bytes of kernel memory of all TCP sockets with the port at either end."""


def figures(pid: int, port: int | None = None) -> Figures:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        # The name of the program, in parentheses, may have blanks.
        fields = file.read().rpartition(")")[2].split()
    return Figures(int(fields[21]) * PAGE, len(os.listdir(f"/proc/{pid}/fd")), int(fields[17]),
                   (int(fields[11]) + int(fields[12])) / TICKS, socket_memory(port) if port else 0)


def socket_memory(port: int) -> int:
    """What the sockets have received, have queued to send, and have reserved.

    Source: ss(8), the option `-m`.
    """
    words = ["ss", "-tanmH", f"( sport = :{port} or dport = :{port} )"]
    printed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    return sum(map(int, re.findall(r"[(,][rfw](\d+)", printed)))


def share_of_a_core(pid: int, pass_time, seconds: float = 1.0) -> float:
    """The part of a processor that the process uses while this time passes."""
    before, start = figures(pid).cpu, time.monotonic()
    pass_time(seconds)
    return (figures(pid).cpu - before) / (time.monotonic() - start)


def descendants(pid: int) -> list[int]:
    """A process, its children, theirs, and so on."""
    found = [pid]
    for process in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as children:
                    found += map(int, children.read().split())
    return found


def kill(processes: list[int]):
    """Kills those that still run, and waits until all have ended."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            descriptor = os.pidfd_open(process)
            try:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                select.select([descriptor], [], [], END_SECONDS)
            finally:
                os.close(descriptor)


class Delays:
    """What the control process measured."""

    def __init__(self, samples=()):
        self._dues, self._samples = [due for due, _, _ in samples], samples

    def between(self, start: float, end: float) -> float:
        """The seconds between two moments in which the machine kept the server from running."""
        first = max(0, bisect.bisect_left(self._dues, start) - 1)
        last = min(len(self._samples), bisect.bisect_right(self._dues, end) + 1)
        samples = self._samples[first:last]
        late = sum(max(0.0, min(end, done) - max(start, due))
                   for due, done, _ in samples if done - due >= LATE)
        if len(samples) < 2:
            return late
        before, after = samples[0][2], samples[-1][2]
        waited = max((after[thread] - before.get(thread, 0) for thread in after), default=0)
        return max(late, min(waited, end - start))


class Control:
    """The control process."""

    def __init__(self, pid: int, folder: str | None):
        """Syncs in the folder; in none if the server has no journal."""
        self._pipe, theirs = FORK.Pipe()
        self._process = FORK.Process(target=_measure, args=(pid, folder, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def end(self) -> Delays:
        self._pipe.send("end")
        delays = Delays(self._pipe.recv())
        self._process.join()
        return delays

    def close(self):
        self._process.kill()
        self._process.join()


def _measure(pid, folder, pipe):
    """The main function of the control process."""
    samples = []
    with tempfile.TemporaryFile(dir=folder) as file:
        due = time.monotonic() + SPACING
        while not pipe.poll():
            time.sleep(max(0.0, due - time.monotonic()))
            if folder:
                file.write(bytes(64))
                file.flush()
                os.fdatasync(file.fileno())
            done = time.monotonic()
            samples.append((due, done, _waits(pid)))
            due = max(due, done) + SPACING
    pipe.send(samples)


def _waits(pid):
    """The seconds that each thread of the process was runnable while others ran."""
    waited = {}
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                waited[task] = int(file.read().split()[1]) / 1e9
    except FileNotFoundError:
        pass  # A thread has just ended, or the server has.
    return waited
