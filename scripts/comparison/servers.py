"""The servers that are compared, each started anew on a free port, in a folder of its own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from programs import HOST, ROOT, UNLIMITED

BUILD = os.path.join(ROOT, ".build", "release")
PATIENCE = 20
"""Seconds that a server may take to listen, or to end."""
POLICY = "/usr/sbin/policy-rc.d"
"""What Debian runs before it starts an installed service."""
CONNECTIONS = 20000
"""The limit of connections for a server whose default is lower."""


@dataclass(frozen=True)
class Server:
    """A server: its name, its protocol, and how it is started."""

    name: str
    dialect: str
    program: str
    flags: tuple[str, ...] = ()
    package: str | None = None
    config: str | None = None
    """The text of its configuration file, which follows the flags."""
    port_pattern: str | None = None
    """The pattern with which it prints its port; None if it is given one."""
    slowness: int = 1
    """How many times fewer bids it gets, so that the others need not wait for it."""

    def path(self):
        """Where the program is; None if it is not installed."""
        if self.package is None:
            return os.path.join(BUILD, self.program)
        return shutil.which(self.program, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))


def auction(name, data, *flags):
    """Our own server, whose countdown does not end while it is measured."""
    return Server(name, "auction", "auction-server", port_pattern=r"listening on .*:(\d+)\n",
                  flags=("--port", "0", "--self-raise", "allow", "--seconds", "3600", "--log-level", "warning",
                         "--data", data, *UNLIMITED, *flags))


def redis(name, dialect, *flags):
    """Redis, set to close no observer that is behind."""
    return Server(name, dialect, "redis-server", package="redis-server",
                  flags=("--port", "{port}", "--bind", HOST, "--dir", "{folder}", "--save", "",
                         "--maxclients", str(CONNECTIONS), "--client-output-buffer-limit", "pubsub 0 0 0", *flags))


OURS = auction("auction-server, with its journal", "{folder}/data")
OURS_WITHOUT = auction("auction-server, without one", "none")
OURS_ON_THREADS = tuple(auction(f"auction-server --threads {count}", "none", "--threads", str(count))
                        for count in (1, 2))
REDIS_SCRIPT = redis("Redis, a bid script, its file always synced", "redis-script",
                     "--appendonly", "yes", "--appendfsync", "always",
                     # Or it would rewrite its file on the other core while it is measured.
                     "--auto-aof-rewrite-percentage", "0")
FLOOR = Server("floor", "floor", "{folder}/floor", flags=("0",), port_pattern=r"(\d+)\n")
ALL = (
    OURS,
    OURS_WITHOUT,
    redis("Redis, publish and subscribe", "redis", "--appendonly", "no"),
    REDIS_SCRIPT,
    Server("NATS", "nats", "nats-server", flags=("-a", HOST, "-p", "{port}"), package="nats-server"),
    Server("Mosquitto", "mqtt", "mosquitto", flags=("-c",), package="mosquitto",
           slowness=30,
           config="listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n"
                  "max_queued_messages 1000000\nlog_dest none\n"),
    FLOOR,
)


@dataclass
class Running:
    """A running server."""

    process: subprocess.Popen
    port: int


@contextlib.contextmanager
def running(server):
    """Runs a server for as long as the block takes, in a new folder on the disk of this one."""
    with tempfile.TemporaryDirectory(dir=ROOT, prefix="auction-compare-") as folder:
        port = 0 if server.port_pattern else free_port()
        process = subprocess.Popen(command(server, folder, port), stdin=subprocess.DEVNULL, cwd=folder,
                                   stdout=subprocess.PIPE if server.port_pattern else subprocess.DEVNULL,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            port = printed_port(process, server) if server.port_pattern else wait_for_port(process, port)
            yield Running(process, port)
        finally:
            process.kill()
            process.wait(PATIENCE)
            if process.stdout:
                process.stdout.close()


def command(server, folder, port):
    """The words that start a server; the floor is compiled and a configuration written first."""
    if server is FLOOR:
        compiler = shutil.which("cc") or "clang"
        source = os.path.join(ROOT, "scripts", "floor.c")
        subprocess.run([compiler, "-O2", "-o", f"{folder}/floor", source], check=True)
        return [f"{folder}/floor", *server.flags]
    words = [server.path(), *(flag.format(folder=folder, port=port) for flag in server.flags)]
    if server.config:
        words.append(f"{folder}/configuration")
        with open(words[-1], "w", encoding="ascii") as file:
            file.write(server.config.format(port=port))
    return words


def printed_port(process, server):
    """The port that a server prints."""
    for line in process.stdout:
        if match := re.match(server.port_pattern, line):
            return int(match[1])
    sys.exit(f"{server.name}: ended with {process.wait(PATIENCE)} instead of listening")


def wait_for_port(process, port):
    """The port, once the server listens on it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), PATIENCE):
            return port
        time.sleep(0.01)
    sys.exit(f"{process.args[0]}: does not listen on port {port}")


def free_port():
    """A port that nobody listens on now."""
    with socket.create_server((HOST, 0)) as listener:
        return listener.getsockname()[1]


def install(packages):
    """Installs packages where we may, without starting their services; what cannot be installed stays missing."""
    if not packages or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    is_ours = not os.path.exists(POLICY)
    if is_ours:
        with open(os.open(POLICY, os.O_WRONLY | os.O_CREAT, 0o755), "w", encoding="ascii") as policy:
            policy.write("#!/bin/sh\nexit 101\n")
    try:
        for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *words], env=environment, stdout=subprocess.DEVNULL, check=False)
    finally:
        if is_ours:
            os.remove(POLICY)
