"""However the live view ends, the shell finds its terminal as it was, and the right exit code."""

import os
import select
import signal

from checks import check
from peer import PATIENCE
from seat import Seat
from tmux import framed

TITLE = "every way out of the live view gives the terminal back"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT, signal.SIGILL, signal.SIGTRAP)
WATCH, PLAY = "./auction watch", "./auction --name alice play"


def play(bed):
    server = bed.serve("--seconds", "60", "--lot", "Vase")
    seat = Seat(bed, "seat", 80, 24)
    leave_by_keys(seat)
    die_of_signals(seat)
    be_refused(bed, seat)
    be_replaced(bed, seat)
    print_last_words(seat)
    # What is pasted to the shell afterwards has no brackets around it.
    seat.paste("echo pa''sted")
    seat.press("Enter")
    seat.expect(r"^pasted$")
    lose_the_terminal(bed)
    leave_without_a_server(seat, server)
    traces = [line for line in seat.lines() if "Lot 1" in line or "no bid" in line]
    check(not traces, f"the views left traces on the shell's screen{framed(seat.lines())}")


def leave_by_keys(seat):
    for command, keys in ((PLAY, ("q", "u", "i", "t", "Enter")), (PLAY, ("C-d",)), (PLAY, ("x", "C-c")),
                          (PLAY, ("?", "C-c")), (WATCH, ("q",)), (WATCH, ("C-c",))):
        seat.open(command)
        check(seat.stty() == set(), f"the modes of a raw terminal are {seat.stty()}")
        seat.press(*keys)
        seat.expect_left(0)


def die_of_signals(seat):
    """The shell is told of which signal it died; an interrupt is a wish to leave."""
    seat.open(PLAY)
    seat.kill(signal.SIGINT)
    seat.expect_left(0)
    for number in SIGNALS:
        seat.open(PLAY)
        seat.kill(number)
        seat.expect_left(128 + number)


def be_refused(bed, seat):
    """Another user has the name: the shell's own screen says so."""
    stranger = bed.connect("stranger")
    stranger.demand("name carol", r"OK name carol .+")
    seat.run("./auction --name carol play")
    seat.expect(r"^auction-client: carol cannot play: somebody else has this name$")
    seat.expect_left(1)
    stranger.quit()


def be_replaced(bed, seat):
    """The same user at another terminal takes the name over, and goes on there."""
    seat.open(PLAY)
    other = Seat(bed, "other", 60, 20)
    other.open(PLAY)
    seat.expect(r"^auction-client: another connection took over the name$")
    seat.expect_left(1)
    other.submit("1")
    other.expect(r" you lead$")
    other.press("C-c")
    other.expect_left(0)


def print_last_words(seat):
    """What is written to standard error meanwhile is kept off the view, and shown on the shell's screen."""
    for number in (signal.SIGSEGV, signal.SIGTERM, None):
        seat.open(PLAY)
        words = f"last words of {number}"
        with open(f"/proc/{seat.client()}/fd/2", "w", encoding="utf-8") as errors:
            print(words, file=errors)
        seat.submit("ping")
        seat.expect(r"^ > +the server is there$")
        check(not any(words in line for line in seat.lines()), "standard error is on the view")
        if number:
            seat.kill(number)
        else:
            seat.press("C-c")
        seat.expect(rf"^{words}$")
        seat.expect_left(128 + number if number else 0)


def lose_the_terminal(bed):
    """A client whose window is closed ends."""
    seat = Seat(bed, "window", 80, 24)
    seat.open(PLAY)
    client = os.pidfd_open(seat.client())
    seat.hang_up()
    has_ended = select.select([client], [], [], PATIENCE)[0]
    os.close(client)
    check(has_ended, "the client outlives its terminal")


def leave_without_a_server(seat, server):
    """The exit code says that there is no server."""
    seat.open(PLAY)
    server.stop()
    seat.expect(r"server has ended|[Rr]efused")
    seat.press("C-c")
    seat.expect_left(3)
