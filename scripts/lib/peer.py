"""A client of lines, over a socket of our own or through another program, and the loop that runs many of them."""

from __future__ import annotations

import itertools
import os
import re
import selectors
import socket
import struct
import subprocess
import time

import machine
from checks import Failure, check
from protocol import Connection, Received, Sent

PATIENCE = 60.0
"""Seconds that anything awaited may take."""


class Loop:
    """Waits for descriptors, and calls back when they are ready. Nothing else happens meanwhile."""

    def __init__(self):
        self._selector = selectors.DefaultSelector()
        self._moments = itertools.count(1)

    def moment(self) -> int:
        """A greater number each time."""
        return next(self._moments)

    def record(self, name, direction, lines):
        """Is called with the lines sent and received."""

    def watch(self, descriptor, event, call):
        """Calls back when the descriptor is ready for the event."""
        self._assign(descriptor, {**self._calls(descriptor), event: call})

    def unwatch(self, descriptor, event=None):
        """Calls back no more, for one event or for all."""
        calls = {} if event is None else dict(self._calls(descriptor))
        calls.pop(event, None)
        self._assign(descriptor, calls)

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
        """Pumps until it is so, which is looked at after each event and once in each interval."""
        deadline = time.monotonic() + seconds
        while not condition():
            left = deadline - time.monotonic()
            check(left > 0, f"{complaint} within {seconds:g} s")
            self.pump(min(left, interval))

    def close(self):
        self._selector.close()

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


class Peer:
    """Lines sent and received, in order. Reads and writes happen only while the loop is pumped; nothing blocks."""

    def __init__(self, loop: Loop, name: str, source: int, sink: int | None):
        self.loop, self.name = loop, name
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
        self.resume()

    # Sending

    def send(self, data: bytes):
        """Sends bytes, which may end in the middle of a line."""
        moment = self.loop.moment()
        *whole, self._begun = (self._begun + data).split(b"\n")
        self.connection.sent += (Sent(moment, text_of(line).rstrip("\r")) for line in whole)
        self._unsent += data
        self._flush()

    def send_lines(self, *commands: str):
        """Sends commands, each of which must be answered."""
        self.loop.record(self.name, ">", commands)
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
        if self._begun.strip():
            self.connection.sent.append(Sent(self.loop.moment(), text_of(self._begun)))
            self._begun = b""
        self._is_finishing = True
        self._flush()

    # Receiving

    def expect(self, pattern, seconds=PATIENCE):
        """Waits for a line that the pattern matches, after all lines that were expected before."""
        wanted = re.compile(pattern)

        def is_found():
            while self._expected < len(self.lines):
                self._expected += 1
                if wanted.fullmatch(self.lines[self._expected - 1]):
                    return True
            check(not self.has_ended, f"{self.name}: ended before {pattern!r}")
            return False

        self.loop.wait(is_found, f"{self.name}: no line {pattern!r}", seconds)
        return self.lines[self._expected - 1]

    def answer(self):
        """Waits for the next line that answers a command."""
        def is_found():
            while self._answered < len(self.lines):
                self._answered += 1
                if is_answer(self.lines[self._answered - 1]):
                    return True
            check(not self.has_ended, f"{self.name}: ended before an answer")
            return False

        self.loop.wait(is_found, f"{self.name}: no answer")
        return self.lines[self._answered - 1]

    def answers(self):
        return [line for line in self.lines if is_answer(line)]

    def expect_end(self):
        """Waits until the server has closed the connection, or the program has ended."""
        self.loop.wait(lambda: self.has_ended, f"{self.name}: no end of the connection")

    def pause(self):
        """Stops reading: from here on the kernel's buffers fill."""
        self.loop.unwatch(self.source)

    def resume(self):
        self.loop.watch(self.source, selectors.EVENT_READ, self._receive)

    def _receive(self):
        try:
            data, at = self._read()
        except BlockingIOError:
            return
        except OSError:
            data, at, self.connection.was_cut = b"", 0.0, True
        if not data:
            self.has_ended = True
            self.pause()
            self._end()
            return
        *whole, self.rest = (self.rest + data).split(b"\n")
        lines, moment = list(map(text_of, whole)), self.loop.moment()
        self.lines += lines
        self.times += [at] * len(lines)
        self.connection.received += (Received(moment, at, line) for line in lines)
        self.loop.record(self.name, "<", lines)
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
            return self.loop.watch(self.sink, selectors.EVENT_WRITE, self._flush)
        except OSError:
            self._unsent.clear()
            self.connection.was_cut = True
        self.loop.unwatch(self.sink, selectors.EVENT_WRITE)
        if self._is_finishing:
            self._shut()
        return None


class SocketPeer(Peer):
    """A connection of our own. The times of its lines are those at which the kernel received them."""

    def __init__(self, loop, name, address, source=None):
        self.socket = socket.socket()
        if source:
            self.socket.bind(source)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        machine.stamp(self.socket)
        super().__init__(loop, name, self.socket.fileno(), self.socket.fileno())

    @property
    def is_open(self) -> bool:
        return self.source is not None

    def reset(self):
        """Has the kernel reset the connection; the server may have read the last lines or not."""
        if self.is_open:
            self.connection.was_cut = True
            if self._begun.strip():
                self.connection.sent.append(Sent(self.loop.moment(), text_of(self._begun)))
            reset(self.socket)
            self.close()

    def close(self):
        """Closes the connection; if something was not read by then, the kernel resets it."""
        if self.is_open:
            self.loop.unwatch(self.source)
            self.socket.close()
            self.source = self.sink = None

    _end = close

    def _shut(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # The server has gone, which reading will report.

    def _read(self):
        return machine.receive(self.socket)


class ProgramPeer(Peer):
    """A program between us and the server; its standard error is a peer of its own."""

    def __init__(self, loop, name, arguments, environment, folder):
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment, cwd=folder)
        self.errors = Peer(loop, name + "!", self.process.stderr.fileno(), None)
        super().__init__(loop, name, self.process.stdout.fileno(), self.process.stdin.fileno())

    def exit_code(self, seconds=PATIENCE):
        """Waits until the program has exited and all that it wrote is read."""
        self.loop.wait(lambda: self.has_ended and self.errors.has_ended, f"{self.name}: still running", seconds)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}: closed its output and runs on") from None

    def check_exit(self, expected):
        """Waits until the program has exited; fails unless it has this exit code."""
        code = self.exit_code()
        check(code == expected, f"{self.name}: exit code {code}, not {expected}: {self.lines + self.errors.lines}")

    def close(self):
        """Kills the program if it still runs."""
        for descriptor in (self.source, self.sink, self.errors.source):
            if descriptor is not None:
                self.loop.unwatch(descriptor)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def _shut(self):
        self.process.stdin.close()
        self.sink = None


def is_answer(line: str) -> bool:
    """Whether the line ends the answer to a command."""
    return line.startswith(("OK ", "ERROR "))


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def reset(connection: socket.socket):
    """Closes a connection so that the other side receives a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
