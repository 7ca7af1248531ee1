"""Rounds in which a node or a NATS server is killed, frozen, cut off or held, under eight bidders in three rooms.

An observer of each room is connected to each node. After each fault the news of every room must go on within a bound,
and after the end of the fault all observers must receive news again.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import json
import os
import random
import time
from typing import Callable, NamedTuple

from checks import Failure, check
from nodes import Cluster, Node
from nats import Follower
from programs import UNLIMITED
from protocol import Connection, parse, save
from relay import Relay
from replicas import Recording
from testbed import Testbed

BIDDERS, STAYING, SECONDS = 8, 6, 2
"""How many bidders there are, how many of them stay in their room, and the full countdown."""
ROOMS = {"main": "", "blue": f"seconds={SECONDS} step=1 start=1 pause=0",
         "red": f"format=sealed seconds={SECONDS} start=1 pause=0"}
"""The rooms and their options; in main everything is as the flags say."""
FLAGS = ("--seconds", str(SECONDS), "--pause", "0", "--room-idle", "none", *UNLIMITED)
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
BIDDING, SILENCE = 3.5, SECONDS + 0.7
"""Seconds of bidding, and of silence, in which lots are sold."""
QUIET, UNANSWERED = 1.0, 3.0
"""Seconds without news after which a bidder asks, and without an answer after which it tries another node."""
NODE_FAULT, NATS_FAULT, HEALING = 10.0, 25.0, 45.0
"""The most seconds without news of a room after a fault of a node or of NATS, and until all is as before."""
KINDS = {"kill node": 30, "freeze node": 25, "kill nats": 15, "freeze nats": 10, "cut node": 10, "hold node": 10}
"""How often each fault happens, in proportion."""
SHORTEST, LONGEST = 0.5, 8.0
"""Seconds that a fault lasts."""


class Fault(NamedTuple):
    """Something that has been broken."""

    words: str
    limit: float
    """The most seconds without news of a room."""
    heal: Callable


class World:
    """A cluster with its bidders and observers, until it is closed."""

    def __init__(self, programs, rng: random.Random, folder: str):
        self.rng, self.folder = rng, folder
        self.testbed = Testbed(programs)
        self.connections: list[Connection] = []
        self.heard: dict[str, tuple[int, float]] = {room: (0, 0.0) for room in ROOMS}
        """By room: the newest event that somebody received, and when."""
        self.is_silent = False
        self.pauses: list[float] = []
        """The longest time without news of a room, of each round."""
        self.happened: list[str] = []
        self._relays: dict[str, list[Relay]] = {}
        self._agenda: list = []
        self._serials, self._start = itertools.count(), time.monotonic()
        try:
            token = self.testbed.secret("key", TOKEN)
            self.cluster = Cluster(self.testbed, *FLAGS, "--auctioneer-token-file", token, urls_of=self._connect_by_relays)
            self.follower = self.testbed.close_at_end(Follower(self.cluster.nats))
            self._open_rooms()
            self.observers = [Observer(self, node, room) for node in self.cluster.nodes for room in ROOMS]
            self._people = [*self.observers, *(Bidder(self, number) for number in range(BIDDERS))]
            for person in self._people:
                self.plan(person.act, rng.uniform(0, 0.3))
        except BaseException:
            self.close()
            raise

    def close(self):
        for node in getattr(getattr(self, "cluster", None), "nodes", ()):
            if node.server:
                with open(os.path.join(self.folder, f"{node.name}.log"), "w", encoding="utf-8") as file:
                    file.writelines(line + "\n" for line in node.server.errors.lines)
        self.testbed.close()

    def play(self, number: int):
        """Plays one round: a fault, and its end."""
        self.pump(self.rng.uniform(0.5, 2.0))
        kind = self.rng.choices(list(KINDS), list(KINDS.values()))[0]
        start = time.monotonic()
        fault = self._break(kind)
        self.happened.append(f"{start - self._start:7.1f} s  round {number}: {fault.words}")
        # What was under way may still come.
        self.pump(0.3)
        longest = self._wait_for_news(fault, start)
        self.pauses.append(longest)
        self.happened.append(f"{time.monotonic() - self._start:7.1f} s  the longest pause was {longest:.1f} s")
        self.pump(max(0.0, start + self.rng.uniform(SHORTEST, LONGEST) - time.monotonic()))
        fault.heal()
        healed = time.monotonic()
        self.wait(lambda: all(node.health() == 200 for node in self.cluster.nodes), lambda: "nodes cannot serve after "
                  f"{fault.words}: {[node.name for node in self.cluster.nodes if node.health() != 200]}", HEALING)
        self.wait(lambda: all(each.heard_at > healed for each in self.observers), lambda: "observers receive nothing "
                  f"after {fault.words}: {[str(each) for each in self.observers if each.heard_at <= healed]}", HEALING)

    def end(self) -> Recording:
        """Ends all bidding, and returns what happened."""
        self.is_silent = True
        self.pump(SECONDS + 0.5)
        self._agenda = [(when, serial, act) for when, serial, act in self._agenda
                        if not isinstance(act.__self__, Bidder)]
        heapq.heapify(self._agenda)
        node = self.rng.choice(self.cluster.nodes)
        auctioneer = node.here().connect("auctioneer")
        auctioneer.request(f"auctioneer {TOKEN}", "OK auctioneer")
        for room in ROOMS:
            auctioneer.request(f"join {room}", "OK join .+")
            auctioneer.request("pause", "OK pause")
        self.wait(lambda: time.monotonic() > max(at for _, at in self.heard.values()) + 2, "the news does not end", HEALING)
        self.wait(self.follower.is_complete, "the stream cannot be read", HEALING)
        results = {room: {node.name: self._results(node, room) for node in self.cluster.nodes} for room in ROOMS}
        messages = list(self.follower.messages)
        return Recording(messages, self.connections, [each.peer.connection for each in self.observers], results,
                         {room: SECONDS for room in ROOMS if room != "red"})

    def save(self):
        """Writes what was sent, received and stored, for a failure's report."""
        save(self.connections, os.path.join(self.folder, "transcript"))
        with open(os.path.join(self.folder, "faults"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in self.happened)
        if hasattr(self, "follower"):
            with open(os.path.join(self.folder, "stream"), "w", encoding="utf-8") as file:
                for message in self.follower.messages:
                    file.write(f"{message.sequence} {message.time:.3f} {message.subject} {json.dumps(message.headers)}\n")
                    file.writelines(f"    {line}\n" for line in message.payload.decode("utf-8", "replace").splitlines())

    # What the people need

    @property
    def is_bidding(self) -> bool:
        """Whether bidders bid now; between these times the hammer can fall."""
        return not self.is_silent and (time.monotonic() - self._start) % (BIDDING + SILENCE) < BIDDING

    def connect(self, who: str, node: Node):
        """A connection to the node, of which nothing was received yet; None if the node does not run."""
        try:
            peer = node.here().connect(f"{who}@{node.name}", waits=False)
        except OSError:
            return None
        self.connections.append(peer.connection)
        return peer

    def plan(self, act, seconds: float):
        heapq.heappush(self._agenda, (time.monotonic() + seconds, next(self._serials), act))

    def hear(self, room: str, number: int):
        if number > self.heard[room][0]:
            self.heard[room] = number, time.monotonic()

    def pump(self, seconds: float):
        """Plays for this time."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            while self._agenda and self._agenda[0][0] <= now:
                heapq.heappop(self._agenda)[2]()
            due = self._agenda[0][0] if self._agenda else until
            self.testbed.pump(min(until, due) - time.monotonic())

    def wait(self, condition, complaint, seconds: float):
        """Plays until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            check(time.monotonic() < deadline, f"{complaint() if callable(complaint) else complaint}, within {seconds:g} s")
            self.pump(0.1)

    # Faults

    def _break(self, kind) -> Fault:
        verb, _, what = kind.partition(" ")
        if what == "nats":
            server = self.rng.choice(self.cluster.nats.servers)
            (server.kill if verb == "kill" else server.freeze)()
            return Fault(f"{verb} {server.name}", NATS_FAULT, lambda: self._heal_nats(server))
        # Mostly one that owns something.
        owners = self._owners()
        node = self.rng.choice(owners if self.rng.random() < 0.7 else self.cluster.nodes)
        words = f"{verb} {node.name}, which owns {[room for room, owner in zip(ROOMS, owners) if owner is node]}"
        if verb == "kill":
            node.kill()
            return Fault(words, NODE_FAULT, node.start)
        if verb == "freeze":
            node.freeze()
            return Fault(words, NODE_FAULT, node.thaw)
        relays = self._relays[node.name]
        for relay in relays:
            (relay.cut if verb == "cut" else relay.hold)()
        return Fault(words, NODE_FAULT, lambda: [relay.restore() for relay in relays])

    def _owners(self) -> list[Node]:
        """The owner of each room, in their order."""
        found = []

        def is_known():
            with contextlib.suppress(OSError, Failure):
                found[:] = [self.cluster.owner(room) for room in ROOMS]
            return found

        self.wait(is_known, "the stream cannot be read", HEALING)
        return found

    def _heal_nats(self, server):
        (server.thaw if server.is_running else server.start)()
        self.wait(lambda: self.cluster.nats.is_ready, "the NATS servers find no leader", HEALING)

    def _wait_for_news(self, fault, start) -> float:
        """Waits until each room has news; returns the longest pause of one since the start."""
        before = dict(self.heard)
        pauses = {}

        def has_news():
            for room, (number, at) in self.heard.items():
                if room not in pauses and number > before[room][0]:
                    pauses[room] = at - max(start, before[room][1])
            return len(pauses) == len(ROOMS)

        self.wait(has_news, lambda: f"no news of {[room for room in ROOMS if room not in pauses]} after {fault.words}",
                  fault.limit)
        return max(pauses.values())

    def _connect_by_relays(self, nats, name) -> str:
        relays = self._relays[name] = [Relay(self.testbed, server.port) for server in nats.servers]
        return ",".join(f"nats://127.0.0.1:{relay.port}" for relay in relays)

    # Rooms

    def _open_rooms(self):
        """Opens each room at another node, so that several nodes own something."""
        for (room, options), node in zip(ROOMS.items(), self.cluster.nodes):
            if options:
                opener = node.here().connect(f"opener@{node.name}")
                opener.request(f"open {room} {options}", "OK open .+")
                opener.request("quit", "OK quit")

    def _results(self, node, room) -> list[str]:
        peer = node.here().connect(f"results@{node.name}")
        if room != "main":
            peer.request(f"join {room}", f"OK join {room}")
        peer.request("results 1 1000", r"OK results \d+")
        return [line for line in peer.lines if line.startswith("RESULT ")]


class Person:
    """Somebody who connects again after each lost connection."""

    least, most = 0.05, 0.15
    """The seconds between two actions."""

    def __init__(self, world: World, name: str, room: str):
        self.world, self.name, self.room = world, name, room
        self.peer, self._place = None, "main"
        """The connection, and the room in which it is."""
        self.heard_at = 0.0
        """When it received the last news."""
        self._waits_since, self._unanswered = 0.0, 0

    def act(self):
        if self.peer is None or not self.peer.is_open:
            self.peer = None
            self.enter()
        else:
            self.go_on()
        self.world.plan(self.act, self.world.rng.uniform(self.least, self.most))

    def enter(self):
        """Connects, if the node runs."""
        raise NotImplementedError

    def go_on(self):
        """Does the next thing on an open connection."""

    def connect(self, node: Node, *commands: str):
        self.peer = self.world.connect(self.name, node)
        if self.peer:
            self.peer.on_line = self.receive
            self._unanswered, self._place = 0, "main"
            self.send("format json", f"join {self.room}" if self.room != "main" else "status", *commands)

    def send(self, *commands: str):
        if not self._unanswered:
            self._waits_since = time.monotonic()
        self._unanswered += len(commands)
        self.peer.send_lines(*commands)

    def receive(self, line: str):
        """Is called with each line."""
        fields = parse(line)
        if fields["type"] in ("ok", "error") or line.startswith(("OK ", "ERROR ")):
            self._unanswered -= 1
            self._waits_since = time.monotonic()
        self._place = fields.get("room", self._place) if fields["type"] == "hello" else self._place
        if "seq" in fields and "snapshot" not in fields:
            self.heard_at = time.monotonic()
            self.world.hear(self._place, fields["seq"])
        self.take(fields)

    def take(self, fields: dict):
        """Is called with each message."""

    @property
    def is_lost(self) -> bool:
        """Whether an answer does not come."""
        return self._unanswered > 0 and time.monotonic() - self._waits_since > UNANSWERED


class Observer(Person):
    """Follows one room at one node, and asks for what it missed."""

    def __init__(self, world, node, room):
        super().__init__(world, f"observer-{room}", room)
        self._node, self._last = node, 0

    def __str__(self):
        return f"{self.name}@{self._node.name}"

    def enter(self):
        if self._node.is_running and not self._node.is_frozen:
            self.connect(self._node, *([f"resume {self._last}"] if self._last else []))

    def take(self, fields):
        if "seq" in fields and "snapshot" not in fields and self._place == self.room:
            self._last = max(self._last, fields["seq"])


class Bidder(Person):
    """Bids at some node, and repeats at another one what was not answered."""

    def __init__(self, world, number):
        super().__init__(world, f"b{number}", list(ROOMS)[number % len(ROOMS)])
        self._number, self._token, self._state = number, "", {}
        self._is_named = False
        self._bid = ""
        """The bid that is not answered yet."""

    def enter(self):
        # The others stay, as a room without bidders has no news.
        if self._number >= STAYING and self.world.rng.random() < 0.5:
            self.room, self._bid = self.world.rng.choice(list(ROOMS)), ""
        self._is_named, repeated = False, [self._bid] if self._bid else []
        self.connect(self.world.rng.choice(self.world.cluster.nodes), f"name {self.name} {self._token}".strip(), *repeated)

    def go_on(self):
        # Its request to join the room can have been refused.
        is_elsewhere = not self._unanswered and self._place != self.room
        if self.is_lost or is_elsewhere or self.world.rng.random() < 0.002:
            self.peer.reset()
        elif not self._unanswered and time.monotonic() - max(self.heard_at, self._waits_since) > QUIET:
            self.send("ping")
        elif not self._unanswered and not self._is_named:
            self.send(f"name {self.name} {self._token}".strip())
        elif not self._unanswered and self.world.is_bidding:
            self._offer()

    def take(self, fields):
        if fields["type"] == "hello":
            self._state = {}
        self._state.update(fields.get("state") or {})
        words = fields.get("content", "").split() if fields["type"] in ("ok", "error") else []
        if fields["type"] == "ok" and words[:1] == ["name"]:
            self._token, self._is_named = words[2], True
        elif fields["type"] == "error" or words[:1] == ["bid"]:
            self._bid = ""

    def _offer(self):
        state = self._state
        if state.get("stage") != "open" or state.get("minimum") is None or state.get("leader") == self.name:
            return
        least = state["minimum"] + (self.world.rng.randrange(40 * BIDDERS) if state["format"] == "sealed" else 0)
        amount = least + (self._number - least) % BIDDERS
        self._bid = f"bid {amount} lot={state['lot']}"
        self.send(self._bid)

