"""The folder of one test, its servers and other programs, and its connections; it ends them all.

Everything runs in one loop, and nothing blocks.
"""

from __future__ import annotations

import collections
import contextlib
import os
import re
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

import machine
from checks import Failure, check
from programs import HOST, UNLIMITED
from protocol import Connection, Received, Sent

PATIENCE = 60.0
"""Seconds that anything awaited may take."""
TRANSCRIPT_LINES = 60


class Testbed:
    """Starts programs, connects to the server started last, and ends everything when it is closed."""

    def __init__(self, programs, flags=()):
        """The flags are given to each server."""
        self.server_path, self.client_path, self.bench_path = programs.server, programs.client, programs.bench
        self.flags = flags
        self.port = None
        self.folder = tempfile.mkdtemp(prefix="auction-test-")
        self._transcript = collections.deque(maxlen=TRANSCRIPT_LINES)
        self._members, self._start, self._moments = [], time.monotonic(), 0
        self._selector = selectors.DefaultSelector()

    # What is started

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

    def bidder(self, name, source=None):
        """A connection that has taken its name."""
        peer = self.connect(name, waits=False, source=source)
        peer.request(f"name {name}", rf"OK name {name} .+")
        return peer

    def spawn(self, name, *arguments, folder=None, **environment):
        """Starts another program, in its own folder or in that of the testbed."""
        return self.close_at_end(Program(self, name, arguments, self.environment(**environment), folder or self.folder))

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

    free_port = staticmethod(machine.free_port)

    def expect_port(self, port, program):
        """Waits until the program listens on the port."""
        def listens():
            check(not program.has_ended, f"{program.name} ended", *program.lines, *program.errors.lines)
            with socket.socket() as probe:
                return probe.connect_ex((HOST, port)) == 0

        self.wait(listens, f"{program.name} does not listen", interval=0.02)

    def close(self):
        for member in self._members:
            member.close()
        self._selector.close()
        shutil.rmtree(self.folder)

    # The loop

    def moment(self) -> int:
        """A number that is greater than all before."""
        self._moments += 1
        return self._moments

    def record(self, name, direction, lines):
        """Keeps the newest lines for a failure's report."""
        now = time.monotonic() - self._start
        self._transcript.extend((now, name, direction, line) for line in lines[-TRANSCRIPT_LINES:])

    def last_lines(self) -> list[str]:
        """The last lines that were sent and received."""
        return [f"{when:8.3f} {who} {direction} {line[:200]!a}" for when, who, direction, line in self._transcript]

    def watch(self, descriptor, event, call):
        """Calls `call` whenever the descriptor is ready for the event; with None it stops that."""
        key = self._selector.get_map().get(descriptor)
        calls = {**(key.data if key else {}), event: call}
        calls = {event: call for event, call in calls.items() if call}
        if calls and key:
            self._selector.modify(descriptor, sum(calls), calls)
        elif calls:
            self._selector.register(descriptor, sum(calls), calls)
        elif key:
            self._selector.unregister(descriptor)

    def pump(self, seconds):
        """Handles what is ready, after at most this time."""
        for key, events in self._selector.select(max(0, seconds)):
            for event, call in list(key.data.items()):
                if events & event:
                    call()

    def pump_until(self, moment):
        """Pumps until the moment of the monotonic clock."""
        while (left := moment - time.monotonic()) > 0:
            self.pump(left)

    def wait(self, condition, complaint, seconds=PATIENCE, interval=PATIENCE):
        """Pumps until the condition holds, and returns its value; tests it after each event and each interval."""
        deadline = time.monotonic() + seconds
        while not (found := condition()):
            left = deadline - time.monotonic()
            check(left > 0, f"{complaint() if callable(complaint) else complaint} within {seconds:g} s")
            self.pump(min(left, interval))
        return found


