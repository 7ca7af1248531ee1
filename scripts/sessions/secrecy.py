"""What one bidder alone may know is in no log line, page or figure before it is told; lines are judged by the simulation.

Every secret is a number of twelve digits that occurs nowhere else, so that it is found in any bytes.
"""

import http.client
import os

from checks import check
from programs import HOST

TITLE = "worths, purses, maxima, sealed bids and reserves are in no log line, page or figure"
RESERVE, MAXIMUM, LOWER_MAXIMUM = "314159265358", "271828182845", "200000000001"
ALICES_BID, BOBS_BID, LAMP_RESERVE = "161803398874", "173205080756", "123581321345"
LOTS = f"Vase reserve={RESERVE}\nLamp format=vickrey reserve={LAMP_RESERVE}\n"
RULES = "--purse", "900000000000", "--worth", "100000000000..999999999999", "--most-raise", "none", "--log-level", "debug"
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"


def play(testbed):
    bid_in_secret(testbed)
    count_nothing(testbed, "sealed", "bid 5", SEALED)
    count_nothing(testbed, "english", "bid 10", MAXIMA)
    teach_in_secret(testbed)


def bid_in_secret(testbed):
    """Two bidders with maxima, and after a start again with sealed bids."""
    seen, secrets = [], [RESERVE, LAMP_RESERVE, MAXIMUM, ALICES_BID, BOBS_BID]
    flags = ("--seconds", "60", "--pause", "0", "--data", os.path.join(testbed.folder, "data"), "--lots-file",
             testbed.secret("lots", LOTS), *RULES, "--auctioneer-token-file", testbed.secret("key", TOKEN))
    tokens = {"alice": "", "bob": ""}
    for lot, commands in ("Vase", (f"max {MAXIMUM}", f"max {LOWER_MAXIMUM}")), ("Lamp", (f"bid {ALICES_BID}", f"bid {BOBS_BID}")):
        server = testbed.serve(*flags)
        judge = testbed.connect("judge", waits=False)
        judge.request(f"auctioneer {TOKEN}", "OK auctioneer")
        if lot == "Lamp":
            judge.request("hammer", "OK hammer")
            judge.expect("LOT 2 Lamp")
        for name, command in zip(tokens, commands):
            peer = testbed.connect(name, waits=False)
            tokens[name] = peer.request(f"name {name} {tokens[name]}", r"OK name .+").split()[-1]
            secrets.append(peer.expect(r"WORTH \d{12}").split()[1])
            peer.request(command, f"OK {command}")
            secrets.append(peer.expect(r"PURSE (?!9)\d{12}").split()[1])
        seen += [(path, get(testbed, path)) for path in ("/", "/metrics", "/health")]
        server.stop()
        seen.append(("the log", "\n".join(server.errors.lines + server.lines)))
    for where, text in seen:
        for number in secrets:
            check(number not in text, f"{where} has {number}", *(line for line in text.splitlines() if number in line))


CLASS = "groups 3\nvalues 100000000000..999999999999\nseconds 3\npause 1\nrounds 2 sealed\nshow nothing\n"
CURIOUS = "status", "who", "laps", "results", "standings", "rooms", "help"


