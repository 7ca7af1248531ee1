"""What one bidder alone may know is in no log line, page or figure before it is told; lines are judged by the simulation.

Every secret is a number of twelve digits that occurs nowhere else, so that it is found in any bytes.
"""

import http.client
import os

from checks import Late, check
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


LESSONS = [(values, told) for values in ("values 100000000000..999999999999",
                                         "common 100000000000..999999999999 noise 10000000000")
           for told in ("nothing", "values")]
"""What is drawn, and what the class is shown."""
NAMES = "ann", "ben", "cleo", "dan"
CURIOUS = "status", "who", "laps", "results", "standings", "rooms", "help", "class", "resume 1"
PAGES = ("/", "/metrics", "/health", "/address", "/class/screen", "/class/desk", "/rooms/class", "/rooms/class-1",
         "/rooms/class-1/screen")
TABLES = "/class.csv", "/class-lots.csv"
ROOMS = "class", "class-1", "class-2"


def teach_in_secret(testbed):
    """In a class nobody learns a value or an open bid of another, and after the lot only what the file shows."""
    lessons = [Lesson(testbed, f"lesson-{number}", *lesson) for number, lesson in enumerate(LESSONS)]
    for lesson in lessons:
        lesson.bid()
    for lesson in lessons:
        lesson.check_open()
    for lesson in lessons:
        lesson.check_ended()


class Lesson:
    """A class of two groups of two, with observers in text and in JSON; each secret is a number that is nowhere else."""

    def __init__(self, testbed, name, values, told):
        self.testbed, self.label = testbed, f"{values}, show {told}: "
        self.is_common, self.is_told = values.startswith("common"), told == "values"
        plan = f"groups 2 fixed\n{values}\nseconds 5\npause 5\nrounds 2 sealed\nshow {told}\n"
        self.server = testbed.serve("--class", testbed.secret(name, plan), "--log-level", "debug", "--most-raise", "none",
                                    "--data", os.path.join(testbed.folder, f"{name}-data"),
                                    "--auctioneer-token-file", testbed.secret("key", TOKEN))
        self.port = testbed.port
        self.teacher, self.observer, self.reader = map(self._join, ("teacher", "observer", "reader"))
        self.students = {name: self._join(name, f"name {name}") for name in NAMES}
        self.peers = {"teacher": self.teacher, "observer": self.observer, "reader": self.reader, **self.students}
        self.reader.send_lines("format json")
        ask(self.teacher, f"auctioneer {TOKEN}")
        for _ in range(2):
            # Begins the class, and its first round.
            check(ask(self.teacher, "start").startswith("OK "), f"{self.label}the class does not start")
        self.groups, self.worths, self.bids = {}, {}, {}

    def _join(self, name, *commands):
        peer = self.testbed.connect(name, waits=False)
        for command in ("join class", *commands):
            check(ask(peer, command).startswith("OK "), f"{self.label}{name} cannot {command}")
        return peer

    def bid(self):
        """Lets all bid, each less than its value by another margin."""
        for number, (name, student) in enumerate(self.students.items(), 1):
            self.groups[name] = student.expect(r"HELLO .+ room=class-\d .+").split("room=")[1].split()[0]
            self.worths[name] = int(student.expect(r"WORTH (about )?\d{11,12}").split()[-1])
            self.bids[name] = self.worths[name] - 123456789 * number
            check(ask(student, f"bid {self.bids[name]}").startswith("OK "), f"{self.label}{name} cannot bid")

    def look(self) -> list[tuple[str, str]]:
        """All that each can see: the owner of what is seen, or a place, and the text."""
        for peer in (self.observer, self.reader):
            for room in ROOMS:
                for command in (f"join {room}", *CURIOUS):
                    ask(peer, command)
        for name, peer in (*self.students.items(), ("teacher", self.teacher)):
            for command in CURIOUS:
                ask(peer, command)
            if name in self.groups:
                other = next(room for room in ROOMS[1:] if room != self.groups[name])
                check(" wrong-time " in ask(peer, f"join {other}"), f"{self.label}{name} is in a group of others")
        seen = [(path, get(self.testbed, path)) for path in PAGES]
        # A wrong key, and none.
        seen += [(path, get(self.testbed, path, key, 401)) for path in TABLES for key in (TOKEN[:-1] + "3", None)]
        seen += [(where, "\n".join(peer.lines)) for where, peer in self.peers.items()]
        told = [where for where, text in seen if "\nSTUDENT " in text or '"type":"student"' in text]
        check(told == ["teacher"], f"{self.label}whether somebody has bid was told to {told}")
        return [*seen, ("the log", "\n".join(self.server.errors.lines + self.server.lines))]

    def check_open(self):
        """While the lots are open nobody but its owner has seen a value or a bid, not even in a table with the key."""
        self.testbed.port = self.port
        self.open = [*((path, get(self.testbed, path, TOKEN)) for path in TABLES), *self.look()]
        if any(line.startswith("WINNER ") for student in self.students.values() for line in student.lines):
            raise Late(f"{self.label}a lot ended before all had looked")
        for name in NAMES:
            for number in (self.worths[name], self.bids[name]):
                self.check_untold(self.open, number, name)

    def check_ended(self):
        """After the lots nobody but its owner has seen the value of a loser, or an estimate."""
        for student in self.students.values():
            student.expect("WINNER .+")
        if self.is_common:
            # It is told whatever the file shows, and the profit of the winner follows from it.
            values = {name: int(student.expect(r"VALUE \d+").split()[1]) for name, student in self.students.items()}
        else:
            values = self.worths
        self.testbed.port = self.port
        seen = self.look()
        for room in ROOMS[1:]:
            members = [name for name in NAMES if self.groups[name] == room]
            winner = max(members, key=self.bids.get)
            profit = values[winner] - self.bids[winner]
            for name in members:
                if self.is_common or name != winner or not self.is_told:
                    self.check_untold(seen, self.worths[name], name)
            told = [where for where, text in seen if f"profit={profit}" in text]
            check(("observer" in told) == self.is_told, f"{self.label}the profit of {winner} was told to {told}")
            check((f'"winnerWorth":{values[winner]}' in dict(seen)["reader"]) == self.is_told,
                  f"{self.label}what the lot was worth to {winner} is in a state, or is not")
            if not self.is_told:
                self.check_untold(seen, abs(profit), winner)
            if self.is_common:
                check(len({values[name] for name in members}) == 1, f"{self.label}a common value is two: {values}")
                self.check_untold(self.open, values[winner], None)
                self.check_untold([(where, text) for where, text in seen if where in NAMES and where not in members],
                                  values[winner], None)
        self.server.stop()

    def check_untold(self, seen, number, owner):
        for where, text in seen:
            lines = [line for line in text.splitlines() if str(number) in line]
            check(not lines or where == owner, f"{self.label}{where} has {number} of {owner}", *lines)


def ask(peer, command):
    """Sends a command, and returns the line that ends its answer, in text or in JSON."""
    tag = f"t{peer.testbed.moment()}"
    peer.send_lines(f"#{tag} {command}")
    return peer.expect(rf".*\b{tag}\b.*")


def get(testbed, path, key=None, status=200):
    """The text of an answer; fails unless it has this status."""
    connection = http.client.HTTPConnection(HOST, testbed.port, timeout=20)
    connection.request("GET", path, headers={"Authorization": f"Bearer {key}"} if key else {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    check(answer.status == status, f"{path} was answered {answer.status}", text)
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
