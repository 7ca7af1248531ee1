"""One test's folder, its servers and other programs, its connections, and the end of them all."""

from __future__ import annotations

import collections
import contextlib
import os
import random
import re
import shutil
import signal
import socket
import tempfile
import time

from checks import check
from peer import Loop, ProgramPeer, SocketPeer
from programs import HOST, UNLIMITED

TRANSCRIPT_LINES = 60
SERVER_PORTS = 20_000, 30_000


class Testbed(Loop):
    """Starts programs, connects to the server started last, and ends everything when it is closed."""

    def __init__(self, programs, flags=()):
        """The flags are given to each server."""
        super().__init__()
        self.server_path, self.client_path, self.bench_path = programs.server, programs.client, programs.bench
        self.flags = flags
        self.port = None
        self.folder = tempfile.mkdtemp(prefix="auction-test-")
        self.transcript = collections.deque(maxlen=TRANSCRIPT_LINES)
        self._members, self._start = [], time.monotonic()

    def serve(self, *flags, through=(), port=0, limits=UNLIMITED):
        """Starts a server on a free port, or on this one, and waits until it listens."""
        server = self.run_server("--host", HOST, "--port", str(port), *self.flags, *flags, *limits, through=through)
        line = server.errors.expect(rf".*listening on {re.escape(HOST)}:\d+\b.*")
        self.port = int(re.search(r":(\d+)", line[line.index("listening on"):])[1])
        return server

    def run_server(self, *flags, through=()):
        """Starts the server with just these flags, through another program if there is one.

        It runs in a new folder, where it keeps its journal unless a flag says otherwise.
        """
        folder = tempfile.mkdtemp(prefix="server-", dir=self.folder)
        words = [*through, self.server_path, *flags]
        return self.close_at_end(Server(self, "server", words, self.environment(), folder))

    def connect(self, name, waits=True, source=None):
        """A connection to the server started last; with `waits` it has been greeted."""
        peer = self.close_at_end(SocketPeer(self, name, (HOST, self.port), source))
        if waits:
            peer.expect(r"HELLO auction/1 .+")
        return peer

    def spawn(self, name, *arguments, **environment):
        """Starts another program."""
        return self.close_at_end(ProgramPeer(self, name, arguments, self.environment(**environment), self.folder))

    def client(self, name, *arguments, **environment):
        """Starts the client, for the server started last."""
        return self.spawn(name, self.client_path, "--host", HOST, "--port", str(self.port), *arguments, **environment)

    def environment(self, **changes):
        """Our environment with changes, of which None removes a variable. State is kept in the folder."""
        state = {"HOME": self.folder, "XDG_STATE_HOME": os.path.join(self.folder, "state"),
                 # A backtrace is made by a process of its own, which would outlive the program.
                 "SWIFT_BACKTRACE": "enable=no"}
        changed = {**os.environ, **state, **changes}
        return {name: value for name, value in changed.items() if value is not None}

    def close_at_end(self, member):
        """Has something closed together with the testbed."""
        self._members.append(member)
        return member

    def secret(self, name, text):
        """The path of a file with this text that only its owner may read."""
        path = os.path.join(self.folder, name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(text)
        return path

    def free_port(self):
        """A port on which nobody listens, and which the kernel gives to no connection.

        So a client that connects while the server is away can neither take the port nor reach itself.
        """
        while True:
            port = random.randrange(*SERVER_PORTS)
            with contextlib.suppress(OSError), socket.create_server((HOST, port)):
                return port

    def record(self, name, direction, lines):
        """Keeps the newest lines for a failure's report."""
        now = time.monotonic() - self._start
        self.transcript.extend((now, name, direction, line) for line in lines[-TRANSCRIPT_LINES:])

    def close(self):
        for member in self._members:
            member.close()
        super().close()
        shutil.rmtree(self.folder)


class Server(ProgramPeer):
    """A server under test."""

    @property
    def pid(self) -> int:
        return self.process.pid

    def stop(self, number=signal.SIGTERM):
        """Ends the server; fails unless its exit code is 0."""
        self.process.send_signal(number)
        code = self.exit_code()
        check(code == 0, f"the server exited {code} after {signal.Signals(number).name}", *self.errors.lines[-5:])

    def kill(self):
        """Kills the server; fails if it has ended by itself."""
        ended = self.process.poll()
        self.process.kill()
        check(ended is None, f"the server exited {ended} before it was killed", *self.errors.lines[-5:])
        self.exit_code()
