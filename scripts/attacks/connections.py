"""Attacks by connections: readers that do not read, resets, crowds, names and tokens."""

import dataclasses
import glob
import os
import random
import time

import honest
from attackers import Crowd, answers_in, connect, read, read_answers
from checks import check
from floods import KERNEL_MEMORY, LAYERS, Attacker
from harness import OUTPUT_BYTES, Attack, Plan
from machine import figures
from peer import reset

SECONDS = 3.2

SILENT_COUNT = 300
STALL_SECONDS, STALL_PATIENCE = 3, 7.0
"""After how many seconds without reading a client is closed, and until when all must be gone."""
ALL_OUTPUT_MIB, SLACK_MIB = 2, 8


def vary_silent_readers(attack, variant):
    """With the limit of each connection, and with a smaller one for all connections together."""
    kept = ALL_OUTPUT_MIB if "--all-output-bytes" in variant else SILENT_COUNT * OUTPUT_BYTES >> 20
    return dataclasses.replace(attack, flags=(*attack.flags, *variant), memory=kept + SLACK_MIB)


def ask_and_never_read(address):
    attacker = Attacker(address, "laps", "json", "here")
    crowd = Crowd(None, 0, lambda number: attacker.commands(), reads=False)
    for _ in range(SILENT_COUNT):
        crowd.add(lambda: attacker.enter(receive_bytes=4096))
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.flood(SECONDS)
    time.sleep(STALL_PATIENCE)
    crowd.leave(abruptly=True)


def play_silent_readers(harness):
    harness.start(ask_and_never_read)
    if "--stall-seconds" in harness.attack.flags:
        harness.pass_time(SECONDS)
        deadline = time.monotonic() + STALL_PATIENCE
        while (left := figures(harness.pid).descriptors - harness.before.descriptors) > 0:
            check(time.monotonic() < deadline, f"{left} are still connected that do not read")
            harness.pass_time(0.1)
    harness.join()


RESETS = 2500
WORDS = (b"", b"", b"bid", b"ping\n", b"help\nwho\nstatus\n", b"\xff", b"GET / HTTP/1.1\r\n", b"format json\nlaps\n")


def connect_and_reset(address):
    for number in range(RESETS):
        connection = connect(address)
        connection.sendall(WORDS[number % len(WORDS)])
        reset(connection)
        time.sleep(0.001)  # So that there are enough bids meanwhile to be judged.


ROOM, CROWD = 100, 1000


def crowd_in(address):
    """Those for whom there is no room receive the reason, and get in once others have left."""
    connections = [connect_and_ask(address) for _ in range(CROWD)]
    full = sum(is_refused(connection) for connection in connections)
    check(CROWD - ROOM <= full <= CROWD - ROOM + honest.COUNT, f"{full} were refused")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        connection = connect_and_ask(address)
        check(is_refused(connection), "a connection was let in although there is no room")
        connection.close()
    for connection in connections:
        connection.close()
    for _ in range(200):
        connection = connect(address)
        if b"HELLO " in read(connection, lambda data: b"\n" in data):
            return connection.close()
    return check(False, "nobody is let in although there is room again")


def connect_and_ask(address):
    """A silent connection would make room for the next."""
    connection = connect(address)
    connection.sendall(b"ping\n")
    return connection


def is_refused(connection):
    received = read(connection, lambda data: b"\nOK ping" in data or b"BYE full\n" in data)
    if b"BYE full\n" not in received:
        return False
    check(b"ERROR full " in received, f"a refused client received {received!r}")
    check(read(connection) == b"", "something came after BYE full")
    return True


NAME_ADDRESS = "127.0.0.66"
"""The limits are those of an address, and the honest bidders must not wait for them."""
NAME_ROUNDS, NAME_SPACING = 260, 0.01


def guess_tokens(address):
    """No guess is right, and soon none is tried."""
    chance = random.Random(7)

    def guesses(number):
        name = b"b%d" % (number % honest.COUNT + 1)
        return b"".join(b"name %s %032x\n" % (name, chance.getrandbits(128)) for _ in range(5))

    check(b"OK" not in claim_in_rounds(address, guesses), "a guess was right")


def claim_names(address):
    claim_in_rounds(address, lambda number: b"".join(b"name claim-%d-%d\n" % (number, n) for n in range(5)))


