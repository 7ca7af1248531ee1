"""The live view on its terminal: stopped, covered, resized, without colours, and with a server that sends escapes."""

import re
import selectors
import signal
import socket

from checks import check
from programs import HOST
from seat import Seat, install
from tmux import framed

TITLE = "a live view that is stopped, resized, scribbled on and sent escape sequences"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
WATCH, PLAY = "./auction watch", "./auction --name alice play"
STORM = 5000
EVIL = "\x1b[2J\x1b]0;evil\x07\u202e\x9b5n"
HARMLESS = r"\ufffd\[2J\ufffd\]0;evil\ufffd\ufffd\ufffd5n"


def play(bed):
    bed.serve("--seconds", "600", "--lot", "Vase", "--self-raise", "allow")
    bidder = bed.connect("bidder")
    bidder.demand("name bidder", r"OK name .+")
    bidder.demand("bid 10", r"OK bid 10")
    seat = Seat(bed, "seat", 80, 24)
    stop_and_continue(seat, bidder)
    stop_without_a_shell(bed)
    resize(seat)
    redraw(seat)
    show_colours(seat)
    show_lines(seat, bidder)
    type_a_storm(seat)
    receive_escapes(bed, seat)


def stop_and_continue(seat, bidder):
    """Stopped by its key, by its signal, and by one that it cannot catch."""
    seat.open(WATCH)
    for amount, number in ((20, None), (30, signal.SIGTSTP), (40, signal.SIGSTOP)):
        if number is None:
            seat.press("C-z")
        else:
            seat.kill(number)
        if number == signal.SIGSTOP:
            # The shell is in front on a terminal that is not restored, where Enter is Ctrl-J.
            seat.wait(lambda _: seat.is_shell_in_front() or None, "it does not stop")
            seat.type("fg")
            seat.press("C-j")
        else:
            seat.expect_left(128 + signal.SIGTSTP)
            seat.run("fg")
        seat.expect_view()
        seat.expect_gone(r"fg|code \d")
        bidder.demand(f"bid {amount}", rf"OK bid {amount}")
        seat.expect(rf"^ +\d bidder +{amount}\b")
        check(seat.stty() == set(), f"after {number} the modes are {seat.stty()}")
    seat.press("q")
    seat.expect_left(0)


def stop_without_a_shell(bed):
    """Where no shell could continue it, its key does not stop it; what it cannot catch does."""
    seat = Seat(bed, "bare", 80, 24, "./auction --name bare play")
    seat.expect_view()
    seat.press("C-z")
    seat.submit("50")
    seat.expect(r" you lead$")
    seat.kill(signal.SIGSTOP)
    seat.scribble("\x1b[?1049l\x1b[2J\x1b[9;9Hgarbage")
    seat.expect("garbage")
    seat.kill(signal.SIGCONT)
    seat.expect_view()
    seat.expect_gone("garbage")
    seat.press("C-c")


def resize(seat):
    seat.open(PLAY)
    for columns, rows in ((132, 43), (40, 12), (200, 60), (39, 11), (80, 24)):
        seat.resize(columns, rows)
        seat.wait(lambda lines: fits(lines, columns, rows) or None, f"not drawn for {columns} by {rows}")
    seat.press("C-c")
    seat.expect_left(0)


def fits(lines, columns, rows):
    """Whether the view fills a screen of this size, or says that it cannot."""
    if len(lines) != rows:
        return False
    if columns < 40 or rows < 12:
        return lines[0].startswith("too small:") and not any(lines[1:])
    head = re.fullmatch(r" Lot 1: Vase +\d\d:\d\d\.\d", lines[0]) and len(lines[0]) == columns - 1
    foot = lines[-1].startswith(" ?: help") if rows >= 18 else lines[-1] == " >"
    return head and foot and sum("5 laps" in line for line in lines) == 1


def redraw(seat):
    seat.open(WATCH)
    seat.scribble("\x1b[3;20Hgarb\x1b[31mage\x1b[23;60Hgarbage")
    seat.wait(lambda lines: sum("garbage" in line for line in lines) == 2 or None, "no garbage")
    seat.press("C-l")
    seat.expect_gone("garbage")
    seat.press("q")
    seat.expect_left(0)


def show_colours(seat):
    """The sixteen of the terminal, unless the user wants none; bold and reverse are no colours."""
    for command, is_coloured in ((WATCH, True), (f"NO_COLOR=1 {WATCH}", False),
                                 ("NO_COLOR=1 ./auction --color always watch", True)):
        seat.open(command)
        seat.expect(r"^ +5 bare +50\b")
        seat.wait(lambda _: seat.dots() or None, "no chart")
        check(seat.has_colours() == is_coloured, f"{command}: colours{framed(seat.lines(True))}")
        check(any("\x1b[1" in line for line in seat.lines(True)), f"{command}: nothing is bold")
        seat.press("q")
        seat.expect_left(0)


def show_lines(seat, bidder):
    """Plain lines where nobody looks at a view, or can."""
    for amount, command in enumerate(("TERM=dumb ./auction watch", "./auction watch | cat", "./auction watch </dev/null",
                                      "./auction --json watch", "./auction --plain --name alice play"), 100):
        seat.run(f"clear; {command}")
        seat.expect(r'^LOT 1 Vase$|"type":"lot"')
        bidder.demand(f"bid {amount}", r"OK .+")
        seat.expect(rf'^PRICE {amount} bidder |"content":"{amount}"')
        check(not seat.alternate_on(), f"{command}: another screen{framed(seat.lines())}")
        seat.press("C-c")
        seat.expect_left(130)


def type_a_storm(seat):
    """Pasted or typed, more than a line can hold does no harm; a bid before Ctrl-Z is still sent."""
    seat.open(PLAY)
    for number, send in enumerate((seat.paste, seat.type)):
        send("x" * STORM)
        seat.expect(r"^ > x{20}")
        seat.press("C-u")
        seat.expect(r"^ >( |$)")
        seat.press("Up", "Enter")
        seat.expect(rf"^ > +you bid {105 + number}$")
    seat.paste("12\n13\x1b[2J\n")
    seat.expect(r"^ > 12 13")
    seat.press("C-u", "1", "0", "9", "Enter", "C-z")
    seat.expect_left(128 + signal.SIGTSTP)
    seat.run("fg")
    seat.expect(r"^ +\d+ alice +109\b")
    seat.press("C-c")
    seat.expect_left(0)


def receive_escapes(bed, seat):
    """What would steer a terminal does not reach it from a server, here one of our own."""
    with socket.create_server((HOST, 0)) as listener:
        def greet():
            connection = bed.admit(listener.accept()[0])
            connection.sendall(f"Hi{EVIL}\n".encode())

        bed.watch(listener.fileno(), selectors.EVENT_READ, greet)
        bed.port = listener.getsockname()[1]
        install(bed)
        seat.run("clear")
        seat.run(WATCH)
        seat.expect(rf"no auction/1 server: Hi{HARMLESS}")
        seat.press("q")
        seat.expect_left(3)
        check(seat.title() != "evil", "a server has named the window")
        bed.unwatch(listener.fileno())
