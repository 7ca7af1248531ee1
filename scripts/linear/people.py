"""Dozens of clients in one loop: they bid, ask, split lines, connect, leave and take names over."""

from __future__ import annotations

import errno
import heapq
import itertools
import json
import random
import selectors
import socket
import struct
import time

import stamps
from transcript import Connection, Heard, Said

HOST = "127.0.0.1"
PATIENCE = 20.0
BIDDERS, WATCHERS = 16, 8
BIDDING, SILENCE = 0.9, 0.5
"""Seconds of bidding, and seconds of silence in addition to the countdown, so that lots are sold."""
AMOUNTS = 32
"""An amount modulo this identifies its bidder, so that amounts are seldom bid twice."""
REASONS = ("two names, one bidder", "enough")


class Play:
    """All clients of one play, and the agenda of their next actions."""

    def __init__(self, port: int, seconds: int, token: str, chance: random.Random):
        self.port, self.seconds, self.token, self.chance = port, seconds, token, chance
        self.connections: list[Connection] = []
        self.price, self.leader = 0, ""
        self._selector = selectors.DefaultSelector()
        self._agenda: list = []
        self._moments, self._serials = itertools.count(1), itertools.count()
        self._start = time.monotonic()

    def run(self, duration: float):
        """Plays for some seconds, and then waits for the answers."""
        scribe = Wire(self, "scribe", self._keep_score)
        scribe.send(b"format json\nstatus\n")
        self._pump_until(lambda: any('"ok"' in heard.text and "status" in heard.text
                                     for heard in scribe.connection.heard))
        people = [*(Bidder(self, number) for number in range(BIDDERS)),
                  *(Watcher(self, number) for number in range(WATCHERS)), Auctioneer(self)]
        for person in people:
            self.plan(person.act, self.chance.uniform(0, 0.2))
        self._pump(duration)
        self._agenda.clear()
        for person in people:
            person.finish()
        self._pump(0.4)

    def hear_end(self):
        """Reads the rest after the server was told to stop."""
        deadline = time.monotonic() + PATIENCE
        while self._selector.get_map():
            if time.monotonic() > deadline:
                raise TimeoutError("the server does not close its connections")
            self._select(0.1)

    def close(self):
        for key in list(self._selector.get_map().values()):
            key.data.close()
        self._selector.close()

    @property
    def is_bidding(self) -> bool:
        """Whether clients bid now; between these times the hammer can fall."""
        passed = (time.monotonic() - self._start) % (BIDDING + self.seconds + SILENCE)
        return passed < BIDDING

    def plan(self, act, seconds: float):
        heapq.heappush(self._agenda, (time.monotonic() + seconds, next(self._serials), act))

    def moment(self) -> int:
        return next(self._moments)

    def watch(self, wire: Wire):
        self._selector.register(wire.socket, selectors.EVENT_READ, wire)

    def forget(self, wire: Wire):
        self._selector.unregister(wire.socket)

    def _pump(self, seconds):
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            while self._agenda and self._agenda[0][0] <= now:
                heapq.heappop(self._agenda)[2]()
            due = min(until, self._agenda[0][0]) if self._agenda else until
            self._select(max(0, due - time.monotonic()))

    def _pump_until(self, is_so):
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > deadline:
                raise TimeoutError("the server does not answer")
            self._select(0.1)

    def _select(self, seconds):
        for key, _ in self._selector.select(seconds):
            key.data.hear()

    def _keep_score(self, text):
        """Follows the price, so that bids are near it."""
        if '"type":"price"' in text:
            fields = json.loads(text)
            self.price, self.leader = fields["amount"], fields["bidder"]
        elif '"type":"lot"' in text or '"type":"voided"' in text:
            self.price, self.leader = 0, ""