class Peer:
    """Lines sent and received, in order, while the loop is pumped."""

    def __init__(self, testbed: Testbed, name: str, source: int, sink: int | None):
        self.testbed, self.name = testbed, name
        self.source, self.sink = source, sink
        self.connection = Connection(name)
        self.lines: list[str] = []
        self.times: list[float] = []
        self.rest = b""
        """The end of what was received, without a line feed."""
        self.on_line = None
        """Is called with each received line."""
        self.has_ended = False
        self._unsent, self._begun = bytearray(), b""
        self._expected = self._answered = 0
        self._is_finishing = False
        for descriptor in (source, sink):
            if descriptor is not None:
                os.set_blocking(descriptor, False)
        testbed.watch(source, selectors.EVENT_READ, self._receive)

    # Sending

    def send(self, data: bytes):
        """Sends bytes, which may end in the middle of a line."""
        moment = self.testbed.moment()
        *whole, self._begun = (self._begun + data).split(b"\n")
        self.connection.sent += (Sent(moment, text_of(line).rstrip("\r")) for line in whole)
        self._unsent += data
        self._flush()

    def send_lines(self, *commands: str):
        """Sends commands, each of which must be answered."""
        self.testbed.record(self.name, ">", commands)
        self.send("".join(command + "\n" for command in commands).encode())

    def request(self, command, pattern):
        """Sends one command; fails unless the pattern matches its answer, which is returned."""
        self.send_lines(command)
        answer = self.answer()
        check(re.fullmatch(pattern, answer),
              f"{self.name}: {command!r} was answered {answer!r}, not {pattern!r}")
        return answer

    def finish(self):
        """Closes the sending side once all is sent, and keeps reading."""
        self._end_line()
        self._is_finishing = True
        self._flush()

    def _end_line(self):
        """Records an incomplete line as sent: the end of the connection completes it for the server."""
        if self._begun.strip():
            self.connection.sent.append(Sent(self.testbed.moment(), text_of(self._begun)))
            self._begun = b""

    # Receiving

    def expect(self, pattern, seconds=PATIENCE):
        """Waits for a line that the pattern matches, after all lines that were expected before."""
        self._expected, line = self._next(self._expected, re.compile(pattern).fullmatch, repr(pattern), seconds)
        return line

    def answer(self):
        """Waits for the next line that answers a command."""
        self._answered, line = self._next(self._answered, is_answer, "answer", PATIENCE)
        return line

    def _next(self, start, is_wanted, name, seconds):
        """Waits for a line from `start` on; returns the number of lines up to it, and the line."""
        place = start

        def find():
            nonlocal place
            while place < len(self.lines):
                place += 1
                if is_wanted(self.lines[place - 1]):
                    return True
            check(not self.has_ended, f"{self.name}: ended before {name}")
            return False

        self.testbed.wait(find, f"{self.name}: no {name}", seconds)
        return place, self.lines[place - 1]

    def answers(self):
        return [line for line in self.lines if is_answer(line)]

    def expect_end(self):
        """Waits until the server has closed the connection, or the program has ended."""
        self.testbed.wait(lambda: self.has_ended, f"{self.name}: no end of the connection")

    def _receive(self):
        try:
            data, at = self._read()
        except BlockingIOError:
            return
        except OSError:
            data, at, self.connection.was_cut = b"", 0.0, True
        if not data:
            self.has_ended = True
            self.testbed.watch(self.source, selectors.EVENT_READ, None)
            self._end()
            return
        *whole, self.rest = (self.rest + data).split(b"\n")
        lines, moment = list(map(text_of, whole)), self.testbed.moment()
        self.lines += lines
        self.times += [at] * len(lines)
        self.connection.received += (Received(moment, at, line) for line in lines)
        self.testbed.record(self.name, "<", lines)
        if self.on_line:
            for line in lines:
                self.on_line(line)

    def _read(self):
        """What has arrived, and when."""
        return os.read(self.source, 1 << 18), time.monotonic()

    def _end(self):
        """Is called when nothing more can be received."""

    def _flush(self):
        """Sends what the kernel takes, and the rest once it takes more."""
        if self.sink is None:
            return self._unsent.clear()
        try:
            while self._unsent:
                del self._unsent[:os.write(self.sink, self._unsent)]
        except BlockingIOError:
            return self.testbed.watch(self.sink, selectors.EVENT_WRITE, self._flush)
        except OSError:
            self._unsent.clear()
            self.connection.was_cut = True
        self.testbed.watch(self.sink, selectors.EVENT_WRITE, None)
        if self._is_finishing:
            self._shut()
        return None

    def _shut(self):
        """Closes the sending side."""

    def _unwatch(self):
        for descriptor, event in ((self.source, selectors.EVENT_READ), (self.sink, selectors.EVENT_WRITE)):
            if descriptor is not None:
                self.testbed.watch(descriptor, event, None)
        self.source = self.sink = None


class SocketPeer(Peer):
    """A connection of our own. The times of its lines are those at which the kernel received them."""

    def __init__(self, testbed, name, address, source=None):
        self.socket = socket.create_connection(address, PATIENCE, (source, 0) if source else None)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        machine.stamp(self.socket)
        super().__init__(testbed, name, self.socket.fileno(), self.socket.fileno())

    @property
    def is_open(self) -> bool:
        return self.source is not None

    def reset(self):
        """Has the kernel reset the connection; the server may have read the last lines or not."""
        if self.is_open:
            self.connection.was_cut = True
            self._end_line()
            self.socket.setsockopt(*RESETTING)
            self.close()

    def close(self):
        """Closes the connection; if something was not read by then, the kernel resets it."""
        if self.is_open:
            self._unwatch()
            self.socket.close()

    _end = close

    def _shut(self):
        # If the server has gone, reading will report it.
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def _read(self):
        return machine.receive(self.socket)


class Program(Peer):
    """A program between us and the server; its standard error is a peer of its own."""

    def __init__(self, testbed, name, arguments, environment, folder):
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment, cwd=folder)
        self.errors = Peer(testbed, name + "!", self.process.stderr.fileno(), None)
        super().__init__(testbed, name, self.process.stdout.fileno(), self.process.stdin.fileno())

    def exit_code(self, seconds=PATIENCE):
        """Waits until the program has exited and all that it wrote is read."""
        self.testbed.wait(lambda: self.has_ended and self.errors.has_ended, f"{self.name}: still running", seconds)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}: closed its output and runs on") from None

    def check_exit(self, expected, seconds=PATIENCE):
        """Waits until the program has exited; fails unless it has this exit code."""
        code = self.exit_code(seconds)
        check(code == expected, f"{self.name}: exit code {code}, not {expected}: {self.lines + self.errors.lines}")

    def close(self):
        """Kills the program if it still runs."""
        self._unwatch()
        self.errors._unwatch()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def _shut(self):
        self.process.stdin.close()
        self.sink = None


class Server(Program):
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


def is_answer(line: str) -> bool:
    """Whether the line ends the answer to a command."""
    return line.startswith(("OK ", "ERROR "))


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


RESETTING = socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
"""The option with which the end of a connection is a reset."""


def reset(connection: socket.socket):
    """Closes a connection so that the other side receives a reset."""
    connection.setsockopt(*RESETTING)
    connection.close()