def claim_in_rounds(address, commands):
    """The words of all answers, among which `slow-down` must be."""
    words = set()
    for number in range(NAME_ROUNDS):
        connection = connect(address, NAME_ADDRESS)
        connection.sendall(commands(number))
        for answer in read_answers(connection, 5):
            words.update(answer.split()[:1] if answer.startswith(b"OK") else answer.split()[1:2])
        connection.close()
        time.sleep(NAME_SPACING)
    check(b"slow-down" in words, f"{5 * NAME_ROUNDS} names of one address were answered {sorted(words)}")
    return words


ARRIVALS, ARRIVAL_SECONDS, STAY = 400, 5.0, 40


def arrive_and_leave(address):
    """Each stays connected for a tenth of a second."""
    start, present = time.monotonic(), []
    for number in range(int(ARRIVALS * ARRIVAL_SECONDS)):
        time.sleep(max(0, start + number / ARRIVALS - time.monotonic()))
        present.append(connect(address))
        if len(present) > STAY:
            present.pop(0).close()
    for connection in present:
        connection.close()


REVOLVER = "revolver"
NEWS, LOG_LINES, JOURNAL_BYTES = 40, 200, 64 << 10
"""The most news, log lines and journal bytes that one name may cause in these seconds."""


def open_one_name_again_and_again(address):
    """A name with a bid stays owned; its token opens it again and again."""
    owner = connect(address)
    owner.sendall(f"name {REVOLVER}\n".encode())
    # The others wait for the hammer when the countdown is at 1.
    received = read(owner, lambda data: b"\nCOUNTDOWN 1\n" in data)
    token = received.partition(f"OK name {REVOLVER} ".encode())[2].split()[0]
    owner.sendall(b"bid %d\n" % (int(received.rpartition(b"\nPRICE ")[2].split()[0]) + 1))
    answer = read_answers(owner)
    check(answer[0].startswith(b"OK bid "), f"the owner received {answer}")
    owner.close()
    until, opened = time.monotonic() + 4.0, 0
    while time.monotonic() < until:
        connections = [connect(address) for _ in range(8)]
        for connection in connections:
            connection.sendall(f"name {REVOLVER} {token.decode()}\n".encode())
        for connection in connections:
            read(connection, lambda data: answers_in(data) or b"BYE " in data)
            opened += 1
        for connection in connections:
            reset(connection)
    check(opened > 200, f"the name was opened only {opened} times, which shows nothing")


def judge_revolver(harness):
    news = size = 0
    for path in glob.glob(os.path.join(harness.folder, "*.journal")):
        with open(path, "rb") as file:
            for line in file:
                if REVOLVER.encode() in line:
                    size += len(line)
                    news += b" JOINED " in line or b" LEFT " in line
    logged = sum(REVOLVER in line for line in harness.server.errors.lines)
    harness.notes.append(f"{news} news, {size} bytes of journal, {logged} log lines of one name")
    check(news <= NEWS, f"one name joined or left {news} times")
    check(size <= JOURNAL_BYTES, f"one name that came and went took {size} bytes of journal")
    check(logged <= LOG_LINES, f"one name that came and went took {logged} lines of the log")


ATTACKS = (
    Attack("silent_readers", "300 ask for 985 laps in JSON, eight at once, and never read",
           flags=("--self-raise", "allow"), sockets=KERNEL_MEMORY,
           plan=Plan(seconds=3, layers=LAYERS, has_one_lot=True), vary=vary_silent_readers,
           variants=(("--stall-seconds", str(STALL_SECONDS)), ("--all-output-bytes", str(ALL_OUTPUT_MIB << 20))),
           play=play_silent_readers),
    Attack("resets", "5,000 connect and reset", (connect_and_reset, connect_and_reset)),
    Attack("crowded", "1,000 connect where there is room for 100, some again and again", (crowd_in,),
           ("--connections", str(ROOM))),
    Attack("claims", "2,600 claims of names and guesses of tokens from one address", (guess_tokens, claim_names)),
    Attack("newcomers", "400 a second, while bids reset the countdown", (arrive_and_leave,), ("--threads", "2"),
           plan=Plan(bidding=2.0)),
    Attack("revolving", "one owned name opened and left on new connections without end",
           (open_one_name_again_and_again,), judge=judge_revolver),
)
