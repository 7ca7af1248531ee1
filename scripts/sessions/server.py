"""auction-server as a process: signals, exit codes, a terminal that hangs up, no standard error."""

import os
import re
import shlex
import signal
import socket
import subprocess

from checks import check
from programs import HOST
from protocol import news_of

TITLE = "auction-server: signals, --once, exit codes, a terminal that hangs up, no standard error"


def play(testbed):
    for number in (signal.SIGINT, signal.SIGTERM):
        end_under_load(testbed, number)
    sell_one_lot(testbed)
    refuse(testbed)
    reload_the_token(testbed)
    hang_up_the_terminal(testbed)
    for redirection in ("2>&-", "2>/dev/full"):
        run_without_standard_error(testbed, redirection)


def end_under_load(testbed, number):
    """After a signal everything that the server received is answered, and all clients receive BYE."""
    server = testbed.serve("--seconds", "60", "--self-raise", "allow")
    observer, alice = testbed.connect("observer"), testbed.connect("alice")
    observer.expect(r"LOT 1 lot-1")
    alice.request("name alice", r"OK name .+")
    alice.send(b"".join(b"bid %d\n" % amount for amount in range(1, 2000)))
    alice.answer()
    server.stop(number)
    for peer in (observer, alice):
        peer.expect_end()
        check(peer.lines[-1] == "BYE shutdown" and not peer.rest, f"{peer.name}: the last line is {peer.lines[-1]!r}")
    check(news_of(alice.lines) == news_of(observer.lines), "two clients have received different news")
    prices = [words.split()[1] for words in observer.lines if words.startswith("PRICE ")]
    accepted = [line.split()[2] for line in alice.lines if line.startswith("OK bid ")]
    check(prices == accepted, f"{len(accepted)} bids accepted, {len(prices)} announced")


def sell_one_lot(testbed):
    server = testbed.serve("--seconds", "1", "--once", "--lot", "Old clock", "--lot", "Vase")
    alice = testbed.bidder("alice")
    alice.request("bid 7", r"OK bid 7")
    winner = alice.expect(r"WINNER alice 7 \d\d:\d\d\.\d Old clock")
    server.check_exit(0)
    check(server.lines == [winner], f"--once printed {server.lines}")


def refuse(testbed):
    """A wrong command line or a port in use is one line on standard error, and exit code 2."""
    plan, names = testbed.secret("class", "rounds 2 sealed"), testbed.secret("names", "alice\nALICE")
    with socket.create_server((HOST, 0)) as listener:
        port = str(listener.getsockname()[1])
        for flags, complaint in (
                (["--frobnicate"], ""), (["--seconds", "0"], ""), (["--host", HOST, "--port", port], ""),
                (["--roster", names], "--roster needs --class FILE"),
                (["--class", plan, "--roster", "missing"], "--roster: missing cannot be read"),
                (["--class", plan, "--roster", names], "names, line 2: alice is there twice")):
            server = testbed.run_server(*flags)
            server.check_exit(2)
            printed = server.errors.lines + server.lines
            check(len(printed) == 1 and not server.lines and complaint in printed[0], f"{flags}: printed {printed}")
    version = testbed.run_server("--version")
    version.check_exit(0)
    check(version.lines, "--version prints nothing")


def reload_the_token(testbed):
    """SIGHUP logs the state, and reads the auctioneer's token again."""
    server = testbed.serve("--data", "none", "--auctioneer-token-file", testbed.secret("key", "a" * 32))
    testbed.secret("key", "b" * 32)
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* event=state lot=1 stage=open connections=0 named=0 memory=\d+")
    auctioneer = testbed.connect("auctioneer")
    auctioneer.request("auctioneer " + "a" * 32, r"ERROR wrong-token .+")
    auctioneer.request("auctioneer " + "b" * 32, r"OK auctioneer")
    auctioneer.request("stop", r"OK stop")
    server.check_exit(0)


def hang_up_the_terminal(testbed):
    """A server on a terminal ends in good order when the terminal goes away."""
    command = ["setsid", "--ctty", testbed.server_path, "--host", HOST, "--port", "0", "--data", "none"]
    terminal, inside = os.openpty()
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    printed = b""
    while not (found := re.search(rb"listening on \S+:(\d+).*\n", printed)):
        printed += os.read(terminal, 4096)
    testbed.port = int(found[1])
    observer = testbed.connect("observer")
    os.close(terminal)
    observer.expect(r"BYE shutdown")
    observer.expect_end()
    code = process.wait(20)
    check(code == 0, f"without its terminal the server exited {code}")


def run_without_standard_error(testbed, redirection):
    testbed.port = testbed.free_port()
    command = shlex.join([testbed.server_path, "--host", HOST, "--port", str(testbed.port), "--data", "none"])
    server = testbed.spawn("server", "sh", "-c", f"exec {command} {redirection}")
    testbed.expect_port(testbed.port, server)
    alice = testbed.bidder("alice")
    server.process.send_signal(signal.SIGTERM)
    alice.expect(r"BYE shutdown")
    server.check_exit(0)
