"""How the server ends: by a signal, after one lot, or at once because it was called wrongly."""

import signal
import socket

from news import Record, check_answers, word
from peer import check
from room import HOST

TITLE = "signals, --once, a port in use, bad flags"
BAD_FLAGS = (
    ["--frobnicate"], ["vase"], ["--seconds"], ["--seconds", "0"], ["--seconds", "soon"],
    ["--port", "70000"], ["--port", "http"], ["--start", "0"], ["--step", "0"],
    ["--step", "-1"], ["--pause", "-1"], ["--self-raise", "maybe"], ["--poller", "select"],
)


def play(room):
    for number in (signal.SIGINT, signal.SIGTERM):
        end_by(room, number)
    end_after_one_lot(room)
    refuse_a_port_in_use(room)
    for flags in BAD_FLAGS:
        check_refused(room, *flags)
    for flag in ("--version", "--help"):
        server = room.run_server(flag)
        check(server.exit_code() == 0 and server.lines, f"{flag} says nothing or exits wrongly")


def end_by(room, number):
    """A signal in the middle of everything: all that was heard is answered, and all hear BYE."""
    server = room.serve("--seconds", "60", "--self-raise", "allow")
    watcher, alice, bob, idler = (room.connect(name)
                                  for name in ("watcher", "alice", "bob", "idler"))
    watcher.expect(r"LOT 1 lot-1")
    alice.demand("name alice", r"OK name .+")
    bob.demand("name bob", r"OK name .+")
    alice.demand("bid 1", r"OK bid 1")
    bob.send(b"bid 999999")
    alice.send(b"".join(b"bid %d\n" % amount for amount in range(2, 2000)))
    alice.answer()
    server.stop(number)

    record = Record(watcher.lines)
    for peer in (watcher, alice, bob, idler):
        peer.expect_end()
        check(peer.lines[-1] == "BYE shutdown" and not peer.rest,
              f"{peer.name}: the last line is {peer.lines[-1]!r}")
        record.check_heard(peer)
    prices = [line.split()[1] for line in watcher.lines if word(line) == "PRICE"]
    accepted = [line.split()[2] for line in alice.lines if line.startswith("OK bid ")]
    check(prices == accepted, f"{len(accepted)} bids accepted, {len(prices)} told")
    check_answers(bob)


def end_after_one_lot(room):
    server = room.serve("--seconds", "1", "--once", "--lot", "Old clock", "--lot", "Vase")
    watcher, alice = room.connect("watcher"), room.connect("alice")
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 7", r"OK bid 7")
    winner = watcher.expect(r"WINNER alice 7 \d\d:\d\d\.\d Old clock")
    watcher.expect(r"BYE .+")
    code = server.exit_code()
    check(code == 0, f"--once exited {code}")
    check(server.lines == [winner], f"--once printed {server.lines}")


def refuse_a_port_in_use(room):
    with socket.create_server((HOST, 0)) as listener:
        check_refused(room, "--host", HOST, "--port", str(listener.getsockname()[1]))


def check_refused(room, *flags):
    """Fails unless the server exits 2 with one line about these flags."""
    server = room.run_server(*flags)
    code = server.exit_code()
    check(code == 2, f"{flags}: exited {code}")
    check(len(server.errors.lines) == 1 and not server.lines,
          f"{flags}: said {server.errors.lines + server.lines}, not one line on standard error")
