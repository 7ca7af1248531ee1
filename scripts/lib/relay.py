"""A network between a server and its clients, which can be cut or held while both stay as they are."""

from __future__ import annotations

import contextlib
import socket
import threading

from programs import HOST


class Relay:
    """Carries the bytes of each connection to a server; while it is cut, connections are refused."""

    def __init__(self, testbed, port):
        self.port = testbed.free_port()
        self._server = port
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._listener = None
        self._flows = threading.Event()
        self.restore()
        testbed.close_at_end(self)

    def cut(self):
        """Ends all connections."""
        with self._lock:
            listener, self._listener = self._listener, None
            ended = [each for each in (listener, *self._sockets) if each]
        for each in ended:
            # Wakes the thread that waits for it.
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        if listener:
            listener.close()

    def hold(self):
        """Keeps what either side sends; all connections stay open, and new ones are accepted."""
        self._flows.clear()

    def restore(self):
        """Accepts connections again, and carries what was held."""
        self._flows.set()
        if not self._listener:
            self._listener = socket.create_server((HOST, self.port))
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def close(self):
        self.cut()
        self._flows.set()

    def _accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection((HOST, self._server))
            except OSError:
                client.close()
                continue
            with self._lock:
                is_cut = listener is not self._listener
                self._sockets.update((client, server))
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()
            if is_cut:
                self.cut()

    def _carry(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._sockets.discard(source)
        source.close()
