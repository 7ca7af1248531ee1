"""The clients of scripts/linearize and scripts/crash, in one loop: they bid, ask, split lines, and take names over.

Where there are other rooms than main, they open them, and move between them.
"""

from __future__ import annotations

import collections
import heapq
import itertools
import random
import re
import time

from protocol import Connection, parse
from testbed import Testbed

BIDDERS, VISITORS = 16, 8
BIDDING, SILENCE = 0.9, 0.5
"""Seconds of bidding, and seconds of silence in addition to the countdown, so that lots are sold."""
AMOUNTS = 32
"""An amount modulo this identifies its bidder, so that amounts are seldom bid twice."""
QUESTIONS = ("ping", "status", "who", "laps", "laps 1 30", "standings")
MOVE_CHANCE, OPEN_CHANCE = 0.01, 0.2
SEALED_MOST = 400
"""The most that is bid in private."""
NAMED = re.compile(r"\bname (\w+) ([0-9a-f]{32})\b")
REASONS = ("two names, one bidder", "enough")


class OpenLot:
    """What the clients in a room know of its lot, so that bids are near the price."""

    def __init__(self):
        self.number = self.price = 0
        self.priced = 0.0
        """When the last price came."""
        self.format, self.ask_price = "english", 0
        """How the lot is sold, and what a Dutch one costs now."""

    def receive(self, line: str):
        if '"type":"price"' in line:
            self.price, self.priced = parse(line)["amount"], time.monotonic()
        elif '"type":"voided"' in line:
            self.price = 0
        elif '"type":"lot"' in line:
            self.price, self.format, self.ask_price = 0, "english", 0
            self.number = parse(line)["lot"]
        elif '"type":"terms"' in line:
            fields = parse(line)
            self.format, self.ask_price = fields["format"], fields["start"]
        elif '"type":"ask"' in line:
            self.ask_price = parse(line)["amount"]


class Play:
    """All clients, and the agenda of their next actions; they can return to another server."""

    def __init__(self, seconds: int, token: str, rng: random.Random, rooms: dict[str, str], pace: float = 1.0):
        """The rooms beside main have options; the time between two actions is multiplied by the pace."""
        self.seconds, self.token, self.rng, self.rooms, self.pace = seconds, token, rng, rooms, pace
        self.testbed: Testbed | None = None
        self.peers, self.connections = [], []
        self.lots = collections.defaultdict(OpenLot)
        self.tokens: dict[str, str] = {}
        """By name."""
        self.wanders, self.is_silent = bool(rooms), False
        self._agenda: list = []
        self._serials, self._start = itertools.count(), 0.0
        self.auctioneer = Auctioneer(self)
        self._clients = [*(Bidder(self, number) for number in range(BIDDERS)),
                         *(Visitor(self, number) for number in range(VISITORS)), self.auctioneer]

    def begin(self, testbed: Testbed, connections: list[Connection]):
        """Has all clients connect soon to the server started last; the connections are added to the list."""
        self.testbed, self.peers, self.connections = testbed, [], connections
        self.is_silent, self._start = False, time.monotonic()
        for client in self._clients:
            self.plan(client.act, self.rng.uniform(0, 0.2 * self.pace))

    def observe(self) -> dict[str, tuple[Connection, Connection]]:
        """Has main and each room, which it opens, observed in text from the first event on, and followed in JSON."""
        observed = {}
        for room in ("main", *self.rooms):
            observer, follower = (self.testbed.connect(f"{label}-{room}") for label in ("observer", "follower"))
            if room != "main":
                observer.request(f"open {room} {self.rooms[room]}", "OK open .+")
            follower.send_lines("format json", "status", f"join {room}")
            self.testbed.wait(lambda: any(f'"content":"join {room}"' in line for line in follower.lines), "no answer")
            self.peers += (observer, follower)
            observed[room] = observer.connection, follower.connection
        return observed

    def finish(self):
        """Has nobody begin anything more, and waits for the answers."""
        self._agenda.clear()
        for client in self._clients:
            client.finish()
        self.pump_until(time.monotonic() + 0.4)

    def leave(self):
        """Forgets the connections, which the server may have cut at any byte."""
        self._agenda.clear()
        for client in self._clients:
            client.peer = None
        for peer in self.peers:
            peer.close()

    def connect(self, label):
        peer = self.testbed.connect(f"{label}-{len(self.connections)}", waits=False)
        self.peers.append(peer)
        self.connections.append(peer.connection)
        return peer

    @property
    def is_bidding(self) -> bool:
        """Whether clients bid now; between these times the hammer can fall."""
        passed = (time.monotonic() - self._start) % (BIDDING + self.seconds + SILENCE)
        return passed < BIDDING and not self.is_silent

    def plan(self, act, seconds: float):
        heapq.heappush(self._agenda, (time.monotonic() + seconds, next(self._serials), act))

    def pump_until(self, until: float):
        """Plays until a moment of the monotonic clock."""
        while (now := time.monotonic()) < until:
            while self._agenda and self._agenda[0][0] <= now:
                heapq.heappop(self._agenda)[2]()
            self.testbed.pump(min(until, self._agenda[0][0] if self._agenda else until) - time.monotonic())


