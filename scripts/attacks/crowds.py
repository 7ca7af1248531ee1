"""Attacks by many names: at the opening of lots with values, in the chat, and with thousands of sealed bids."""

import contextlib
import os
import selectors
import time

from attackers import SEND_BYTES, Crowd, connect, read_answers
from checks import Late, check
from harness import KERNEL_MEMORY, Attack
from history import compare, history_of_observer
from journal import Journal
from machine import MIB, Control, figures
from peer import PATIENCE
from programs import HOST
from timing import check_times, own_delay

NAMES, WAVE = 10_000, 50
"""How many names are taken, and how many connections take them at the same time."""
NO_NAME_LIMITS = ("--claims-per-minute", "none", "--connects-per-minute", "none", "--openings-per-minute", "none")
VALUES = ("--purse", "1000000000", "--worth", "50..150")


def take_names(address):
    """Each takes a name and leaves; the names stay present, so each new lot has a value for each of them."""
    with selectors.DefaultSelector() as selector:
        taken = given = 0
        while taken < NAMES:
            while given < NAMES and len(selector.get_map()) < WAVE:
                connection = connect(address)
                connection.sendall(b"name visitor-%d\n" % given)
                given += 1
                selector.register(connection, selectors.EVENT_READ, bytearray())
            for key, _ in selector.select(1.0):
                key.data.extend(key.fileobj.recv(1 << 16))
                if b"OK name " in key.data:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    taken += 1
                check(b"ERROR" not in key.data, f"a name was refused: {bytes(key.data[-200:])}")


def open_lots(harness):
    """Lots are sold while the names are taken, and two more after that."""
    harness.start(take_names)
    harness.join()
    harness.start(lambda address: time.sleep(2 * LOT_SECONDS))
    harness.join()


LOT_SECONDS = 3.0
TALKERS, TALK_SECONDS = 400, 3.2


def talk(address):
    """Each under its own name, as fast as the server reads."""
    crowd = Crowd(None, 0, lambda number: b"say again and again, and never an end of it\n" * 8)
    for number in range(TALKERS):
        crowd.add(lambda number=number: enter(address, number))
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.flood(TALK_SECONDS)
    crowd.leave()


def enter(address, number):
    connection = connect(address, None, None, SEND_BYTES)
    connection.sendall(b"name talker-%d\n" % number)
    answer, = read_answers(connection)[:1]
    check(answer.startswith(b"OK name "), f"a talker was answered {answer!r}")
    return connection


SEALED_COUNT, SEALED_SECONDS = 1000, 6
SEALED_MEMORY = 96
LOTS = f"Lamp format=vickrey seconds={SEALED_SECONDS}\nVase seconds=2\n"


def play_sealed_bids(testbed):
    """A thousand bid in private and replace their bids until the hammer, which must fall in time; returns notes."""
    path, folder = os.path.join(testbed.folder, "lots"), os.path.join(testbed.folder, "data")
    with open(path, "w", encoding="ascii") as file:
        file.write(LOTS)
    server = testbed.serve("--lots-file", path, "--pause", "1", "--data", folder, "--connections", "5000",
                           limits=NO_NAME_LIMITS)
    observer = testbed.connect("observer")
    observer.send_lines("format json", "status")
    before, bidders = figures(server.pid, testbed.port), []
    with contextlib.closing(Control(server.pid, testbed.folder)) as control:
        crowd = Crowd(None, 0, lambda number: b"bid %d\nbid %d\n" % (number + 1, number + 2))
        for number in range(SEALED_COUNT):
            crowd.add(lambda number=number: sealed_bidder((HOST, testbed.port), number, bidders))
        while not any('"type":"winner"' in line or '"type":"passed"' in line for line in observer.lines):
            crowd.flood(0.05)
            testbed.pump(0)
        sent = time.monotonic()
        observer.send_lines("#end ping")
        testbed.wait(lambda: any('"tag":"end"' in line for line in observer.lines), "no answer after the hammer", PATIENCE)
        delays = control.end()
    memory = figures(server.pid, testbed.port).memory - before.memory
    answered = own_delay("an OK", sent, observer.times[-1], delays)
    crowd.leave()
    server.stop()
    history = history_of_observer(observer.connection)
    compare(Journal(folder).read().history, history)
    late = check_times(observer.connection, delays)
    if not any(word == "WINNER" for _, _, word in late):
        raise Late("no hammer was due while they bid")
    revealed = sum(words.startswith("REVEALED ") for words in history.words)
    check(revealed == len(bidders), f"{revealed} bids were revealed, and {len(bidders)} have bid")
    check(memory <= SEALED_MEMORY * MIB, f"it took {memory / MIB:.0f} MiB more, over {SEALED_MEMORY}")
    return [f"{revealed} revealed", f"{memory / MIB:.0f} MiB",
            f"clock at most {max(own for _, own, _ in late) * 1e3:.0f} ms late", f"OK {answered * 1e3:.0f} ms"]


def sealed_bidder(address, number, bidders):
    """A connection with a name and a first sealed bid."""
    connection = connect(address, None, None, SEND_BYTES)
    connection.sendall(b"name sealed-%d\nbid %d\n" % (number, number + 1))
    answers = read_answers(connection, 2)
    if len(answers) == 2 and answers[1].startswith(b"OK bid"):
        bidders.append(number)
    return connection


ATTACKS = (
    Attack("openings", f"{NAMES:,} names have values at the opening of each lot", play=open_lots,
           flags=(*NO_NAME_LIMITS, *VALUES, "--absence-seconds", "60"), memory=64),
    Attack("talkers", f"{TALKERS} talk without a pause", (talk,), flags=(*NO_NAME_LIMITS, *VALUES, "--threads", "2"),
           memory=48, sockets=KERNEL_MEMORY),
    Attack("sealed_bids", f"{SEALED_COUNT:,} bid in private without a pause", play_alone=play_sealed_bids),
)
