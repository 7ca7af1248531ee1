"""Three nodes of one auction on this machine, each a server with a name and a port that it keeps."""

from __future__ import annotations

import base64
import contextlib
import http.client
import re
import signal
import tempfile

from checks import check
from nats import STREAM, NATSCluster
from programs import HOST
from testbed import PATIENCE, Server, Testbed

NAMES = "one", "two", "three"
LOG, WRITER = "auction.log.", "Auction-Node"
"""How the subjects of the rooms begin, and the header with the node that wrote a message."""
HEALTH_SECONDS = 0.5
"""How long a node may take to say how it is: a frozen one never does."""


class Node:
    """A node, which can be killed, frozen and started again; its clients find it at the same port."""

    def __init__(self, testbed: Testbed, name: str, urls: str, flags=(), port: int | None = None):
        """The flags come after those that a node needs."""
        self.name, self.port, self._testbed = name, port or testbed.free_port(), testbed
        self.flags = ["--host", HOST, "--port", str(self.port), "--cluster", urls, "--node", name, *flags]
        self.server: Server | None = None
        self.is_frozen = False

    @property
    def is_running(self) -> bool:
        """Whether it has a process, which may be frozen."""
        return self.server is not None and self.server.process.poll() is None

    def here(self) -> Testbed:
        """The testbed, whose connections and clients now go to this node."""
        self._testbed.port = self.port
        return self._testbed

    def start(self):
        """Starts it, and does not wait."""
        self.server, self.is_frozen = self._testbed.run_server(*self.flags), False

    def wait(self, seconds: float = PATIENCE):
        """Waits until it listens and can serve."""
        def can_serve():
            check(not self.server.has_ended, f"{self.name} ended", *self.server.errors.lines[-5:])
            return any("listening on" in line for line in self.server.errors.lines) and self.health() == 200

        self._testbed.wait(can_serve, f"{self.name} cannot serve", seconds, interval=0.05)

    def kill(self):
        self.server.kill()

    def freeze(self):
        """Suspends its process (SIGSTOP); its connections stay open."""
        self.server.process.send_signal(signal.SIGSTOP)
        self.is_frozen = True

    def thaw(self):
        self.server.process.send_signal(signal.SIGCONT)
        self.is_frozen = False

    def health(self) -> int | None:
        """The status of its `/health`; None if it does not answer."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection(HOST, self.port, timeout=HEALTH_SECONDS)
            try:
                connection.request("GET", "/health")
                return connection.getresponse().status
            finally:
                connection.close()
        return None


class Cluster:
    """NATS servers, and the nodes that share an auction through them."""

    def __init__(self, testbed: Testbed, *flags: str, urls_of=None, ports=(None, None, None)):
        """Every node gets these flags; `urls_of(nats, name)` returns other addresses, such as those of a relay."""
        self._testbed = testbed
        self.nats = testbed.close_at_end(NATSCluster(tempfile.mkdtemp(prefix="nats-", dir=testbed.folder)))
        self.wait_for_nats()
        self.nodes = [Node(testbed, name, urls_of(self.nats, name) if urls_of else self.nats.urls, flags, port)
                      for name, port in zip(NAMES, ports)]
        # One after the other, so that the first one opens the sale.
        for node in self.nodes:
            node.start()
            node.wait()

    def wait_for_nats(self):
        """Waits until all NATS servers run and have a leader."""
        self._testbed.wait(lambda: self.nats.is_ready, "the NATS servers find no leader", interval=0.05)

    def owner(self, room: str) -> Node:
        """The node that wrote the newest message of the room."""
        client = self.nats.connect()
        try:
            found = client.call(f"STREAM.MSG.GET.{STREAM}", last_by_subj=f"{LOG}{room}")["message"]
        finally:
            client.close()
        name = re.search(rf"^{WRITER}: *(\S+)", base64.b64decode(found["hdrs"]).decode(), re.MULTILINE)[1]
        return next(node for node in self.nodes if node.name == name)

    def status(self) -> Server:
        """The program that prints the nodes and the rooms."""
        return self._testbed.run_server("--cluster", self.nats.urls, "--status")