class Client:
    """Acts at random intervals."""

    label = ""
    least, most = 0.004, 0.040

    def __init__(self, play: Play, number: int):
        self.play, self.number, self.rng = play, number, play.rng
        self.peer, self.room = None, "main"
        self._rest = b""
        """The end of a line that was split."""
        self._serial = 0

    def act(self):
        """Connects, or sends the rest of a split line, or sends a new command."""
        if self.peer is None or not self.peer.is_open:
            self._rest = b""
            self.enter()
        elif self._rest:
            self.peer.send(self._rest)
            self._rest = b""
        elif not self.move():
            self.send_commands()
        self.play.plan(self.act, self.play.pace * self.rng.uniform(self.least, self.most))

    def enter(self, *commands: str):
        """Connects, and goes to some room after these commands."""
        self.peer, self.room = self.play.connect(f"{self.label}{self.number}"), "main"
        self.peer.on_line = self.receive
        self.peer.send(b"format json\nstatus\n")
        if self.play.wanders:
            commands += (self._to_some_room(),)
        self.peer.send("".join(f"{command}\n" for command in commands).encode())

    def _to_some_room(self):
        room = self.rng.choice(("main", *self.play.rooms))
        is_opened = room != "main" and self.rng.random() < OPEN_CHANCE
        return f"open {room} {self.play.rooms[room]}" if is_opened else f"join {room}"

    def move(self) -> bool:
        """Now and then goes to some room, perhaps the same, if there is another than main."""
        is_moving = self.play.wanders and self.rng.random() < MOVE_CHANCE
        if is_moving:
            self.send_lines(self._to_some_room(), *self.rng.choices(("ping", "status", "who", "rooms"), k=2))
        return is_moving

    def finish(self):
        if self.peer and self.peer.is_open and self._rest:
            self.peer.send(self._rest)
            self._rest = b""

    def send_commands(self):
        raise NotImplementedError

    def receive(self, line):
        """Is called with each line."""
        if line.startswith('{"type":"hello"'):
            self.room = parse(line)["room"]
        self.play.lots[self.room].receive(line)

    def send_lines(self, *commands: str):
        """Sends these lines at once, or a part of them now and the rest at the next action."""
        data = b"".join(self._tagged(command).encode() + self.rng.choice((b"\n", b"\n", b"\r\n"))
                        for command in commands)
        if self.rng.random() < 0.2:
            place = self.rng.randrange(len(data))
            data, self._rest = data[:place], data[place:]
        if data:
            self.peer.send(data)

    def leave(self):
        """Ends the connection in one of the ways that clients can."""
        way = self.rng.random()
        self._rest = b""
        if way < 0.4:
            self.peer.reset()
        elif way < 0.8:
            self.peer.finish()
        else:
            self.peer.send(b"quit\n")
        self.peer = None

    def _tagged(self, command):
        self._serial += 1
        return f"#{self.label}{self.number}n{self._serial} {command}" if self.rng.random() < 0.7 else command


