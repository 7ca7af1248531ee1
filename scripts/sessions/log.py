"""The log and the process: SIGHUP, a terminal that hangs up, a reader that stalls, no standard error at all."""

import os
import re
import shlex
import signal
import socket
import subprocess

from peer import check
from room import HOST

TITLE = "SIGHUP, a terminal that hangs up, a stalled reader of the log, no standard error"
BIDS = 60_000
"""More lines than a pipe and the queue of the log hold."""


def play(room):
    hang_up(room)
    hang_up_the_terminal(room)
    stall(room)
    for redirection in ("2>&-", "2>/dev/full"):
        run_without_standard_error(room, redirection)


def hang_up(room):
    """SIGHUP logs the state and reads the token again; a bad token file leaves the old token."""
    path = os.path.join(room.folder, "key")
    write_token(path, "a" * 32)
    server = room.serve("--data", "none", "--log-level", "error", "--auctioneer-token-file", path)
    write_token(path, "b" * 32)
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* event=state lot=1 stage=open connections=0 named=0 memory=\d+")
    write_token(path, "")
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* level=error event=token-file reason=.*")
    server.errors.expect(r".* event=state .*")
    auctioneer = room.connect("auctioneer")
    auctioneer.demand("auctioneer " + "a" * 32, r"ERROR wrong-token .+")
    auctioneer.demand("auctioneer " + "b" * 32, r"OK auctioneer")
    server.stop()


def write_token(path, token):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(token)


def hang_up_the_terminal(room):
    """A server on a terminal ends in good order when the terminal goes away."""
    command = ["setsid", "--ctty", room.server_path, "--host", HOST, "--port", "0", "--data", "none"]
    terminal, inside = os.openpty()
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    printed = b""
    while not (found := re.search(rb"listening on \S+:(\d+).*\n", printed)):
        printed += os.read(terminal, 4096)
    room.port = int(found[1])
    observer = room.connect("observer")
    os.close(terminal)
    observer.expect(r"BYE shutdown")
    observer.expect_end()
    code = process.wait(20)
    check(code == 0, f"without its terminal the server exited {code}")


def stall(room):
    """Bids go on while nobody reads the log, which has a bounded number of lines and counts the rest."""
    server = room.serve("--seconds", "60", "--self-raise", "allow", "--data", "none")
    alice = room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    server.errors.pause()
    for first in range(1, BIDS, 1000):
        alice.send("".join(f"bid {price}\n" for price in range(first, first + 1000)).encode())
        for _ in range(1000):
            alice.answer()
    server.errors.resume()
    server.stop()
    lines = server.errors.lines
    accepted = sum(line.startswith("OK bid ") for line in alice.lines)
    logged = sum(" event=bid " in line for line in lines)
    withheld = sum(int(found[1]) for line in lines if (found := re.search(r" event=withheld .*\blines=(\d+)", line)))
    check(0 < logged < 1000, f"{logged} of {accepted} bids are in the log")
    # Withheld lines are counted once a second: those of the last second may be missing.
    check(logged + withheld <= accepted, f"{accepted} bids, {logged} logged, {withheld} withheld")


def run_without_standard_error(room, redirection):
    port = room.free_port()
    command = shlex.join([room.server_path, "--host", HOST, "--port", str(port), "--data", "none"])
    server = room.spawn("mute", "sh", "-c", f"exec {command} {redirection}")
    room.port = port
    room.wait(lambda: is_listening(port), "the server does not listen", interval=0.02)
    alice = room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    server.process.send_signal(signal.SIGTERM)
    alice.expect(r"BYE shutdown")
    check(server.exit_code() == 0, f"{redirection}: the exit code is not 0")


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
