"""A bidder who reads JSON, and keeps its name and its token from connection to connection."""

from __future__ import annotations

import json

from peer import Loop, SocketPeer
from programs import HOST


class Bidder:
    """Follows the price, and remembers which of its commands are not answered yet."""

    def __init__(self, number: int):
        self.number, self.name = number, f"b{number}"
        self.peer: SocketPeer | None = None
        self.room = "main"
        self.token, self.price = "", 0
        self.format, self.ask_price, self.buy_price = "english", None, None
        """How the lot is sold, what a Dutch one costs now, and what wins at once if there is such a price."""
        self.is_named = self.is_leading = False
        self.outstanding: dict[str, str] = {}
        """The unanswered commands by tag."""
        self._run = self._serial = 0

    def enter(self, loop: Loop, port: int, *before_name: str, source=None):
        """Connects and takes its name, after some other commands."""
        self._run, self._serial = self._run + 1, 0
        self.is_named, self.outstanding = False, {}
        self._come_to("main")
        self.peer = SocketPeer(loop, f"{self.name}-{self._run}", (HOST, port), source=source)
        self.peer.on_line = self._receive
        self.ask("format json", *before_name, f"name {self.name} {self.token}")

    def ask(self, *commands: str) -> str:
        """Sends commands in one piece; returns the tag of the last."""
        lines = []
        for command in commands:
            self._serial += 1
            tag = f"r{self._run}{self.name}n{self._serial}"
            self.outstanding[tag] = command = command.strip()
            lines.append(f"#{tag} {command}")
        self.peer.send_lines(*lines)
        return tag

    def _come_to(self, room):
        """Nothing is known of a room before its snapshot."""
        self.room, self.price, self.is_leading = room, 0, False
        self.format, self.ask_price, self.buy_price = "english", None, None

    def _receive(self, line: str):
        if line.startswith("OK #"):
            self.outstanding.pop(line.split()[1][1:], None)
        elif line.startswith("{"):
            fields = json.loads(line)
            if fields["type"] in ("ok", "error"):
                self.outstanding.pop(fields.get("tag"), None)
            getattr(self, "_on_" + fields["type"], lambda fields: None)(fields)
        elif line.startswith(("LOT ", "TERMS ", "ASK ", "PRICE ")):
            self._receive_snapshot(*line.split())

    def _receive_snapshot(self, word, *rest):
        """The snapshot of the greeting is text."""
        match word:
            case "LOT":
                self._on_lot({"lot": int(rest[0])})
            case "TERMS":
                self._on_terms(dict(setting.split("=") for setting in rest))
            case "ASK":
                self._on_ask({"amount": int(rest[0])})
            case "PRICE":
                self._on_price({"amount": int(rest[0]), "bidder": rest[1]})

    def _on_hello(self, fields):
        self._come_to(fields["room"])

    def _on_terms(self, fields):
        self.format = fields["format"]
        self.buy_price = int(fields["buy"]) if "buy" in fields else None
        self.ask_price = int(fields["start"]) if self.format == "dutch" else None

    def _on_ask(self, fields):
        self.ask_price = fields["amount"]

    def _on_price(self, fields):
        self.price, self.is_leading = fields["amount"], fields["bidder"] == self.name

    def _on_lot(self, fields):
        self._come_to(self.room)

    def _on_ok(self, fields):
        verb, *words = fields["content"].split()
        if verb == "name" and words[0] == self.name:
            self.is_named, self.token = True, words[1]