def teach_in_secret(testbed):
    """In a class nobody learns a value or an open bid of another, and the standings tell no value after the lot."""
    server = testbed.serve("--class", testbed.secret("class", CLASS), "--log-level", "debug", "--most-raise", "none",
                           "--data", os.path.join(testbed.folder, "class-data"),
                           "--auctioneer-token-file", testbed.secret("key", TOKEN))
    names = "ann", "ben", "cleo"
    teacher, *students, observer = (testbed.connect(name) for name in ("teacher", *names, "observer"))
    for peer, name in ((teacher, f"auctioneer {TOKEN}"), *zip(students, (f"name {name}" for name in names))):
        peer.request(name, r"OK .+")
        peer.request("join class", "OK join class")
    teacher.request("start", "OK start")
    worths, bids = [], []
    for student in students:
        worths.append(student.expect(r"WORTH \d{12}").split()[1])
        bids.append(str(int(worths[-1]) - 123456789))
        student.request(f"bid {bids[-1]}", f"OK bid {bids[-1]}")
    seen = [(path, get(testbed, path)) for path in ("/", "/metrics", "/health")]
    for room in ("class", "class-1"):
        observer.request(f"join {room}", f"OK join {room}")
        for command in CURIOUS:
            observer.request(command, r"OK .+")
            students[0].request(command, r"OK .+")
    ended = [any(line.startswith("WINNER ") for line in student.lines) for student in students]
    check(not any(ended), "the machine is too slow: the lot has ended")
    seen += [(peer.name, "\n".join(peer.lines)) for peer in (teacher, observer, *students)]
    seen.append(("the log", "\n".join(server.errors.lines + server.lines)))
    for owner, *numbers in zip(names, worths, bids):
        for where, text in seen:
            for number in numbers if where != owner else ():
                check(number not in text, f"{where} has {number} of {owner}")
    for student in students:
        student.expect("WINNER .+")
    for room in ("class-1", "class"):
        observer.request(f"join {room}", f"OK join {room}")
        observer.request("standings", r"OK .+")
        observer.request("results", r"OK .+")
    students[0].expect("HELLO .+ room=class .+")
    students[0].request("standings", r"OK .+")
    winner = max(range(3), key=lambda place: int(bids[place]))
    for where, lines in ((peer.name, peer.lines) for peer in (teacher, observer, *students)):
        told = [line for line in lines if "profit=" in line or where != names[winner] and worths[winner] in line]
        check(not told, f"{where} learnt what the lot was worth to {names[winner]}", *told)
    server.stop()


def get(testbed, path):
    connection = http.client.HTTPConnection(HOST, testbed.port, timeout=20)
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


SEALED = ("bid 6", "bid 123456789", "bid 60", "bid 999999999999", "max 70")
MAXIMA = ("max 20", "max 123456789", "max 999999999999", "max 0")
"""Some of them are refused, which is as secret."""
EXCEPTED = ("auction_turn_seconds", "process_", "auction_log_free_bytes", "auction_log_sync_seconds_sum",
            "auction_log_sync_seconds_bucket", "auction_countdown_lateness_seconds_sum",
            "auction_countdown_lateness_seconds_bucket")
"""The figures that depend on time, or on what else the machine does."""
TRIES = 12
"""The machine may be late, so that a second ends after the figures were read."""


def count_nothing(testbed, kind, first, commands):
    """No figure tells before the end of the lot that a secret command was sent, or how long it was."""
    server = testbed.serve("--seconds", "3000", "--purse", "900000000000", "--data", os.path.join(testbed.folder, kind),
                           "--format", kind)
    alice, observer = (testbed.connect(name, waits=False) for name in ("alice", "observer"))
    for command in ("name alice", first):
        alice.request(command, r"OK .+")
    for command in commands:
        for _ in range(TRIES):
            usual = growth(testbed, observer, lambda: None)
            found = growth(testbed, observer, lambda command=command: alice.request(command, r"OK .+|ERROR .+"))
            told = {figure: (usual[figure], found[figure]) for figure in found if usual.get(figure) != found[figure]}
            if not told:
                break
        check(not told, f"the figures tell of {command}", *(f"{figure}: {told[figure]}" for figure in told))
    server.stop()


def growth(testbed, observer, act):
    """By how much each figure grows in a second of the countdown in which something is done."""
    before = figures_after_second(testbed, observer)
    act()
    after = figures_after_second(testbed, observer)
    return {figure: value - before.get(figure, 0) for figure, value in after.items()
            if not figure.startswith(tuple(EXCEPTED))}


def figures_after_second(testbed, observer):
    count = len(observer.lines)
    testbed.wait(lambda: any(line.startswith("COUNTDOWN ") for line in observer.lines[count:]), "no second has passed")
    lines = (line for line in get(testbed, "/metrics").splitlines() if not line.startswith("#"))
    return {figure: float(value) for figure, value in (line.rsplit(" ", 1) for line in lines)}
