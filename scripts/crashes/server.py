"""The server that is started and killed, again and again, in one folder."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time

from unlimited import UNLIMITED
from violation import Violation

HOST = "127.0.0.1"
PATIENCE = 20.0
"""Seconds that anything awaited may take before it counts as a failure."""


class Server:
    """One run of the server, with short lots."""

    def __init__(self, path: str, folder: str, threads: int, log, flags: tuple[str, ...] = ()):
        self.start = time.monotonic()
        self._log, self._said = log, b""
        self._process = subprocess.Popen(
            [path, "--host", HOST, "--port", "0", "--seconds", "1", "--pause", "0",
             "--step", "1", "--data", folder, "--threads", str(threads), *UNLIMITED,
             *flags],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            # A backtrace is made by a process of its own, which would outlive the server.
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})

    def wait_until_it_listens(self) -> int:
        """Its port."""
        address = re.compile(rb"listening on \S+:(\d+)\n")
        while not (match := address.search(self._said)):
            left = self.start + PATIENCE - time.monotonic()
            if not select.select([self._process.stderr], [], [], max(0, left))[0]:
                raise Violation(f"the server does not listen after {PATIENCE:g} s", self._said)
            self._hear()
        return int(match[1])

    def drain(self):
        """Takes all that it says on standard error, until it ends."""
        while data := os.read(self._process.stderr.fileno(), 1 << 16):
            self._said += data

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self):
        """Kills it; fails if it has ended by itself."""
        self._end(signal.SIGKILL, -signal.SIGKILL)

    def stop(self):
        """Asks it to end, and fails unless it does with exit code 0."""
        self._end(signal.SIGTERM, 0)

    def close(self):
        """Ends it, if it still runs, and keeps what it said."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(PATIENCE)
        with self._process.stderr as errors:
            self._said += errors.read()
        self._log.write(self._said.decode("utf-8", "replace"))
        self._log.flush()

    def _hear(self):
        data = os.read(self._process.stderr.fileno(), 1 << 16)
        if not data:
            code = self._process.wait(PATIENCE)
            raise Violation(f"the server exited {code} instead of listening",
                            self._said.decode("utf-8", "replace"))
        self._said += data

    def _end(self, number, expected):
        ended = self._process.poll()
        self._process.send_signal(number)
        code = self._process.wait(PATIENCE)
        if ended is not None or code != expected:
            raise Violation(f"the server exited {code}, not {expected}",
                            self._said.decode("utf-8", "replace"))
