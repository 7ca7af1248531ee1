"""A control process that does almost nothing, and records how late the machine runs it.

The load generators, the bystanders and other programs use the cores and the disk of this machine; an
attacker on another machine would not. So two delays are measured that the server does not cause:

- how late this process ran, which only sleeps and syncs 64 bytes, at the priority of the server;
- the longest time that a thread of the server was runnable without a core (`schedstat`).

Both are measured in exactly the interval in which the server was late, and the larger one is
subtracted. What remains is the delay of the server itself.
"""

from __future__ import annotations

import bisect
import multiprocessing
import os
import tempfile
import time

SPACING = 0.01
LATE = 0.01
"""Delays in seconds below this do not count: a sync takes a few milliseconds."""


class Excuses:
    """What the control measured."""

    def __init__(self, samples):
        self._dues = [due for due, _, _ in samples]
        self._samples = samples

    def between(self, start: float, end: float) -> float:
        """How many seconds between two moments the machine kept the server from running."""
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
    """Starts and stops the process."""

    def __init__(self, pid: int, folder: str | None):
        """Syncs in the folder, if the server has a journal."""
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=run, args=(pid, folder, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def end(self) -> Excuses:
        """Stops it, and returns what it measured."""
        self._pipe.send("end")
        excuses = Excuses(self._pipe.recv())
        self._process.join()
        return excuses

    def close(self):
        """Stops it, if it still runs."""
        self._process.kill()
        self._process.join()


def run(pid: int, folder: str | None, pipe):
    """The main function of the process: measures until told to end, then sends its samples."""
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
            samples.append((due, done, waits(pid)))
            due = max(due, done) + SPACING
    pipe.send(samples)


def waits(pid: int) -> dict[str, float]:
    """Seconds that each thread of the process was runnable, but other threads ran."""
    waited = {}
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                waited[task] = int(file.read().split()[1]) / 1e9
    except FileNotFoundError:
        pass  # A thread has just ended, or the server has.
    return waited
