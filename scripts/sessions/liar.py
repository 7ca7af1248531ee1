"""A server of our own that says things no honest one would."""

import json

from peer import Peer
from stand_in import StandIn

GREETING = "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)"


class Liar(StandIn):
    """Greets everybody with a text, tells of a lot by a title, and refuses names for a reason."""

    def __init__(self, room, greeting=GREETING, title="Vase", reason="no"):
        self.greeting, self.title, self.reason = greeting, title, reason
        super().__init__(room, lambda connection: Client(self, connection))


class Client(Peer):
    """One who was taken in."""

    def __init__(self, liar, connection):
        self._liar, self._connection, self._heard = liar, connection, 0
        super().__init__(liar.room, "client", connection.fileno(), connection.fileno())
        self.send(liar.greeting.encode() + b"\n")

    def hear(self):
        super().hear()
        while self._heard < len(self.lines):
            self._answer(*self.lines[self._heard].removeprefix("#").split(" ", 2))
            self._heard += 1

    def _answer(self, tag, word, rest=""):
        if word == "format":
            self.send(f"OK #{tag} format json\n".encode())
        elif word == "name":
            self._tell(type="error", content=self._liar.reason, code="wrong-token", tag=tag)
        else:
            self._tell(type="lot", content=self._liar.title, lot=1, title=self._liar.title)
            self._tell(type="ok", content=f"{word} 0" if word in ("who", "laps") else word, tag=tag)

    def _tell(self, **fields):
        self.send(json.dumps({**fields, "time": "2026-11-20T10:00:00.000Z"}).encode() + b"\n")

    def close(self):
        """Closes the connection."""
        if self.source is not None:
            self.room.unwatch(self.source)
            self._connection.close()
            self.source = self.sink = None

    end = close
