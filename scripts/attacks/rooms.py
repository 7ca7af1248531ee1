"""Attacks by rooms: opening them without end, going back and forth, listing them, bad names and options, guessed keys."""

import functools
import glob
import itertools
import json
import os
import socket
import time
import urllib.parse

from attackers import HERE, REMOTE, SEND_BYTES, Crowd, connect, read, read_answers
from checks import check
from harness import Attack
from peer import PATIENCE
from programs import HOST
from websocket import WebSocket, opening

SECONDS = 3.2
ROOMS, ROOMS_PER_ADDRESS = 100, 5
"""The limits of the server and of each address."""
ADDRESSES = tuple(f"127.0.{number}.1" for number in range(1, 41))
"""Each in a network of its own, because the limit holds for networks too."""
OPTIONS = b"seconds=1 pause=0 lots=1000 purse=1000 worth=50..150"
NO_LIMITS = ("--claims-per-minute", "none", "--connects-per-minute", "none", "--openings-per-minute", "none")


def open_rooms(address):
    """Opens rooms from many addresses, leaves them, and does so again, as fast as it is answered."""
    end, serial, opened, listed = time.monotonic() + SECONDS, itertools.count(), 0, 0
    for source in itertools.cycle(ADDRESSES):
        if time.monotonic() > end:
            break
        with connect(address, source) as connection:
            names = [b"x%d" % next(serial) for _ in range(ROOMS_PER_ADDRESS + 1)]
            connection.sendall(b"".join(b"open %s %s\n" % (name, OPTIONS) for name in names) + b"rooms\n")
            *answers, last = read_answers(connection, len(names) + 1)
        for answer in answers:
            check(answer.startswith((b"OK open x", b"ERROR full ")), f"a room that is opened was answered {answer!r}")
        count = sum(answer.startswith(b"OK ") for answer in answers)
        check(count <= ROOMS_PER_ADDRESS, f"one address has opened {count} rooms")
        opened, listed = opened + count, max(listed, int(last.split()[-1]))
    check(listed <= ROOMS, f"there were {listed} rooms")
    check(opened > ROOMS and listed > ROOMS / 2, f"only {opened} rooms were opened, and at most {listed} at the same time")
    wait_until_main_is_left(address)


def wait_until_main_is_left(address):
    """All rooms end, because nobody is in them."""
    deadline = time.monotonic() + PATIENCE
    with connect(address) as connection:
        while True:
            connection.sendall(b"rooms\n")
            answer, = read_answers(connection)
            if answer == b"OK rooms 1":
                return
            check(time.monotonic() < deadline, f"nobody is in the rooms, and they do not end: {answer!r}")
            time.sleep(0.2)


HOLDERS, STRANGER = ADDRESSES[:20], "127.0.99.1"
"""Those who hold the rooms, and somebody else."""


def hold_rooms(address):
    """Connections that come and go hold all rooms, and take each that becomes free; others find a place all the same."""
    end, serial, stranger = time.monotonic() + SECONDS, itertools.count(), 0
    while time.monotonic() < end:
        opened = 0
        for source in HOLDERS:
            with connect(address, source) as connection:
                names = [b"x%d" % next(serial) for _ in range(ROOMS_PER_ADDRESS)]
                connection.sendall(b"".join(b"open %s\n" % name for name in names))
                opened += sum(answer.startswith(b"OK ") for answer in read_answers(connection, len(names)))
        with connect(address, STRANGER) as connection:
            connection.sendall(b"rooms\nopen mine%d\nrooms\n" % stranger)
            before, opening, after = read_answers(connection, 3)
        check(before == b"OK rooms %d" % ROOMS, f"not all rooms are held: {before!r} after {opened} were opened")
        check(opening.startswith(b"OK open mine"), f"a stranger's room was answered {opening!r}")
        check(after == b"OK rooms %d" % ROOMS, f"there are more rooms than allowed: {after!r}")
        stranger += 1


TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"