class Wire:
    """A connection that records everything."""

    def __init__(self, play: Play, label: str, listen=None):
        self.play, self._listen = play, listen
        self.socket = socket.create_connection((HOST, play.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        stamps.stamp(self.socket)
        self.connection = Connection(f"{label}-{len(play.connections)}", play.moment())
        play.connections.append(self.connection)
        self.is_open = True
        self._rest, self._begun = b"", b""
        play.watch(self)

    def send(self, data: bytes):
        """Sends these bytes, which may end in the middle of a line."""
        if not self.is_open:
            return
        moment = self.play.moment()
        try:
            taken = self.socket.send(data)
        except OSError:
            taken = 0
        if taken < len(data):
            # The server may read the bytes that were sent; the rest of a split line is not sent.
            self.connection.was_cut = True
            data = data[:taken]
        *whole, self._begun = (self._begun + data).split(b"\n")
        self.connection.said += (Said(moment, line.decode().rstrip("\r"), True) for line in whole)
        if self.connection.was_cut:
            self.cut()

    def hear(self):
        try:
            data, at = stamps.receive(self.socket)
        except OSError as error:
            if error.errno == errno.EAGAIN:
                return
            self.connection.was_cut = True
            return self.close()
        if not data:
            return self.close()
        *whole, self._rest = (self._rest + data).split(b"\n")
        moment = self.play.moment()
        for line in whole:
            text = line.decode()
            self.connection.heard.append(Heard(moment, at, text))
            if self._listen:
                self._listen(text)

    def finish(self):
        """Closes the sending side and keeps reading; the server accepts a last line without an end."""
        if not self.is_open:
            return
        if self._begun.strip():
            self.connection.said.append(Said(self.play.moment(), self._begun.decode(), False))
            self._begun = b""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        """Resets the connection; the server may or may not have read the last lines."""
        if not self.is_open:
            return
        self.connection.was_cut = True
        if self._begun.strip():
            self.connection.said.append(Said(self.play.moment(), self._begun.decode(), False))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        if self.is_open:
            self.is_open = False
            self.play.forget(self)
            self.socket.close()


class Person:
    """A client that acts at random intervals."""

    label = ""
    least, most = 0.004, 0.040

    def __init__(self, play: Play, number: int):
        self.play, self.number, self.chance = play, number, play.chance
        self.wire: Wire | None = None
        self._late = b""
        self._serial = 0

    def act(self):
        """Connects, or sends the rest of a split line, or sends a new command."""
        if self.wire is None or not self.wire.is_open:
            self._late = b""
            self.come()
        elif self._late:
            self.wire.send(self._late)
            self._late = b""
        else:
            self.speak()
        self.play.plan(self.act, self.chance.uniform(self.least, self.most))

    def come(self):
        self.wire = Wire(self.play, f"{self.label}{self.number}", self.listen)
        if self.chance.random() < 0.5:
            self.wire.send(b"format json\n")

    def finish(self):
        """Sends the rest of a split line."""
        if self.wire and self._late:
            self.wire.send(self._late)
            self._late = b""

    def speak(self):
        raise NotImplementedError

    def listen(self, text):
        """Hears a line."""

    def say(self, *commands: str):
        """Sends these lines at once, or a part of them now and the rest at the next action."""
        data = b"".join(self._tagged(command).encode() + self.chance.choice((b"\n", b"\n", b"\r\n"))
                        for command in commands)
        if self.chance.random() < 0.2:
            place = self.chance.randrange(len(data))
            data, self._late = data[:place], data[place:]
        if data:
            self.wire.send(data)

    def leave(self):
        """Ends the connection in one of the ways that clients can."""
        way = self.chance.random()
        self._late = b""
        if way < 0.4:
            self.wire.cut()
        elif way < 0.8:
            self.wire.finish()
        else:
            self.wire.send(b"quit\n")
        self.wire = None

    def _tagged(self, command):
        self._serial += 1
        return f"#{self.label}{self.number}n{self._serial} {command}" if self.chance.random() < 0.7 else command


class Bidder(Person):
    """Bids, mostly above the price, and sometimes asks."""

    label = "b"

    def __init__(self, play, number):
        super().__init__(play, number)
        self.name, self._token, self._last = f"b{number}", "", 1

    def come(self):
        super().come()
        if self.chance.random() < 0.2:
            other = self.chance.randrange(BIDDERS)
            if other != self.number:
                self.wire.send(f"name b{other} {'0' * 32 if self.chance.random() < 0.5 else ''}\n".encode())
        self.wire.send(f"name {self.name} {self._token}\n".encode())

    def listen(self, text):
        """Remembers its token."""
        place = text.find(f"name {self.name} ")
        if place >= 0 and "OK" in text or '"ok"' in text and place >= 0:
            self._token = text[place:].split()[2][:32]

    def speak(self):
        way = self.chance.random()
        if way < 0.012:
            return self.leave()
        if way < 0.02:
            # Takes its name over on a new connection.
            return self.come()
        if not self.play.is_bidding:
            if way < 0.3:
                self.say(self.chance.choice(("ping", "status", "who", "laps", "help")))
            return None
        if way < 0.25:
            return self.say(self.chance.choice(("ping", "status", "who", "laps", "laps 1 30")), self._bid())
        return self.say(*(self._bid() for _ in range(self.chance.choice((1, 1, 1, 2, 4)))))

    def _bid(self):
        """A bid: mostly above the price, sometimes below it, or the last bid again."""
        way = self.chance.random()
        if way < 0.1:
            return f"bid {self._last}"
        if way < 0.25:
            return f"bid {max(1, self.play.price - self.chance.randrange(AMOUNTS))}"
        amount = self.play.price // AMOUNTS * AMOUNTS + self.number + AMOUNTS * self.chance.choice((1, 1, 2))
        self._last = max(1, amount)
        return self.chance.choice(("bid {}", "BID  {}", "{}")).format(self._last).replace("BID", "bid")


class Watcher(Person):
    """Connects, asks and leaves, without a name."""

    label = "w"
    least, most = 0.01, 0.1

    def speak(self):
        if self.chance.random() < 0.1:
            return self.leave()
        asked = ("status", "who", "laps", "laps 3 5", "laps 1 1000", "ping", "bid 5")
        return self.say(*self.chance.choices(asked, k=self.chance.choice((1, 2, 3))))


class Auctioneer(Person):
    """Gives rulings while others bid."""

    label = "a"
    least, most = 0.03, 0.15

    def __init__(self, play):
        super().__init__(play, 0)
        self._is_paused = False

    def come(self):
        super().come()
        self.wire.send(f"auctioneer {self.play.token}\n".encode())

    def speak(self):
        if self._is_paused:
            self._is_paused = False
            return self.say("resume")
        if not self.play.is_bidding:
            return self.say("status") if self.chance.random() < 0.1 else None
        ruling = self.chance.choices(("pause", "void", "kick", "hammer", "close", "resume"),
                                     (4, 5, 2, 1, 1, 1))[0]
        self._is_paused = ruling == "pause"
        if ruling == "kick":
            ruling += f" b{self.chance.randrange(BIDDERS)} {self.chance.choice(REASONS)}"
        elif self.chance.random() < 0.2:
            return self.say(ruling, ruling)
        return self.say(ruling)

    def finish(self):
        """Resumes a sale that is paused."""
        super().finish()
        if self._is_paused:
            self.wire.send(b"resume\n")