class Bidder(Client):
    """Bids, mostly above the price, and sometimes asks."""

    label = "b"

    def __init__(self, play, number):
        super().__init__(play, number)
        self.name, self._last = f"b{number}", 1

    def enter(self, *commands):
        if self.rng.random() < 0.2:
            other = self.rng.randrange(BIDDERS)
            if other != self.number:
                commands += (f"name b{other} {'0' * 32 if self.rng.random() < 0.5 else ''}",)
        super().enter(*commands, f"name {self.name} {self.play.tokens.get(self.name, '')}")

    def receive(self, line):
        """Remembers the token of the name that it got."""
        super().receive(line)
        if found := NAMED.search(line):
            self.play.tokens[found[1]] = found[2]

    def send_commands(self):
        way = self.rng.random()
        if way < 0.012:
            return self.leave()
        if way < 0.02:
            # Takes its name over on a new connection.
            return self.enter()
        # A name with a bid and an unknown token would be lost.
        if not self.play.is_bidding or self.name not in self.play.tokens:
            if way < 0.3:
                self.send_lines(self.rng.choice((*QUESTIONS, "help")))
            return None
        if way < 0.25:
            return self.send_lines(self.rng.choice(QUESTIONS), self._offer_for_lot())
        if way < 0.27:
            said = f"say {self.name} says {self.rng.randrange(1000)}"
            return self.send_lines(self.rng.choice((said, "react 🔥", f"display {self.name.upper()}")))
        return self.send_lines(*(self._offer_for_lot() for _ in range(self.rng.choice((1, 1, 1, 2, 4)))))

    def _offer_for_lot(self):
        """An offer for any lot, or only for the open one, the one before, or the next."""
        offer, number = self._offer(), self.play.lots[self.room].number
        if offer == "ping" or self.rng.random() < 0.5:
            return offer
        return f"{offer} lot={max(1, number + self.rng.choice((0, 0, 0, -1, 1)))}"

    def _offer(self):
        """A command for the kind of the lot, and sometimes for another kind."""
        way, lot = self.rng.random(), self.play.lots[self.room]
        if way < 0.03:
            return self.rng.choice(("take", "buy", "max 0"))
        if lot.format == "dutch":
            return f"bid {max(1, lot.ask_price - 1)}" if way < 0.5 else "ping" if way < 0.97 else "take"
        if lot.format != "english":
            return f"bid {self.rng.randint(1, SEALED_MOST)}"
        if way < 0.13:
            return f"max {self._above() + self.rng.randrange(3 * AMOUNTS)}"
        return self._bid()

    def _above(self):
        """An amount above the price that only this bidder bids."""
        return max(1, self.play.lots[self.room].price // AMOUNTS * AMOUNTS + self.number + AMOUNTS * self.rng.choice((1, 1, 2)))

    def _bid(self):
        """A bid: mostly above the price, sometimes below it, or the last bid again."""
        way = self.rng.random()
        if way < 0.1:
            return f"bid {self._last}"
        if way < 0.25:
            return f"bid {max(1, self.play.lots[self.room].price - self.rng.randrange(AMOUNTS))}"
        self._last = self._above()
        return self.rng.choice(("bid {}", "bid  {}", "{}")).format(self._last)


class Visitor(Client):
    """Connects, asks and leaves, without a name."""

    label = "w"
    least, most = 0.01, 0.1

    def send_commands(self):
        if self.rng.random() < 0.1:
            return self.leave()
        asked = ("status", "who", "laps", "laps 3 5", "laps 1 1000", "ping", "bid 5", "standings", "max 5", "take", "buy",
                 "say hello", "rooms")
        return self.send_lines(*self.rng.choices(asked, k=self.rng.choice((1, 2, 3))))


class Auctioneer(Client):
    """Gives rulings while others bid."""

    label = "a"
    least, most = 0.03, 0.15

    def __init__(self, play):
        super().__init__(play, 0)
        self._is_paused = False

    def enter(self, *commands):
        super().enter(*commands, f"auctioneer {self.play.token}")

    def send_commands(self):
        if self._is_paused:
            self._is_paused = False
            return self.send_lines("resume")
        if not self.play.is_bidding:
            return self.send_lines("status") if self.rng.random() < 0.1 else None
        ruling = self.rng.choices(("pause", "void", "kick", "hammer", "close", "resume", "mute", "unmute", "add"),
                                  (4, 5, 2, 1, 1, 1, 1, 2, 1))[0]
        self._is_paused = ruling == "pause"
        if ruling == "kick":
            ruling += f" b{self.rng.randrange(BIDDERS)} {self.rng.choice(REASONS)}"
        elif ruling.endswith("mute"):
            return self.send_lines(f"{ruling} b{self.rng.randrange(BIDDERS)}")
        elif ruling == "add":
            return self.send_lines("add Extra format=dutch start=40 step=4")
        elif self.rng.random() < 0.2:
            return self.send_lines(ruling, ruling)
        return self.send_lines(ruling)

    def hammer(self):
        """Ends the lot at once."""
        if self.peer and self.peer.is_open:
            super().finish()
            self.peer.send(b"hammer\n")

    def finish(self):
        """Resumes a sale that is paused."""
        super().finish()
        if self._is_paused:
            self.peer.send(b"resume\n")
