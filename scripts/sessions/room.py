"""The room of one session: its server, everybody in it, and what was said."""

from __future__ import annotations

import collections
import contextlib
import os
import random
import re
import selectors
import shutil
import signal
import socket
import tempfile
import time

from peer import PATIENCE, ProgramPeer, SocketPeer, check
from unlimited import UNLIMITED

HOST = "127.0.0.1"
TRANSCRIPT_LINES = 60
SERVER_PORTS = 20_000, 30_000


class Room:
    """Starts the programs of one session, waits for them in one loop, and ends them all."""

    def __init__(self, programs, flags):
        self.server_path, self.client_path = programs.server, programs.client
        self.bench_path, self.flags = programs.bench, flags
        self.port = None
        self.folder = tempfile.mkdtemp(prefix="auction-session-")
        self.transcript = collections.deque(maxlen=TRANSCRIPT_LINES)
        self._selector = selectors.DefaultSelector()
        self._everybody = []
        self._start = time.monotonic()

    # Who comes in

    def serve(self, *flags, through=(), port=0, limits=UNLIMITED):
        """Starts a server on a free port, or on this one, and waits until it listens.

        It keeps nobody waiting, unless other flags are given as its limits.
        """
        server = self.run_server("--host", HOST, "--port", str(port), *self.flags, *flags, *limits,
                                 through=through)
        line = server.errors.expect(rf".*listening on {re.escape(HOST)}:\d+\b.*")
        self.port = int(re.search(r":(\d+)", line[line.index("listening on"):])[1])
        return server

    def free_port(self):
        """A port that nobody listens on, and that no connection is given by the kernel.

        So a client that calls while the server is away can neither take it nor meet itself.
        """
        while True:
            port = random.randrange(*SERVER_PORTS)
            with contextlib.suppress(OSError), socket.create_server((HOST, port)):
                return port

    def run_server(self, *flags, through=()):
        """Starts the server with just these flags, through another program if there is one.

        It works in a fresh folder, where it keeps its journal unless a flag says otherwise.
        """
        place = tempfile.mkdtemp(prefix="server-", dir=self.folder)
        return self.admit(Server(self, "server", [*through, self.server_path, *flags],
                                 self.environment(), place))

    def connect(self, name, receive_bytes=None, waits=True):
        """A connection of our own to the server started last, which has been greeted if it waits."""
        peer = self.admit(SocketPeer(self, name, (HOST, self.port), receive_bytes))
        if waits:
            peer.expect(r"HELLO auction/1 .+")
        return peer

    def spawn(self, name, *arguments, **environment):
        """Another program."""
        return self.admit(ProgramPeer(self, name, arguments, self.environment(**environment)))

    def environment(self, **more):
        """Our own environment with some changes; nil takes a variable away.

        State is kept in the folder of the session and goes with it.
        """
        state = {"HOME": self.folder, "XDG_STATE_HOME": os.path.join(self.folder, "state"),
                 # A backtrace is made by a process of its own, which would outlive the program.
                 "SWIFT_BACKTRACE": "enable=no"}
        changed = {**os.environ, **state, **more}
        return {name: value for name, value in changed.items() if value is not None}

    def admit(self, peer):
        """Takes somebody in, who is ended with the room."""
        self._everybody.append(peer)
        return peer

    # The loop

    def watch(self, descriptor, event, call):
        """Calls back when the descriptor is ready for the event."""
        calls = dict(self._calls(descriptor))
        calls[event] = call
        self._assign(descriptor, calls)

    def unwatch(self, descriptor, event=None):
        """Calls back no more, for one event or for all."""
        calls = dict(self._calls(descriptor))
        if event is None:
            calls.clear()
        calls.pop(event, None)
        self._assign(descriptor, calls)

    def pump(self, seconds):
        """Hears and speaks once, after at most so many seconds."""
        for key, events in self._selector.select(max(0, seconds)):
            for event, call in list(key.data.items()):
                if events & event:
                    call()

    def wait(self, is_so, complaint, seconds=PATIENCE, interval=PATIENCE):
        """Pumps until it is so; fails with the complaint when that takes too long.

        It is looked at after each event, and at least once in each interval.
        """
        deadline = time.monotonic() + seconds
        while not is_so():
            left = deadline - time.monotonic()
            check(left > 0, f"{complaint} within {seconds:g} s")
            self.pump(min(left, interval))

    def pump_until(self, moment):
        """Pumps until the moment of the monotonic clock."""
        while (left := moment - time.monotonic()) > 0:
            self.pump(left)

    def _calls(self, descriptor):
        key = self._selector.get_map().get(descriptor)
        return key.data if key else {}

    def _assign(self, descriptor, calls):
        old = self._calls(descriptor)
        if calls and old:
            self._selector.modify(descriptor, sum(calls), calls)
        elif calls:
            self._selector.register(descriptor, sum(calls), calls)
        elif old:
            self._selector.unregister(descriptor)

    # What was said

    def note(self, name, direction, lines):
        """Adds lines to the transcript, which keeps the newest."""
        now = time.monotonic() - self._start
        self.transcript.extend((now, name, direction, line) for line in lines[-TRANSCRIPT_LINES:])

    def close(self):
        """Ends everything this session started."""
        for peer in self._everybody:
            peer.close()
        self._selector.close()
        shutil.rmtree(self.folder)


class Server(ProgramPeer):
    """The server under test."""

    def stop(self, number=signal.SIGTERM):
        """Asks it to end and fails unless it does, with exit code 0."""
        self.process.send_signal(number)
        code = self.exit_code()
        check(code == 0, f"the server exited {code} after {signal.Signals(number).name}")