def stay_in_rooms(testbed) -> list[str]:
    """Visitors who stay hold all rooms: the operator opens one more, and ends one for another."""
    path = os.path.join(testbed.folder, "operator")
    server = testbed.serve("--auctioneer-token-file", testbed.secret("key", TOKEN), "--socket", path, limits=())
    address, visitors = (HOST, testbed.port), []
    for number in range(ROOMS - 1):
        visitors.append(connect(address, ADDRESSES[number // ROOMS_PER_ADDRESS]))
        visitors[-1].sendall(b"open x%d\n" % number)
        expect(visitors[-1], b"OK open x%d " % number)
    with connect(address, STRANGER) as stranger:
        stranger.sendall(b"open mine\n")
        expect(stranger, b"ERROR full ")
        with connect(address) as operator:
            operator.sendall(b"auctioneer %s\nopen one\nopen two\nend x0\nopen two\nend two\n" % TOKEN.encode())
            for start in (b"OK auctioneer", b"OK open one ", b"ERROR full ", b"OK end", b"OK open two ", b"OK end"):
                expect(operator, start)
            check(read(operator).endswith(b"BYE room-ended\n"), "the operator stays in the room that it has ended")
    farewell = read(visitors[0])
    check(farewell.endswith(b"BYE room-ended\n"), f"a visitor of a room that was ended received {farewell[-80:]!r}")
    with socket.socket(socket.AF_UNIX) as local:
        local.settimeout(PATIENCE)
        local.connect(path)
        local.sendall(b"open three\n")
        expect(local, b"OK open three ")
    for visitor in visitors:
        visitor.close()
    server.stop()
    return [f"{ROOMS - 1} rooms were held"]


def expect(connection, start: bytes):
    """The next answer begins like this; nothing after it is read."""
    line = b""
    while not line.startswith((b"OK ", b"ERROR ")) or not line.endswith(b"\n"):
        if line.endswith(b"\n"):
            line = b""
        byte = connection.recv(1)
        check(byte, f"the server closed the connection, {start!r} was expected")
        line += byte
    check(line.startswith(start), f"{line!r} is not {start!r}")


JOURNAL_RATE, JOURNAL_BURST = 4000, 1_000_000
"""The bytes of the journal for the lines of one address."""
JOURNAL_SLACK = 100_000
"""What the honest bidders write, and the last lines of each connection."""
WRITERS, LONG_LOT = 20, b"add " + b"x" * 190 + b"\n"
PROXIED = f"PROXY TCP4 {REMOTE} 192.0.2.2 40000 7777\r\n".encode()


def grow_journal(folder, address):
    """One address writes as much as it can, in connections that stay and in some that come and go."""
    deadline, before = time.monotonic() + 30, journal_bytes(folder)
    crowd = Crowd(None, 0, lambda number: LONG_LOT * 20)
    for number in range(WRITERS):
        crowd.add(lambda number=number: preside(address, number))
    while journal_bytes(folder) - before < 0.9 * JOURNAL_BURST:
        check(time.monotonic() < deadline, f"only {journal_bytes(folder) - before} bytes were written")
        crowd.flood(0.3)
    begun, used = time.monotonic(), journal_bytes(folder) - before
    crowd.flood(SECONDS)
    for number in range(50):
        with connect(address, HERE) as connection:
            connection.sendall(PROXIED + b"name v%d\nbid 1\nbid 2\nbid 3\nbid 4\nquit\n" % number)
    written, seconds = journal_bytes(folder) - before - used, time.monotonic() - begun
    crowd.leave()
    most = max(JOURNAL_BURST - used, 0) + JOURNAL_RATE * seconds + JOURNAL_SLACK
    check(written <= most, f"after {used} bytes one address wrote {written} more in {seconds:.1f} s, over {most:.0f}")


def preside(address, number):
    """A connection that has opened a room, and is its auctioneer."""
    connection = connect(address, HERE, None, SEND_BYTES)
    connection.sendall(PROXIED + b"open w%d\n" % number)
    answer, = read_answers(connection)
    connection.sendall(b"auctioneer %s\n" % answer.split()[-1])
    return connection


def journal_bytes(folder) -> int:
    """How much is in the journal; the metrics do not count what is secret."""
    return sum(os.path.getsize(path) for path in glob.glob(os.path.join(folder, "*.journal")))


def play_growth(harness):
    harness.start(functools.partial(grow_journal, harness.folder))
    harness.join()


WANDERERS, MOVES = 40, b"join blue\njoin main\n"


def wander(address, is_named):
    """Each goes from main to a room and back, as fast as the server lets it."""
    owner = connect(address)
    if not is_named:
        owner.sendall(b"open blue seconds=60\n")
        check(read_answers(owner)[0].startswith(b"OK open blue "), "no room for wandering")
    crowd = Crowd(None, 0, lambda number: MOVES * 8)
    for number in range(WANDERERS):
        crowd.add(lambda number=number: enter(address, b"name wanderer-%d\n" % number if is_named else b""))
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.flood(SECONDS)
    crowd.leave()
    owner.close()


def enter(address, first):
    connection = connect(address, None, None, SEND_BYTES)
    connection.sendall(first + b"ping\n")
    answers = read_answers(connection, 2 if first else 1)
    check(all(answer.startswith(b"OK ") for answer in answers), f"a wanderer was answered {answers}")
    return connection


LISTERS = 100


def list_rooms(address):
    """Fills the server with rooms, and has a hundred connections ask for all of them without a pause."""
    owner = connect(address)
    owner.sendall(b"".join(b"open room-%d\n" % number for number in range(1, ROOMS)) + b"rooms\n")
    answer = read_answers(owner, ROOMS)[-1]
    check(answer == b"OK rooms %d" % ROOMS, f"the rooms were answered {answer!r}")
    crowd = Crowd(None, 0, lambda number: b"rooms\n" * 100)
    for number in range(LISTERS):
        crowd.add(lambda number=number: connect(address, None, None if number % 2 else 4096, SEND_BYTES))
    crowd.flood(SECONDS)
    crowd.leave()
    owner.close()


NAMES = (
    b"\x1b[31mred", b"\x1b]0;owned\x07", b"../main", b"%2e%2e", b"%2e%2e%2fmain", b"..", b".", b"a/b", b"a" * 25,
    b"a" * 900,
    b"<script>alert(1)</script>", b'"><img src=x onerror=alert(1)>', b"javascript:alert(1)", b"$(id)", b"a;b", b"{}",
    "\u00dcn\u00efcode".encode(), "\u202eniam".encode(), "ma\u0131n".encode(), b"\xc0\xaf", b"a\x00b", b"null\x7f", b"BLUE",
    b"Main", b"-a", b"--rooms", b"a_b", b"a.b",
)
"""None of which is the name of a room."""
BAD_OPTIONS = (
    b"<script>=1", b"\x1b[2J=1", b"seconds=\x1b[2J", b"seconds=<b>", b"seconds=1e9", b"lots=99999999999999999999",
    b"lots=-1",
    b"worth=9..1", b"worth=..", b"worth=0..99999999999999999999999", b"purse=\xe2\x80\xae9", b"pause=1;rm", b"format=%s%n",
    b"a" * 800 + b"=1", b"=", b"===", "step=\u0661".encode(), b"title=x", b"seconds", b"lots=5 lots=6",
)
NO_PAGES = b"HTTP/1.1 404 ", b"HTTP/1.1 400 ", b"HTTP/1.1 426 "
"""How bad paths are answered; the last if it is the path of a WebSocket that is not asked for."""
PATHS = ("{}", "{}/", "{}/ws", "main/../{}", "{}?room=main", "{}#main", "{}%00")


def open_bad_names(address):
    """Names and options that would steer a terminal, a path or a page, as text and as JSON; none opens a room."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for form in (b"", b"format json\n"):
            lines = [b"%s %s" % (verb, name) for verb in (b"open", b"join") for name in NAMES]
            lines += [b"open fine %s" % option for option in BAD_OPTIONS]
            with connect(address) as connection:
                connection.sendall(form + b"\n".join(lines) + b"\nquit\n")
                received = read(connection)
            check_harmless(received)
            refused = received.count(b'"type":"error"' if form else b"\nERROR ")
            check(refused == len(lines), f"of {len(lines)} names and options {refused} were refused: {received[-300:]!r}")
        with connect(address) as connection:
            connection.sendall(b"rooms\n")
            answer, = read_answers(connection)
            check(answer == b"OK rooms 1", f"a bad name or option has opened a room: {answer!r}")


def check_harmless(received):
    """Fails if something is no printable text, or carries a name back that could be taken for more."""
    text = received.decode("utf-8")
    check(all(character == "\n" or character.isprintable() for character in text), f"unprintable: {received[-300:]!r}")
    for line in text.splitlines():
        if line.startswith("{"):
            json.loads(line)


def ask_for_bad_paths(address):
    """The same names in paths, as they are and encoded; no answer carries one back, and none is a room."""
    end = time.monotonic() + SECONDS
    targets = [path.format(form) for path in PATHS for name in NAMES for form in forms(name)]
    for target in itertools.cycle(targets):
        if time.monotonic() > end:
            return
        with connect(address) as connection:
            head = f"GET /rooms/{target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            connection.sendall(head.encode("latin-1"))
            received = read(connection)
        check(received.startswith(NO_PAGES), f"{target!r} was answered {received[:80]!r}")
        for name in NAMES:
            check(len(name) < 5 or name in (b"a.b",) or name not in received, f"the answer to {target!r} has {name!r}")
        with connect(address) as connection:
            connection.sendall(opening(f"/rooms/{target}/ws").decode().encode("latin-1"))
            received = read(connection, lambda data: b"\r\n\r\n" in data)
        check(received.startswith(NO_PAGES[:2]), f"a room {target!r} was opened: {received[:80]!r}")


def forms(name) -> list[str]:
    """The name in a path: encoded once and twice, and as it is if it is no end of a line or of a word."""
    once = urllib.parse.quote(name)
    found = [once, urllib.parse.quote(once)]
    return found if any(byte <= 0x20 for byte in name) else [*found, name.decode("latin-1")]


GUESSES = 8


def guess_keys(address):
    """Guesses the key of a room again and again: few guesses are looked at, and none makes an auctioneer."""
    owner = WebSocket(address)
    key = owner.request("open blue")["content"].split()[-1]
    near = key[:-1] + ("1" if key[-1] == "0" else "0")
    guesses = itertools.cycle((near, key[:-1], key + "0", "0" * len(key), "*", key[1:] + key[0], f"{key}\x7f",
                               f"blue {key}"))
    end, looked_at, refused = time.monotonic() + SECONDS, 0, 0
    while time.monotonic() < end:
        with connect(address) as connection:
            lines = ["join blue", *(f"auctioneer {next(guesses)}" for _ in range(GUESSES)), "pause", "quit", ""]
            connection.sendall("\n".join(lines).encode())
            received = read(connection)
        check(b"OK auctioneer" not in received and b"OK pause" not in received, "a guess has made an auctioneer")
        looked_at += received.count(b"ERROR wrong-token")
        refused += received.count(b"ERROR slow-down")
    check(refused > looked_at, f"{looked_at} guesses were looked at, and {refused} were not")
    check(owner.request(f"auctioneer {key}")["type"] == "ok", "the key does not count where others have guessed")
    owner.close()


ATTACKS = (
    Attack("open_rooms", "a stranger opens rooms from 40 addresses as fast as allowed", (open_rooms,),
           ("--room-idle", "1", *NO_LIMITS)),
    Attack("hold_rooms", "connections that come and go from 20 addresses hold all rooms", (hold_rooms,)),
    Attack("stay_in_rooms", "visitors who stay hold all rooms, and the operator finds a place", play_alone=stay_in_rooms),
    Attack("grow_journal", "one address writes to the journal as fast as it can", play=play_growth,
           flags=("--proxy-protocol", "--trust", HERE, "--self-raise", "allow", "--line-rate", "none",
                  "--address-line-rate", "none", "--rooms-per-address", "none", *NO_LIMITS)),
    Attack("wander", "80 go back and forth between two rooms as fast as allowed, half of them with names",
           (functools.partial(wander, is_named=False), functools.partial(wander, is_named=True)), NO_LIMITS),
    Attack("list_rooms", "100 ask for a list of 100 rooms without a pause", (list_rooms,),
           ("--rooms", str(ROOMS), "--rooms-per-address", "none")),
    Attack("room_names", "names and options of rooms that would steer a terminal, a path or a page",
           (open_bad_names, ask_for_bad_paths), NO_LIMITS),
    Attack("room_keys", "a stranger guesses the key of a room", (guess_keys,), NO_LIMITS),
)
