"""The clients of scripts/crash: bidders who bid as fast as they are answered, and an auctioneer, in every format.

In some rounds the bidders wander: they open twenty rooms, and go from one to another while they bid.
"""

from __future__ import annotations

import collections
import random
import time

from bidder import Bidder
from peer import SocketPeer
from programs import HOST

OUTSTANDING = 3
SEALED_MOST = 400
"""The most that is bid in private."""
TAKE_CHANCE, MAXIMUM_CHANCE, BUY_CHANCE, SAY_CHANCE, MOVE_CHANCE = 0.3, 0.1, 0.002, 0.002, 0.03
RULINGS = {"hammer": 50, "void": 15, "pause": 10, "close": 5, "add Extra format=dutch start=90 step=9": 5,
           "mute": 5, "unmute": 10}
"""How often the auctioneer sends each."""
ROOM_COUNT = 20
ROOM_OPTIONS = (
    "", "step=3", "format=sealed start=5", "format=vickrey reserve=60", "format=dutch start=90 step=20",
    "purse=20000 worth=50..150", "lots=2 purse=3000", "reserve=90 buy=200", "format=sealed common=50..150 noise=20",
    "lots=3 worth=1..1000",
)
"""With which rooms are opened, in turn."""


class Rooms:
    """The rooms that the bidders have opened, or are to open."""

    def __init__(self, rng: random.Random):
        self._rng = rng
        self.keys: dict[str, str] = {}
        """The keys of those that were acknowledged."""
        self._taken: set[str] = set()
        """Those that an unanswered command has opened."""

    def move(self) -> str:
        """The command to go to some room."""
        number = self._rng.randrange(ROOM_COUNT + 1)
        name = f"room-{number}" if number else "main"
        if name in self.keys or name in self._taken or not number:
            return f"join {name}"
        return f"open {name} {ROOM_OPTIONS[number % len(ROOM_OPTIONS)]}".strip()

    def answer(self, command: str, is_done: bool, content: str):
        """Takes the answer to such a command; a room that is taken was opened by a command without an answer."""
        verb, name = command.split()[:2]
        if verb == "open" and is_done:
            self.keys[name] = content.split()[2]
        elif verb == "open":
            self._taken.add(name)

    def some(self) -> tuple[str, str] | None:
        """The name and the key of one of them."""
        return self._rng.choice(list(self.keys.items())) if self.keys else None


