"""How the server ends: by a signal, after one lot, or at once because of a wrong command line."""

import signal
import socket

from checks import check
from game import game_of
from places import check_received
from programs import HOST

TITLE = "signals, --once, a port in use, bad flags"
BAD_FLAGS = (["--frobnicate"], ["vase"], ["--seconds"], ["--seconds", "0"], ["--port", "70000"], ["--start", "0"],
             ["--step", "-1"], ["--pause", "-1"], ["--self-raise", "maybe"], ["--poller", "select"])


def play(bed):
    for number in (signal.SIGINT, signal.SIGTERM):
        end_by(bed, number)
    server = bed.serve("--seconds", "1", "--once", "--lot", "Old clock", "--lot", "Vase")
    alice = bed.connect("alice")
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 7", r"OK bid 7")
    winner = alice.expect(r"WINNER alice 7 \d\d:\d\d\.\d Old clock")
    server.check_exit(0)
    check(server.lines == [winner], f"--once printed {server.lines}")
    with socket.create_server((HOST, 0)) as listener:
        check_refused(bed, "--host", HOST, "--port", str(listener.getsockname()[1]))
    for flags in BAD_FLAGS:
        check_refused(bed, *flags)
    for flag in ("--version", "--help"):
        program = bed.run_server(flag)
        program.check_exit(0)
        check(program.lines, f"{flag} prints nothing")


def end_by(bed, number):
    """A signal in the middle of everything: all that was received is answered, and all receive BYE."""
    server = bed.serve("--seconds", "60", "--self-raise", "allow")
    observer, alice, bob, idler = (bed.connect(name) for name in ("observer", "alice", "bob", "idler"))
    observer.expect(r"LOT 1 lot-1")
    alice.demand("name alice", r"OK name .+")
    bob.demand("name bob", r"OK name .+")
    alice.demand("bid 1", r"OK bid 1")
    bob.send(b"bid 999999")
    alice.send(b"".join(b"bid %d\n" % amount for amount in range(2, 2000)))
    alice.answer()
    server.stop(number)
    game = game_of(observer.lines, 60, self_raise=True)
    for peer in (observer, alice, bob, idler):
        peer.expect_end()
        check(peer.lines[-1] == "BYE shutdown" and not peer.rest, f"{peer.name}: the last line is {peer.lines[-1]!r}")
        check_received(game, peer.connection)
    prices = [words.split()[1] for words in game.words if words.startswith("PRICE ")]
    accepted = [line.split()[2] for line in alice.lines if line.startswith("OK bid ")]
    check(prices == accepted, f"{len(accepted)} bids accepted, {len(prices)} announced")
    bob.check_answered()


def check_refused(bed, *flags):
    """Fails unless the server exits 2 with one line on standard error about these flags."""
    program = bed.run_server(*flags)
    program.check_exit(2)
    check(len(program.errors.lines) == 1 and not program.lines, f"{flags}: printed {program.errors.lines + program.lines}")
