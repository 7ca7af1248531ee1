"""However the live view is stopped or ends, the shell finds its terminal as it was, and the right exit code."""

import os
import re
import select
import signal

from checks import check
from testbed import PATIENCE
from tmux import Terminal

TITLE = "a live view that is left, killed, stopped, resized and replaced, and lines where there is no view"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
WATCH, PLAY = "./auction watch", "./auction --name alice play"
COLOUR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:3|4|9|10)[0-7](?:;[\d;]*)?m")


def play(testbed):
    server = testbed.serve("--seconds", "600", "--lot", "Vase", "--self-raise", "allow")
    bidder = testbed.bidder("bidder")
    bidder.request("bid 10", r"OK bid 10")
    terminal = Terminal(testbed, "terminal", 80, 24)
    leave_by_keys(terminal)
    die_of_signals(terminal)
    stop_and_continue(terminal, bidder)
    resize(terminal)
    show_colours(terminal)
    print_tables(terminal)
    print_lines(terminal, bidder)
    lose_the_name(testbed, terminal)
    # What is pasted to the shell after a view has no brackets around it.
    terminal.paste("echo pa''sted")
    terminal.press("Enter")
    terminal.expect(r"^pasted$")
    lose_the_terminal(testbed)
    lose_the_server(terminal, server)


def leave_by_keys(terminal):
    for command, keys in ((PLAY, ("q", "u", "i", "t", "Enter")), (PLAY, ("C-d",)), (PLAY, ("?", "C-c")),
                          (WATCH, ("q",)), (WATCH, ("C-c",))):
        terminal.open(command)
        check(terminal.modes() == set(), f"the modes of a raw terminal are {terminal.modes()}")
        terminal.press(*keys)
        terminal.expect_exit(0)


def die_of_signals(terminal):
    """The shell learns of which signal the client died; an interrupt is a wish to leave."""
    for number, code in ((signal.SIGINT, 0), (signal.SIGTERM, 128 + signal.SIGTERM),
                         (signal.SIGSEGV, 128 + signal.SIGSEGV)):
        terminal.open(PLAY)
        terminal.kill(number)
        terminal.expect_exit(code)


def stop_and_continue(terminal, bidder):
    """Stopped by its key, and by a signal that it cannot catch."""
    terminal.open(WATCH)
    terminal.press("C-z")
    terminal.expect_exit(128 + signal.SIGTSTP)
    terminal.run("fg")
    terminal.expect_view()
    bidder.request("bid 20", r"OK bid 20")
    terminal.expect(r" \d +20 B bidder\b")
    terminal.kill(signal.SIGSTOP)
    terminal.wait(lambda _: terminal.is_shell_in_front(), "it does not stop")
    # The shell's terminal is not restored, so Enter is Ctrl-J there.
    terminal.type("fg")
    terminal.press("C-j")
    terminal.expect_view()
    bidder.request("bid 30", r"OK bid 30")
    terminal.expect(r" \d +30 B bidder\b")
    check(terminal.modes() == set(), f"after SIGSTOP the modes are {terminal.modes()}")
    terminal.press("q")
    terminal.expect_exit(0)


def resize(terminal):
    terminal.open(PLAY)
    for columns, rows in ((132, 43), (40, 12), (39, 11), (80, 24)):
        terminal.resize(columns, rows)
        terminal.wait(lambda lines: fits(lines, columns, rows), f"not drawn for {columns} by {rows}")
    terminal.press("C-c")
    terminal.expect_exit(0)


def fits(lines, columns, rows):
    """Whether the view fills a screen of this size, or says that it cannot."""
    if len(lines) != rows:
        return False
    if columns < 40 or rows < 12:
        return lines[0].startswith("too small:") and not any(lines[1:])
    head = re.fullmatch(r" Lot 1: Vase +\d\d:\d\d\.\d", lines[0]) and len(lines[0]) == columns - 1
    foot = lines[-1].startswith("╰ ? help ") if rows >= 20 else lines[-1] == " >"
    return head and foot


def show_colours(terminal):
    """The sixteen of the terminal, unless the user wants none."""
    for command, is_coloured in ((WATCH, True), (f"NO_COLOR=1 {WATCH}", False),
                                 ("NO_COLOR=1 ./auction --color always watch", True)):
        terminal.open(command)
        terminal.expect(r" 3 +30 B bidder\b")
        check(any(map(COLOUR.search, terminal.lines(styled=True))) == is_coloured, f"{command}: colours")
        terminal.press("q")
        terminal.expect_exit(0)


def print_tables(terminal):
    """What a command prints once is for a person on a terminal, and for a program in a pipe."""
    for command, printed, code in (
            ("status", r"^Lot 1, Vase: 30 by bidder, \d+ s left$", 0),
            ("laps 2 500", r"^2  bidder   20  00:\d\d\.\d$", 0), ("laps", r"^3 laps$", 0),
            ("who", r"^\d bidders? here$", 0), ("results", r"^no lot has ended yet$", 0),
            ("laps 1 0", r"^auction-client: laps takes FIRST", 2),
            ("--name alice bid 5", r"^too low: bid at least 31$", 1),
            ("laps | cat", r"^LAP 1 10 bidder 00:", 0), ("--plain status", r"^PRICE 30 bidder 00:", 0)):
        terminal.run(f"clear; ./auction {command}")
        terminal.expect(printed)
        terminal.expect_exit(code)


def print_lines(terminal, bidder):
    """Lines of text or JSON, and no screen of its own, where a view is impossible or unwanted."""
    commands = ("TERM=dumb ./auction watch", "./auction watch | cat", "./auction watch </dev/null",
                "./auction --json watch", "./auction --plain --name alice play")
    for amount, command in enumerate(commands, 100):
        terminal.run(f"clear; {command}")
        terminal.expect(r'^LOT 1 Vase$|"type":"lot"')
        bidder.request(f"bid {amount}", r"OK .+")
        terminal.expect(rf'^PRICE {amount} bidder |"content":"{amount}"')
        check(not terminal.is_alternate(), f"{command}: another screen")
        terminal.press("C-c")
        terminal.expect_exit(130)


def lose_the_name(testbed, terminal):
    """Somebody else has the name, or the same user continues at another terminal: the shell's screen says so."""
    stranger = testbed.connect("stranger")
    stranger.request("name carol", r"OK name carol .+")
    terminal.run("./auction --name carol play")
    terminal.expect(r"^auction-client: carol cannot play: the name is in use, maybe by you")
    terminal.expect_exit(1)
    terminal.open(PLAY)
    other = Terminal(testbed, "other", 60, 20)
    other.open(PLAY)
    terminal.expect(r"^auction-client: another connection took over the name$")
    terminal.expect_exit(1)
    other.press("C-c")
    other.expect_exit(0)


def lose_the_terminal(testbed):
    """A client whose window is closed ends."""
    terminal = Terminal(testbed, "window", 80, 24)
    terminal.open(PLAY)
    client = os.pidfd_open(terminal.client())
    terminal.hang_up()
    has_ended = select.select([client], [], [], PATIENCE)[0]
    os.close(client)
    check(has_ended, "the client outlives its terminal")


def lose_the_server(terminal, server):
    """The exit code says that there is no server."""
    terminal.open(PLAY)
    server.stop()
    terminal.expect(r"server has stopped|[Rr]efused")
    terminal.press("C-c")
    terminal.expect_exit(3)
