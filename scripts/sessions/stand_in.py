"""A server of our own in the place of the real one."""

import selectors
import socket

from room import HOST


class StandIn:
    """Listens on a free port, and takes everybody in as what `welcome` makes of the connection."""

    def __init__(self, room, welcome):
        self.room, self._welcome = room, welcome
        self._listener = socket.create_server((HOST, 0))
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        room.watch(self._listener.fileno(), selectors.EVENT_READ, self._accept)
        room.admit(self)

    def _accept(self):
        connection = self._listener.accept()[0]
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.room.admit(self._welcome(connection))

    def close(self):
        """Listens no more; those who were taken in are closed with the room."""
        self.room.unwatch(self._listener.fileno())
        self._listener.close()