class FastBidder(Bidder):
    """Bids as fast as it is answered, and never the same amount again unless the answer was lost."""

    def __init__(self, number: int, rng: random.Random, rooms: Rooms):
        super().__init__(number)
        self._rng, self._rooms = rng, rooms
        self.has_bid = self.is_silent = False
        self.last_price = 0.0
        """When it received the last price."""
        self._is_shy = self._wanders = self._is_moving = False
        self._move = ""
        """The command by which it has moved last, or is about to."""
        self._seen_ask: int | None = None
        self._place = "main", 0
        """The room and the lot."""
        self._amounts: dict[tuple[str, int], int] = collections.defaultdict(int)
        self._retry: dict[tuple[str, int], list[int]] = collections.defaultdict(list)
        """By room and lot: the highest bid there, and the bids that were not answered."""

    def enter(self, loop, port, is_shy, wanders, victim):
        """Connects, and takes its name back; before that it may try to take the victim's."""
        self._is_shy, self._wanders, self.is_silent = is_shy, wanders, False
        self._is_moving, self._move = False, ""
        theft = [f"name {victim.name} {self._rng.choice((self.token, ''))}"] if victim else []
        super().enter(loop, port, *theft)

    def leave(self):
        """Remembers which bids the dead server did not answer."""
        if self.peer:
            self.peer.connection.was_cut = True
            self.peer.close()
            commands = (command.split() for command in self.outstanding.values())
            self._retry[self._place] = [int(words[1]) for words in commands if words[0] == "bid"]
            self.peer = None

    def _receive(self, line):
        super()._receive(line)
        if self.is_named and not self._is_shy and not self.is_silent and not self._is_moving:
            self._act()

    def _act(self):
        if self._wanders and (not self._move or self._rng.random() < MOVE_CHANCE):
            self._move = self._rooms.move()
            self._is_moving = True
            self.ask(self._move)
            return
        commands = []
        while len(self.outstanding) + len(commands) < OUTSTANDING and (command := self._command()):
            commands.append(command)
        if commands:
            self.ask(*commands)

    def _command(self):
        """The next command; None if it waits."""
        if self._rng.random() < SAY_CHANCE:
            return f"say {self._rng.choice(('well', 'no more', 'mine'))} {self._rng.randrange(1000)}"
        if retry := self._retry[self._place]:
            amount = retry.pop()
            self._raise_to(amount)
            return f"bid {amount}"
        if self.format == "dutch":
            return self._take()
        if self.buy_price and self._rng.random() < BUY_CHANCE:
            return "buy"
        if self.format != "english":
            amount = self._rng.randint(1, SEALED_MOST)
            while f"bid {amount}" in self.outstanding.values():
                # The next lot may be English, where the same bid again has no event of its own.
                amount = self._rng.randint(1, SEALED_MOST)
            return f"bid {amount}"
        return self._raise()

    def _take(self):
        """Considers each ask once."""
        if self._seen_ask == self.ask_price:
            return None
        self._seen_ask = self.ask_price
        if self._rng.random() > TAKE_CHANCE:
            return None
        return self._rng.choice(("take", f"bid {self.ask_price}", f"bid {self.ask_price + 1}"))

    def _raise(self):
        sets_maximum = self._rng.random() < MAXIMUM_CHANCE
        if self.is_leading and not sets_maximum:
            return None
        amount = max(self.price, self._amounts[self._place]) + self._rng.choice((1, 1, 2, 5))
        while f"bid {amount}" in self.outstanding.values():
            # It was meant for the lot before.
            amount += 1
        self._raise_to(amount)
        return f"max {amount + self._rng.choice((0, 10, 40))}" if sets_maximum else f"bid {amount}"

    def _raise_to(self, amount):
        self._amounts[self._place] = max(self._amounts[self._place], amount)

    def _on_hello(self, fields):
        super()._on_hello(fields)
        self._place, self._seen_ask = (self.room, 0), None

    def _on_price(self, fields):
        super()._on_price(fields)
        self.last_price = time.monotonic()

    def _on_lot(self, fields):
        super()._on_lot(fields)
        self.is_silent, self._seen_ask = False, None
        self._place = self.room, fields["lot"]

    def _on_ok(self, fields):
        super()._on_ok(fields)
        self._on_answer(fields, is_done=True)
        if fields["content"].startswith(("bid ", "take ", "buy ")):
            self.has_bid = True
            self._raise_to(int(fields["content"].split()[1]))

    def _on_error(self, fields):
        self._on_answer(fields, is_done=False)

    def _on_answer(self, fields, is_done):
        """Goes on once it knows whether it is in another room."""
        if self._is_moving and not any(command == self._move for command in self.outstanding.values()):
            self._is_moving = False
            self._rooms.answer(self._move, is_done, fields["content"])


class Gavel:
    """An auctioneer, who rules now and then."""

    def __init__(self, token: str, rng: random.Random):
        self._token, self._rng, self._run, self._serial = token, rng, 0, 0
        self.peer: SocketPeer | None = None

    def enter(self, loop, port, room: tuple[str, str] | None):
        """Connects, and continues a sale that was paused when the server died: in main, or in a room with its key."""
        self._run, self._serial = self._run + 1, 0
        self.peer = SocketPeer(loop, f"gavel-{self._run}", (HOST, port))
        if room:
            self._send("rooms", f"join {room[0]}", f"auctioneer {room[1]}", "resume")
        else:
            self._send(f"auctioneer {self._token}", "resume")

    def rule(self):
        """Gives some ruling; a pause ends at once."""
        ruling = self._rng.choices(list(RULINGS), list(RULINGS.values()))[0]
        if ruling.endswith("mute"):
            ruling += f" b{self._rng.randint(1, 8)}"
        self._send(ruling, *(["resume"] if ruling == "pause" else []))

    def hammer(self):
        self._send("hammer")

    def leave(self):
        if self.peer:
            self.peer.connection.was_cut = True
            self.peer.close()
            self.peer = None

    def _send(self, *commands):
        lines = []
        for command in commands:
            self._serial += 1
            lines.append(f"#g{self._run}n{self._serial} {command}")
        self.peer.send_lines(*lines)
