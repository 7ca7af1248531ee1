"""Somebody who talks to the server, over a socket of our own or through another program."""

from __future__ import annotations

import os
import re
import selectors
import socket
import subprocess
import time

import stamps

PATIENCE = 20.0
"""Seconds that anything awaited may take before the session fails."""


class Failure(Exception):
    """What a session found that should not be so."""


def check(fact, complaint):
    """Fails the session unless the fact holds."""
    if not fact:
        raise Failure(complaint)


class Peer:
    """Lines said to the server and heard from it, in order, each with the time it was heard.

    On a connection of our own that is when the kernel received it, however late it is read.

    Reads and writes happen only while the room is pumped; nobody blocks.
    """

    def __init__(self, room, name, source, sink):
        self.room, self.name = room, name
        self.source, self.sink = source, sink
        self.lines, self.times = [], []
        self.rest = b""
        self.commands = 0
        self.has_ended = self.was_reset = False
        self._unsent = bytearray()
        self._expected = self._answered = 0
        self._is_finishing = False
        os.set_blocking(source, False)
        if sink is not None:
            os.set_blocking(sink, False)
        self.resume()

    # Saying

    def send(self, data):
        """Sends bytes as they are; they count as no command."""
        self._unsent += data
        self.speak()

    def say(self, command):
        """Sends one command, whose answer somebody must hear."""
        self.commands += 1
        self.room.note(self.name, ">", [command])
        self.send(command.encode() + b"\n")

    def ask(self, command):
        """Sends one command and waits for the line that answers it."""
        self.say(command)
        return self.answer()

    def demand(self, command, pattern):
        """Sends one command and fails unless its answer is what the pattern says."""
        answer = self.ask(command)
        check(re.fullmatch(pattern, answer),
              f"{self.name}: {command!r} was answered {answer!r}, not {pattern!r}")
        return answer

    def finish(self):
        """Says no more, once all is sent; what the server still has to say is heard."""
        self._is_finishing = True
        self.speak()

    def quit(self):
        """Takes leave as the protocol has it, and hears the end."""
        self.say("quit")
        self.expect(r"OK quit")
        self.expect(r"BYE quit")
        self.expect_end()

    # Hearing

    def expect(self, pattern, seconds=PATIENCE):
        """Waits for a line later than all expected before that the pattern matches in full."""
        wanted = re.compile(pattern)

        def found():
            while self._expected < len(self.lines):
                self._expected += 1
                if wanted.fullmatch(self.lines[self._expected - 1]):
                    return True
            return self._must_go_on(pattern)

        self.room.wait(found, f"{self.name}: no line {pattern!r}", seconds)
        return self.lines[self._expected - 1]

    def answer(self):
        """Waits for the next line that answers a command."""
        def found():
            while self._answered < len(self.lines):
                self._answered += 1
                if is_answer(self.lines[self._answered - 1]):
                    return True
            return self._must_go_on("an answer")

        self.room.wait(found, f"{self.name}: no answer")
        return self.lines[self._answered - 1]

    def data(self, count):
        """The lines right before the answer heard last."""
        return self.lines[max(0, self._answered - 1 - count):self._answered - 1]

    def expect_end(self):
        """Waits until the server has closed the connection, or the program has ended."""
        self.room.wait(lambda: self.has_ended, f"{self.name}: no end of the connection")

    def answers(self):
        """Every line so far that answers a command."""
        return [line for line in self.lines if is_answer(line)]

    def _must_go_on(self, wanted):
        check(not self.has_ended, f"{self.name}: ended before {wanted!r}")
        return False

    # The loop

    def pause(self):
        """Stops reading: from here on the kernel's buffers fill."""
        self.room.unwatch(self.source)

    def resume(self):
        """Reads again."""
        self.room.watch(self.source, selectors.EVENT_READ, self.hear)

    def hear(self):
        """Takes in what has arrived."""
        try:
            data, at = self._read()
        except BlockingIOError:
            return
        except OSError:
            data, at, self.was_reset = b"", 0.0, True
        if not data:
            self.has_ended = True
            self.pause()
            self.end()
            return
        whole, end, self.rest = (self.rest + data).rpartition(b"\n")
        if end:
            lines = whole.decode("utf-8", "surrogateescape").split("\n")
            self.lines += lines
            self.times += [at] * len(lines)
            self.room.note(self.name, "<", lines)

    def _read(self):
        """What has arrived, and when."""
        return os.read(self.source, 1 << 18), time.monotonic()

    def end(self):
        """What to do when nothing more can be heard."""

    def speak(self):
        """Sends what the kernel takes and leaves the rest to the loop."""
        if self.sink is None:
            return self._unsent.clear()
        try:
            while self._unsent:
                del self._unsent[:os.write(self.sink, self._unsent)]
        except BlockingIOError:
            return self.room.watch(self.sink, selectors.EVENT_WRITE, self.speak)
        except OSError:
            self._unsent.clear()
        self.room.unwatch(self.sink, selectors.EVENT_WRITE)
        if self._is_finishing:
            self.shut()
        return None


class SocketPeer(Peer):
    """A connection of our own."""

    def __init__(self, room, name, address, receive_bytes=None):
        self.socket = socket.socket()
        if receive_bytes is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stamps.stamp(self.socket)
        super().__init__(room, name, self.socket.fileno(), self.socket.fileno())

    def shut(self):
        self.socket.shutdown(socket.SHUT_WR)

    def _read(self):
        return stamps.receive(self.socket)

    def end(self):
        """Closes our side too, as a player does whom the server has left."""
        self.close()

    def close(self):
        """Closes the connection; what was not read by then makes the kernel reset it."""
        if self.source is not None:
            self.room.unwatch(self.source)
            self.socket.close()
            self.source = self.sink = None


class ProgramPeer(Peer):
    """A program between us and the server; its standard error is heard as a peer of its own."""

    def __init__(self, room, name, arguments, environment, place=None):
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment, cwd=place or room.folder)
        self.errors = Peer(room, name + "!", self.process.stderr.fileno(), None)
        super().__init__(room, name, self.process.stdout.fileno(), self.process.stdin.fileno())

    def exit_code(self, seconds=PATIENCE):
        """Waits until the program has exited and all it wrote is read."""
        self.room.wait(lambda: self.has_ended and self.errors.has_ended,
                       f"{self.name}: still running", seconds)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}: closed its output and runs on") from None

    def shut(self):
        self.process.stdin.close()
        self.sink = None

    def close(self):
        """Ends the program, if it still runs."""
        for descriptor in (self.source, self.sink, self.errors.source):
            if descriptor is not None:
                self.room.unwatch(descriptor)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


def is_answer(line):
    """Whether the line ends the answer to a command."""
    return line.startswith(("OK ", "ERROR "))
