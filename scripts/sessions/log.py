"""What the log tells, and that nobody waits for who reads it."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import time

from peer import check
from room import HOST

TITLE = "the log's lines, SIGHUP, a reader that has stalled, no standard error at all"
WIRINGS = ((), ("--threads", "2"))
LINE = re.compile(r"time=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) level=(error|warning|info|debug) event=([a-z-]+)(.*)")
WORD = re.compile(r' ([a-z]+)=("(?:[^"\\]|\\.)*"|[^\s"=\\]+)')
BIDS = 60_000
"""More lines than a pipe and the queue of the log hold."""


def play(room):
    tell_a_sale(room)
    tell_each_connection(room)
    answer_hang_ups(room)
    read_the_token_again(room)
    end_with_the_terminal(room)
    if not room.flags:
        stall(room)
        do_without(room)


def events(server):
    """The lines of the log as (level, event, words); fails at one that is no such line."""
    found = []
    for line in server.errors.lines:
        if not line.startswith("time="):
            continue
        match = LINE.fullmatch(line)
        check(match, f"no line of a log: {line!r}")
        words = {key: json.loads(value) if value.startswith('"') else value
                 for key, value in WORD.findall(match[4])}
        check(WORD.sub("", match[4]) == "", f"no words of a log: {line!r}")
        found.append((match[2], match[3], words))
    return found


def only(found, event):
    """The words of each line about an event."""
    return [words for _, name, words in found if name == event]


def tell_a_sale(room):
    server = room.serve("--seconds", "1", "--once", "--lot", 'Blue "vase"', "--data", "none")
    alice = room.connect("alice")
    token = alice.demand("name alice", r"OK name alice .+").split()[-1]
    alice.demand("bid 7", r"OK bid 7")
    eve = room.connect("eve")
    eve.demand(f"name alice {token[::-1]}", r"ERROR wrong-token .+")
    check(server.exit_code() == 0, "--once did not exit 0")
    found = events(server)
    check([event for _, event, _ in found] ==
          ["started", "lot", "named", "joined", "bid", "sold", "over", "closed", "stopped"],
          f"the log is {found}")
    check(only(found, "lot") == [{"lot": "1", "title": 'Blue "vase"'}], f"the lot is {only(found, 'lot')}")
    check(only(found, "bid") == [{"lot": "1", "bid": "1", "amount": "7", "bidder": "alice"}],
          f"the bid is {only(found, 'bid')}")
    check(only(found, "closed")[0]["reason"] == "shutdown", f"closed: {only(found, 'closed')}")
    check(not any(token in line or token[::-1] in line for line in server.errors.lines),
          "a token is in the log")


def tell_each_connection(room):
    server = room.serve("--data", "none", "--log-level", "debug")
    room.connect("quitter").quit()
    room.connect("leaver").close()
    server.errors.expect(r".* event=closed reason=quit .*")
    server.errors.expect(r".* event=closed reason=(reset|end) .*")
    server.stop()
    found = events(server)
    check(len(only(found, "connected")) == 2, f"connected: {only(found, 'connected')}")
    check(all(words["address"] == HOST for words in only(found, "connected")), "no address")


def answer_hang_ups(room):
    """SIGHUP is answered by one line at any level, and changes nothing."""
    server = room.serve("--seconds", "60", "--data", "none", "--log-level", "error")
    alice = room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 7", r"OK bid 7")
    for _ in range(2):
        server.process.send_signal(signal.SIGHUP)
        server.errors.expect(r".* event=state lot=1 stage=open price=7 leader=alice connections=1 named=1 memory=\d+")
    alice.demand("ping", r"OK ping")
    server.stop()
    check(len(events(server)) == 2, f"the log is {events(server)}")


def read_the_token_again(room):
    """SIGHUP has another token hold, and a file that is none leaves the old one."""
    path = os.path.join(room.folder, "key")
    write_token(path, "a" * 32)
    server = room.serve("--data", "none", "--auctioneer-token-file", path)
    write_token(path, "b" * 32)
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* event=state .*")
    write_token(path, "")
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* level=error event=token-file reason=.*")
    server.errors.expect(r".* event=state .*")
    peer = room.connect("auctioneer")
    peer.demand("auctioneer " + "a" * 32, r"ERROR wrong-token .+")
    peer.demand("auctioneer " + "b" * 32, r"OK auctioneer")
    server.stop()


def write_token(path, token):
    with open(path, "w", encoding="ascii", opener=lambda *file: os.open(*file, 0o600)) as file:
        file.write(token)


def end_with_the_terminal(room):
    """A server on a terminal ends in good order when that goes."""
    command = shlex.join([room.server_path, "--host", HOST, "--port", "0", "--data", "none", *room.flags])
    terminal, inside = os.openpty()
    process = subprocess.Popen(["sh", "-c", f"exec {command}"], stdin=inside, stdout=inside, stderr=inside,
                               start_new_session=True, preexec_fn=lambda: take_terminal(inside))
    os.close(inside)
    said = b""
    while b"listening on" not in said or not said.endswith(b"\n"):
        said += os.read(terminal, 4096)
    room.port = int(re.search(rb"listening on \S+:(\d+)", said)[1])
    eve = room.connect("eve at a terminal's server")
    os.close(terminal)
    eve.expect(r"BYE shutdown")
    eve.expect_end()
    code = process.wait(20)
    check(code == 0, f"without its terminal the server exited {code}")


def take_terminal(descriptor):
    """Makes the terminal the one that controls this session."""
    import fcntl
    import termios
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)


def stall(room):
    """With a reader that has stalled bids go on, and the log has a bounded number of lines of them."""
    server = room.serve("--seconds", "60", "--self-raise", "allow", "--data", "none")
    alice = room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    server.errors.pause()
    for first in range(1, BIDS, 1000):
        alice.commands += 1000
        alice.send("".join(f"bid {price}\n" for price in range(first, first + 1000)).encode())
        for _ in range(1000):
            alice.answer()
    server.errors.resume()
    server.stop()
    found = events(server)
    withheld = sum(int(words["lines"]) for words in only(found, "withheld") if words["of"] == "bid")
    accepted = sum(line.startswith("OK bid ") for line in alice.lines)
    told = len(only(found, "bid"))
    check(0 < told < 1000, f"{told} of {accepted} bids are in the log")
    # What is withheld is counted once a second, so that of the last second may be missing.
    check(told + withheld <= accepted, f"{accepted} bids, {told} in the log, {withheld} lines withheld")


def do_without(room):
    """Without a standard error, and with one that nobody reads, the server serves."""
    for closing in ("2>&-", "2>/dev/full"):
        port = room.free_port()
        command = shlex.join([room.server_path, "--host", HOST, "--port", str(port), "--data", "none"])
        server = room.spawn("mute", "sh", "-c", f"exec {command} {closing}")
        room.port = port
        wait_until_it_listens(port)
        alice = room.connect("alice")
        alice.demand("name alice", r"OK name .+")
        alice.demand("bid 5", r"OK bid 5")
        server.process.send_signal(signal.SIGTERM)
        alice.expect(r"BYE shutdown")
        check(server.exit_code() == 0, f"{closing}: exited wrongly")


def wait_until_it_listens(port):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            return socket.create_connection((HOST, port), 1).close()
        except OSError:
            time.sleep(0.01)
    return check(False, f"nobody listens on {port}")
