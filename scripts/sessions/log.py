"""The log and the process: SIGHUP, a terminal that hangs up, a reader that stalls, no standard error at all."""

import os
import re
import shlex
import signal
import socket
import subprocess

from checks import check
from programs import HOST

TITLE = "SIGHUP, a terminal that hangs up, a stalled reader of the log, no standard error"
BIDS = 60_000
"""More lines than a pipe and the queue of the log hold."""


def play(bed):
    hang_up(bed)
    hang_up_the_terminal(bed)
    stall(bed)
    for redirection in ("2>&-", "2>/dev/full"):
        run_without_standard_error(bed, redirection)


def hang_up(bed):
    """SIGHUP logs the state and reads the token again; a bad token file leaves the old token."""
    path = bed.secret("key", "a" * 32)
    server = bed.serve("--data", "none", "--log-level", "error", "--auctioneer-token-file", path)
    bed.secret("key", "b" * 32)
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* event=state lot=1 stage=open connections=0 named=0 memory=\d+")
    bed.secret("key", "")
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* level=error event=token-file reason=.*")
    server.errors.expect(r".* event=state .*")
    auctioneer = bed.connect("auctioneer")
    auctioneer.demand("auctioneer " + "a" * 32, r"ERROR wrong-token .+")
    auctioneer.demand("auctioneer " + "b" * 32, r"OK auctioneer")
    server.stop()


def hang_up_the_terminal(bed):
    """A server on a terminal ends in good order when the terminal goes away."""
    command = ["setsid", "--ctty", bed.server_path, "--host", HOST, "--port", "0", "--data", "none"]
    terminal, inside = os.openpty()
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    printed = b""
    while not (found := re.search(rb"listening on \S+:(\d+).*\n", printed)):
        printed += os.read(terminal, 4096)
    bed.port = int(found[1])
    observer = bed.connect("observer")
    os.close(terminal)
    observer.expect(r"BYE shutdown")
    observer.expect_end()
    code = process.wait(20)
    check(code == 0, f"without its terminal the server exited {code}")


def stall(bed):
    """Bids go on while nobody reads the log, which has a bounded number of lines and counts the rest."""
    server = bed.serve("--seconds", "60", "--self-raise", "allow", "--data", "none")
    alice = bed.connect("alice")
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


def run_without_standard_error(bed, redirection):
    port = bed.free_port()
    command = shlex.join([bed.server_path, "--host", HOST, "--port", str(port), "--data", "none"])
    server = bed.spawn("mute", "sh", "-c", f"exec {command} {redirection}")
    bed.port = port
    bed.wait(lambda: is_listening(port), "the server does not listen", interval=0.02)
    alice = bed.connect("alice")
    alice.demand("name alice", r"OK name .+")
    server.process.send_signal(signal.SIGTERM)
    alice.expect(r"BYE shutdown")
    check(server.exit_code() == 0, f"{redirection}: the exit code is not 0")


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
