"""How often the server calls the kernel to send, and how often it wakes, by strace."""

import os
import re
import time

from checks import check
from load import NEEDS, SERVER, Load, lacking

TITLE = "one send to each connection in a turn with news, and nothing to do without"
WIRINGS = ((), ("--poller", "poll"), ("--threads", "2"))
OBSERVERS = 100
BIDS = 40
BURSTS, BIDS_OF_BURST = 10, 50
REST, TICKS = 1.0, 2
GREETING = 0.5
"""A newcomer is greeted after some milliseconds, for which the server may wake once more."""
AT_MOST = 1.05
"""Sends for each that is due: the kernel may have no room at first."""

WAKES = 3
"""For a tick: when it is due, at once again for what arrived by then, and when it is on disk."""
WAKES_ON_TWO = 7
"""The other loop is asked what it has read, looks at once again, answers, and then sends the tick."""

CALLS = "%network,write,writev,pwritev2,epoll_wait,epoll_pwait,epoll_pwait2,poll,ppoll"
SEND = re.compile(r"\b(send|sendto|sendmsg|sendmmsg|write|writev)\(\d+<(socket:|TCP)")
TICK = re.compile(r'[^"]*"COUNTDOWN (\d+)')
READ = re.compile(r'.*\brecv(from|msg)?\b[^"]*"[^"]*(?:\b|\\n)bid ')
KEPT = re.compile(r"\b(?:write|pwritev2)\(\d+<[^>]*\.journal>.*PRICE ")
WAIT = re.compile(r"\b(epoll_wait|epoll_pwait2?|poll|ppoll)\(")


def play(bed):
    path = os.path.join(bed.folder, "trace")
    server = bed.serve(*SERVER, through=(
        # With -D the server, and not strace, is the child that our signals reach.
        "strace", "-D", "-f", "-y", "-s", "200", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", path))
    load = Load(bed)
    load.add_observers(OBSERVERS)
    bed.pump_until(time.monotonic() + GREETING)
    phases = {"rest": rest, "ticks": receive_ticks, "bids": bid_alone, "bursts": bid_under_pressure}
    for name, phase in phases.items():
        load.mark(f"{name}Begin")
        phase(load)
        load.mark(f"{name}End")
    server.stop()
    check_all(path, load.connections, WAKES_ON_TWO if "--threads" in bed.flags else WAKES)


def rest(load):
    """Nothing happens before the first bid: no countdown runs."""
    load.bed.pump_until(time.monotonic() + REST)


def receive_ticks(load):
    """Only the countdown runs."""
    load.bid_alone(1)
    load.mark("countdown")
    for observer in load.observers:
        for _ in range(TICKS):
            observer.expect(r"COUNTDOWN (?!3600).+")


def bid_alone(load):
    """Each bid has a turn of its own."""
    load.bid_alone(BIDS)


def bid_under_pressure(load):
    """Many bids have no answer yet."""
    for _ in range(BURSTS):
        load.bid_at_once(BIDS_OF_BURST)
    load.receive_bids()


def check_all(path, connections, wakes):
    with open(path, encoding="utf-8", errors="replace") as trace:
        lines = trace.readlines()
    at_rest = Calls(between(lines, "restBegin", "restEnd"))
    check_sends("at rest", at_rest.sends, connections, 0)
    check_wakes("at rest", at_rest.waits, 0, wakes)

    counting = Calls(between(lines, "countdown", "ticksEnd"))
    ticks = counting.seconds
    check(ticks >= TICKS, f"a trace of {ticks} ticks shows nothing")
    check_sends("while the countdown runs", counting.sends, connections, ticks)
    check_wakes("while the countdown runs", counting.waits, ticks, wakes)

    alone = Calls(between(lines, "bidsBegin", "bidsEnd"))
    check_sends("bids alone", alone.sends_of_bids, connections, BIDS)
    check(alone.sends >= connections * BIDS, "the trace lacks sends")

    bursts = Calls(between(lines, "burstsBegin", "burstsEnd"))
    check(0 < bursts.turns < BURSTS * BIDS_OF_BURST, f"no bids under pressure: {bursts.turns} turns")
    check_sends("bids under pressure", bursts.sends_of_bids, connections, bursts.turns)


def between(lines, begin, end):
    """The lines between those in which the server sends two words."""
    first, last = (next(number for number, line in enumerate(lines) if f"OK #{word} " in line)
                   for word in (begin, end))
    return lines[first + 1:last]


def check_sends(when, sends, connections, turns):
    """Each connection is sent to once in each turn with news."""
    check(sends <= AT_MOST * connections * turns,
          f"{when}: {sends} sends to {connections} connections in {turns} turns with news")


def check_wakes(when, waits, ticks, wakes):
    """It wakes this many times for each tick, and once for the word that ends the phase."""
    check(waits <= wakes * ticks + 1, f"{when}: woke {waits} times, for {ticks} ticks")


class Calls:
    """The system calls of the server in one phase."""

    def __init__(self, lines):
        sends = [line for line in lines if SEND.search(line)]
        ticks = [found[1] for line in sends if (found := TICK.match(line))]
        self.sends, self.sends_of_bids = len(sends), len(sends) - len(ticks)
        self.seconds = len(set(ticks))
        # What one call has read may be sent in two turns, if a batch of it is on disk before the rest.
        self.turns = max(sum(bool(READ.match(line)) for line in lines),
                         sum(bool(KEPT.search(line)) for line in lines))
        self.waits = sum(bool(WAIT.search(line)) for line in lines)
