"""A bidder who bids as fast as it is answered, and logs all that it says and hears."""

from __future__ import annotations

import json
import random
import socket
import time

from server import HOST, PATIENCE

OUTSTANDING = 3


class Bidder:
    """Keeps its name and its token from run to run, as a person would."""

    def __init__(self, number: int, path: str, chance: random.Random):
        self.number, self.name = number, f"b{number}"
        self.chance = chance
        self.socket: socket.socket | None = None
        self.token = ""
        self.has_bid = False
        self.source: tuple[str, int] | None = None
        """The address of this machine from which it connects, if that matters."""
        self.last_price = 0.0
        """When a price was heard last."""
        self._log = open(path, "w", encoding="utf-8")
        self._amount = self._price = self._serial = self._run = 0
        self._retry: list[int] = []

    def enter(self, run: int, port: int, is_shy: bool, victim: Bidder | None):
        """Connects, and takes its name back; before that it may try to take the victim's."""
        self._run, self._serial, self._rest = run, 0, b""
        self._is_shy, self.is_silent, self._is_named, self._is_leading = is_shy, False, False, False
        self._outstanding: dict[str, str] = {}
        self._log.write(f"RUN {run}\n")
        self.socket = socket.create_connection((HOST, port), PATIENCE, self.source)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        theft = [f"name {victim.name} {self.chance.choice((self.token, ''))}"] if victim else []
        self._say("format json", *theft, f"name {self.name} {self.token}")

    def hear(self):
        """Takes in what has arrived, and answers with bids."""
        try:
            data = self._receive()
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.leave()
        whole, end, self._rest = (self._rest + data).rpartition(b"\n")
        if not end:
            return None
        lines = whole.decode().split("\n")
        self._log.write("".join(f"< {line}\n" for line in lines))
        for line in lines:
            self._take(line)
        return self._bid()

    def _receive(self) -> bytes:
        return self.socket.recv(1 << 18)

    def leave(self):
        """Closes what the server has left, and remembers which bids it did not answer."""
        if self.socket is None:
            return
        self.socket.close()
        self.socket = None
        self._log.flush()
        commands = (command.split() for command in self._outstanding.values())
        self._retry = [int(words[1]) for words in commands if words[0] == "bid"]

    def close(self):
        self.leave()
        self._log.close()

    def _take(self, line):
        if not line.startswith("{"):
            if line.startswith("OK "):
                self._outstanding.pop(line.split()[1][1:], None)
            return
        fields = json.loads(line)
        kind = fields["type"]
        if kind == "price":
            self._price, self.last_price = fields["amount"], time.monotonic()
            self._is_leading = fields["bidder"] == self.name
        elif kind == "lot":
            self._price, self._is_leading, self.is_silent = 0, False, False
        elif kind in ("ok", "error"):
            self._outstanding.pop(fields["tag"], None)
            verb, *words = fields["content"].split()
            if kind == "ok" and verb == "bid":
                self.has_bid = True
            elif kind == "ok" and verb == "name" and words[0] == self.name:
                self._is_named, self.token = True, words[1]

    def _bid(self):
        """Bids on until enough is outstanding; never the same amount again but as a retry."""
        if not self._is_named or self._is_shy or self.is_silent or self.socket is None:
            return
        amounts = []
        while len(self._outstanding) + len(amounts) < OUTSTANDING:
            if self._retry:
                amounts.append(self._retry.pop())
            elif self._is_leading:
                break
            else:
                self._amount = max(self._price, self._amount) + self.chance.choice((1, 1, 2, 5))
                amounts.append(self._amount)
        self._say(*(f"bid {amount}" for amount in amounts))

    def _say(self, *commands):
        data = ""
        for command in commands:
            self._serial += 1
            tag = f"r{self._run}b{self.number}n{self._serial}"
            self._outstanding[tag] = command.strip()
            data += f"#{tag} {command.strip()}\n"
        self._log.write("".join(f"> {line}\n" for line in data.splitlines()))
        self._log.flush()
        try:
            self.socket.send(data.encode())
        except OSError:
            pass  # The server is dead; what it said before is still to be heard.
