"""A class, played from outside: its groups, values, prices, earnings and tables follow from what students receive.

Students behave by simple rules, half of them over WebSocket. `Student` keeps what each received, and the checker uses
nothing else: it has rules of its own, and compares with the standings, the champions, the journal and both tables.
"""

from __future__ import annotations

import collections
import http.client
import json
import os
import re
import time

from checks import Late, check
from class_rules import SECRET, GroupLot, Plan, check_tables
from journal import run_server
from programs import HOST
from testbed import PATIENCE, SocketPeer

TITLE = "a class of 31, killed five times, and shorter ones agree with a checker of groups, earnings and tables"
HEAD = b"PROXY TCP4 203.0.113.7 192.0.2.2 40000 7777\r\n"
"""All come from one public address, with the least limits."""
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
STUDENTS = 30
SHORT = "seconds 1\npause 0\n"
PLAN = ("groups 3\nvalues 50..150\nseconds 1\npause 1\n"
        "rounds 1 practice, 2 sealed, 1 practice, 2 vickrey, 2 dutch, 3 english, 1 practice, 2 allpay\n"
        "show instructions, standings after each round\n")
ROUNDS = 14
KILLED, PAUSED, LEFT, SKIPPED, LATE, READ = (3, 5, 7, 9, 13), 4, 6, (10, 12), 2, (3, 13)
"""The rounds in which something happens; in some the tables are read, in 13 from a server that was killed."""
QUIET = {(2, "1"), (8, "1"), (11, "1")}
"""The rounds and groups in which nobody bids: sealed, dutch and english."""
FORMATS = "sealed", "vickrey", "english", "dutch", "allpay"
EXAMPLES = {"vickrey-vs-first-price": ("", "start 60\nreserve 105"), "revenue-equivalence": ("", ""), "all-pay": ("", ""),
            "winners-curse": (", 1 vickrey, 1 dutch, 1 allpay", "")}
"""With the rounds and the settings that are added to each."""
RAISE, MARGIN = 15, 10


def play(testbed):
    play_class(testbed)
    schools = begin_absences(testbed) + begin_examples(testbed)
    wait_for_two(testbed)
    for school in schools:
        check_class(school)


# Students


def named(words) -> dict[str, str]:
    """The settings among the words of a line, which may end in a text."""
    return dict(word.split("=", 1) for word in words if "=" in word)


class WebPeer(SocketPeer):
    """A connection over WebSocket, whose messages are read as the lines of text that say the same."""

    def __init__(self, testbed, name, head):
        self._input, self._is_open = b"", False
        super().__init__(testbed, name, (HOST, testbed.port))
        self.send(head + b"GET /ws HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
                  % (HOST.encode(), testbed.port))

    def send_lines(self, *commands):
        self.testbed.record(self.name, ">", commands)
        self.send(b"".join(bytes((0x81, 0x80 | len(command))) + bytes(4) + command.encode() for command in commands))

    def _read(self):
        data, at = super()._read()
        if not data:
            return data, at
        self._input += data
        if not self._is_open:
            head, mark, rest = self._input.partition(b"\r\n\r\n")
            if not mark:
                raise BlockingIOError
            check(head.startswith(b"HTTP/1.1 101 "), f"{self.name}: {head!r}")
            self._is_open, self._input = True, rest
        lines = [line + "\n" for message in self._messages() for line in lines_of(message)]
        if not lines:
            raise BlockingIOError
        return "".join(lines).encode(), at

    def _messages(self):
        """The messages that have arrived as a whole."""
        while len(self._input) > 1:
            opcode, size, start = self._input[0] & 15, self._input[1], 2
            if size > 125:
                start = 4 if size == 126 else 10
                if len(self._input) < start:
                    return
                size = int.from_bytes(self._input[2:start], "big")
            if len(self._input) < start + size:
                return
            payload, self._input = self._input[start:start + size], self._input[start + size:]
            if opcode == 1:
                yield json.loads(payload)


def lines_of(fields) -> list[str]:
    """The lines of text for a message in JSON, as far as students read them."""
    kind, content = fields["type"], fields.get("content", "")
    match kind:
        case "hello":
            return [f"HELLO {content} game={fields['game']} room={fields['room']}"]
        case "round":
            names = [name for name in ("practice", "format", "group", "of", "size", "rounds") if name in fields]
            words = " ".join((f"ROUND {content}", *(f"{name}={fields[name]}" for name in names)))
            return ["HELP type ready when", words] if "instructions" in fields else [words]
        case "you":
            you = fields["you"]
            found = [("WORTH about" if you.get("isEstimate") else "WORTH", you.get("worth")), ("YOURS", you.get("sealed"))]
            return [f"{word} {amount}" for word, amount in found if amount is not None]
        case "revealed" | "price":
            return [f"{kind.upper()} {fields['amount']} {fields['bidder']} {fields.get('bid', '')}".strip()]
        case "winner":
            return [f"WINNER {fields['bidder']} {fields['amount']} 0 {fields['title']}"]
        case "passed":
            return [f"PASSED {fields['lot']} {fields['reason']}"]
        case "lot":
            return [f"LOT {fields['lot']} {content}"]
        case "champion":
            return [f"CHAMPION {fields['bidder']} {fields.get('score', '')}"]
        case "lap":
            return [f"LAP {fields['bid']} {fields['amount']} {fields['bidder']}"]
        case "ok" | "error":
            tag = [f"#{fields['tag']}"] if "tag" in fields else []
            return [" ".join((kind.upper(), *tag, *filter(None, (fields.get("code"), content))))]
        case "state" if fields.get("snapshot"):
            state = fields["state"]
            word = "ASK" if state["format"] == "dutch" else "PRICE"
            price = [f"{word} {state['price']} {state['leader'] or ''} {state['bids']}"] if state["price"] else []
            return [f"LOT {state['lot']} {state['title']}", *price]
    return [f"{kind.upper()} {content}"]


class Offer:
    """An amount that a student has sent."""

    def __init__(self, amount):
        self.amount, self.is_accepted = amount, False


class Play:
    """What a student saw and did in one round."""

    def __init__(self, number, settings, is_calm):
        """With `is_calm` the student bids nothing."""
        self.number, self.is_open, self.is_calm = number, False, is_calm
        self.lot = 0
        """The number of the lot in the room of the group."""
        self.format, self.is_practice = settings["format"], settings["practice"] == "yes"
        self.place = settings["group"], int(settings["of"]), int(settings["size"])
        self.worths: set[int] = set()
        self.is_estimate = False
        self.values: set[int] = set()
        """The common values that were told."""
        self.offers: list[Offer] = []
        """The own sealed bids, or what the student wanted to pay for a lot at once."""
        self.maxima: list[Offer] = []
        self.revealed: list[tuple[int, str]] = []
        self.prices: dict[int, tuple[int, str]] = {}
        """The open bids by their numbers."""
        self.asks: list[int] = []
        self.outcome = ""
        """The first words of WINNER or PASSED."""
        self.is_absent = False
        """Whether the server bids in place of the student."""
        self.is_kicked = False

    @property
    def maximum(self) -> int | None:
        """The newest maximum, unless it was taken back."""
        return next((offer.amount for offer in reversed(self.maxima) if offer.is_accepted), None) or None

    def accepted(self, told) -> list[int]:
        """The sealed bids that were accepted, up to one that was told; their answers may have been lost."""
        amounts = [offer.amount for offer in self.offers]
        known = [place for place, offer in enumerate(self.offers) if offer.is_accepted or offer.amount == told]
        return amounts[:max(known, default=-1) + 1]


class Student:
    """Bids by a rule for each format, and keeps what it received.

    Of ten, some replace a sealed bid by a lower one, and some leave bidding to the server and may take that back.
    """

    def __init__(self, school, name, number=0):
        self.school, self.name, self.is_web = school, name, number % 2 == 1
        self.replaces, self.sets_maximum, self.withdraws = number % 3 == 0, number % 5 == 2, number % 10 == 7
        self.token, self.room, self.now, self.peer = "", "", None, None
        self.sessions: set[str] = set()
        self.plays: dict[int, Play] = {}
        self.news: list[str] = []
        self.is_calm = False
        """Whether it bids nothing."""
        self.unanswered: dict[str, Offer] = {}
        """By tag."""
        self.enter()

    def enter(self):
        """Connects, and comes to the class with its name, and with its token once it has one."""
        self.peer = self.school.connect(self.name, self.is_web)
        self.peer.on_line = self.receive
        self.peer.send_lines("join class", f"name {self.name} {self.token}".strip())

    def leave(self):
        self.peer.close()
        self.room = ""

    def champions(self) -> set[str]:
        return {line.split()[1] for line in self.news if line.startswith("CHAMPION")}

    def receive(self, line):
        word, *rest = line.split()
        match word:
            case "HELLO":
                self.room = re.search(r" room=(\S+)", line)[1]
                self.sessions.add(re.search(r" game=(\S+)", line)[1])
                if not self.room.startswith("class-"):
                    self.now = None
            case "HELP" if line.startswith("HELP type ready"):
                self.peer.send_lines("ready")
            case "ROUND":
                self.begin(int(rest[0]), named(rest[1:]))
            case "OK" if rest[:1] == ["name"]:
                self.token = rest[2]
            case "OK" if rest[0] in self.unanswered:
                self.unanswered[rest[0]].is_accepted = True
            case "OVER" | "CHAMPION":
                self.news.append(line)
        if self.now and self.room.startswith("class-"):
            self.follow(word, rest)

    def begin(self, number, settings):
        """Notes the place in a round; after a new connection it must be the same."""
        if "group" not in settings:
            return
        play = Play(number, settings, self.is_calm or (number, settings["group"]) in self.school.quiet)
        known = self.plays.setdefault(number, play)
        check(known.place == play.place, f"{self.name} is in two groups of round {number}: {known.place}, {play.place}")
        self.now, known.is_open = known, False
        if known is not play and known.format == "english":
            # A killed server may have accepted bids that it has not told.
            self.peer.send_lines("laps")

    def follow(self, word, rest):
        """Notes an event of the own group, and bids."""
        play = self.now
        if word == "LOT":
            # A snapshot may be of the lot of an earlier round in the same room.
            play.is_open, play.lot = rest[-1] == str(play.number), int(rest[0])
            play.revealed, play.outcome = [], ""
        if not play.is_open:
            return
        match word, *rest:
            case ["WORTH", *about, amount]:
                play.worths.add(int(amount))
                play.is_estimate = about == ["about"]
                self.open(int(amount))
            case ["VALUE", amount]:
                play.values.add(int(amount))
            case ["YOURS", amount]:
                offers = [offer for offer in play.offers if offer.amount == int(amount)]
                check(offers, f"{self.name} has the bid {amount} of round {play.number}, which it has not sent")
                offers[0].is_accepted = True
            case ["PRICE", amount, bidder, *_, number] if play.format not in SECRET:
                play.prices[int(number)] = int(amount), bidder
                raised = min(int(amount) + RAISE, max(play.worths, default=0))
                if play.format == "english" and bidder != self.name and raised > int(amount) and not self.sets_maximum:
                    self.offer(raised)
            case ["LAP", number, amount, bidder, *_]:
                play.prices[int(number)] = int(amount), bidder
            case ["ASK", amount, *_]:
                play.asks.append(int(amount))
                if int(amount) + MARGIN <= max(play.worths, default=0):
                    self.offer(int(amount))
            case ["REVEALED", amount, bidder, *_]:
                play.revealed.append((int(amount), bidder))
            case ["WINNER", bidder, amount, *_]:
                play.outcome = f"WINNER {bidder} {amount}"
            case ["PASSED", _, reason, *_]:
                play.outcome = f"PASSED {reason}"

    def open(self, worth):
        """Begins to bid, once it is known what the lot is worth; again with a new connection."""
        play = self.now
        if play.format in SECRET and not play.offers:
            bid = max(1, worth * (7 if play.format == "allpay" else 17) // 20)
            for amount in (bid + 5, bid) if self.replaces else (bid,):
                self.offer(amount)
        elif play.format == "english" and self.sets_maximum:
            for amount in (worth, 0) if self.withdraws else (worth,):
                self.offer(amount, "max")
        elif play.format == "english" and not play.prices:
            self.offer(RAISE)

    def offer(self, amount, command="bid"):
        if self.now.is_calm:
            return
        tag, offer = f"#{self.school.testbed.moment()}", Offer(amount)
        (self.now.maxima if command == "max" else self.now.offers).append(offer)
        self.unanswered[tag] = offer
        words = "take" if self.now.format == "dutch" else f"{command} {amount}"
        self.peer.send_lines(f"{tag} {words} lot={self.now.lot}")


class School:
    """A server that leads a class, its teacher, and its students behind a proxy."""

    def __init__(self, testbed, plan, name, count, quiet=()):
        """In the rounds and groups of `quiet` nobody bids."""
        self.testbed, self.folder = testbed, os.path.join(testbed.folder, name)
        self.plan, self.quiet = Plan(plan), quiet
        self.port = testbed.free_port()
        self.flags = ("--class", testbed.secret(f"{name}.txt", plan), "--data", self.folder, "--proxy-protocol", "--trust",
                      HOST, "--auctioneer-token-file", testbed.secret("key", TOKEN))
        self.start()
        self.students = [Student(self, f"s{number}", number) for number in range(count)]
        self.wait(lambda: all(student.token for student in self.students), "a student has no name")

    def start(self):
        self.server = self.testbed.serve(*self.flags, port=self.port, limits=())
        self.teacher = self.connect("teacher")
        self.order(f"auctioneer {TOKEN}")
        self.order("join class")

    def order(self, command):
        self.teacher.request(command, rf"OK {command.split()[0]}.*")

    def connect(self, name, is_web=False):
        """A connection from the address of the class."""
        self.testbed.port = self.port
        if is_web:
            return self.testbed.close_at_end(WebPeer(self.testbed, name, HEAD))
        peer = self.testbed.connect(name, waits=False)
        peer.send(HEAD)
        return peer

    def tables(self) -> tuple[str, str]:
        """Both tables of the server, of the bidders and of the lots."""
        return self._table("/class.csv"), self._table("/class-lots.csv")

    def _table(self, path):
        connection = http.client.HTTPConnection(HOST, self.port, timeout=20)
        connection.connect()
        connection.sock.sendall(HEAD)
        connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        check(answer.status == 200, f"{path} was answered {answer.status}", text)
        return text

    def results(self) -> tuple[str, str]:
        """The same tables from the journal."""
        flags = self.testbed.server_path, "--results", self.folder, "--csv"
        return run_server(*flags), run_server(*flags, "--class-lots")

    @property
    def session(self) -> str:
        """The identity of the server, which is always the same."""
        found = set.union(*(student.sessions for student in self.students))
        check(len(found) == 1, f"the server has the identities {found}")
        return next(iter(found))

    def wait(self, condition, complaint, seconds=PATIENCE):
        self.testbed.wait(condition, complaint, seconds, interval=0.01)

    def begin(self, number):
        """Waits until all who are present have a lot in a round, and a value."""
        self.wait(lambda: all(number in student.plays and student.plays[number].worths for student in self.present),
                  f"round {number} does not begin")

    def end(self, number):
        """Waits until all have seen how the round ended, and are back."""
        self.wait(lambda: all(student.room == "class" for student in self.present
                              if number in student.plays), f"round {number} does not end")

    @property
    def present(self):
        return [student for student in self.students if student.peer.is_open]

    def kill(self):
        """Kills the server, and everybody comes back with the token."""
        present = self.present
        self.server.kill()
        for student in present:
            student.leave()
        self.start()
        for student in present:
            student.enter()
        self.wait(lambda: all(student.room for student in present), "nobody is back")


# A class


def play_class(testbed):
    school = School(testbed, PLAN, "school", STUDENTS, QUIET)
    school.order("start")
    away = school.students[4]
    for number in range(1, ROUNDS + 1):
        school.begin(number)
        if number == 1:
            refuse_strangers(school)
        if number == LATE:
            # A spreadsheet would take this name for a formula.
            school.students.append(Student(school, "-late"))
        if number == PAUSED:
            pause(school, number)
        if number in SKIPPED:
            school.order("skip")
        if number == LEFT:
            away.leave()
        if number == LEFT + 2:
            away.enter()
        if number in KILLED:
            # Later each time: before the bids are acknowledged, amid them, and after them.
            testbed.pump_until(time.monotonic() + 0.05 * KILLED.index(number))
            school.kill()
        if number in READ:
            check_open(school, number)
        school.end(number)
    late = school.students[-1]
    check(LATE not in late.plays and LATE + 1 in late.plays, "who was late had to wait")
    check(LEFT in away.plays and LEFT + 1 not in away.plays, "who had left was drawn into a group")
    for number in range(1, ROUNDS + 1):
        sizes = [len(group) for group in groups_of(school, number).values()]
        check(set(sizes) <= {3, 4} and sum(sizes) >= STUDENTS - 1, f"round {number} has groups of {sizes}")
    check_class(school, SKIPPED)


def refuse_strangers(school):
    """Nobody gets into the group of others, and only the teacher leads the class."""
    student = school.students[0]
    other = 2 if student.room != "class-2" else 1
    for command, code in ((f"join class-{other}", "wrong-time"), ("open class-9", "room-taken"), ("start", "not-auctioneer"),
                          ("skip", "not-auctioneer"), ("pause", "not-auctioneer")):
        ask(student, command, rf"ERROR #\d+ {code} .+")
    stranger = school.connect("stranger")
    stranger.request("join class-1", "OK join class-1")
    stranger.request("name eve", "ERROR wrong-time .+")
    stranger.request("bid 140", "ERROR not-named .+")
    stranger.request(f"name s3 {TOKEN}", "ERROR .+")
    stranger.close()
    for command in ("rematch", "end class", "end class-1", "add Vase", "set seconds=9", "start"):
        school.teacher.request(command, "ERROR wrong-time .+")


def pause(school, number):
    """While the class is paused no lot ends."""
    school.order("pause")
    school.testbed.pump_until(time.monotonic() + 0.1)
    playing = [student for student in school.students if number in student.plays and not student.plays[number].outcome]
    school.testbed.pump_until(time.monotonic() + 1.5)
    check(playing and not any(student.plays[number].outcome for student in playing), "a lot ended while the class paused",
          *(f"{student.name}: {student.plays[number].outcome}" for student in playing))
    school.order("resume")


def ask(student, command, pattern):
    """Sends a command of a person, between those that the student sends by itself; fails unless the answer matches."""
    tag = f"#{student.school.testbed.moment()}"
    student.peer.send_lines(f"{tag} {command}")
    answer = student.peer.expect(rf"(OK|ERROR) {tag} .*")
    check(re.fullmatch(pattern, answer), f"{student.name}: {command!r} was answered {answer!r}")


# The checker


def groups_of(school, number) -> dict[str, dict[str, Play]]:
    """The groups of a round, each with what its members saw."""
    groups = collections.defaultdict(dict)
    for student in school.students:
        if number in student.plays:
            groups[student.plays[number].place[0]][student.name] = student.plays[number]
    return groups


def lots_of(school, number) -> list[GroupLot]:
    """The lots of a round, all of which have ended; none if it was left out."""
    groups = groups_of(school, number)
    told = {play.place[1] for group in groups.values() for play in group.values()}
    check(told == {len(groups)} or not groups, f"round {number} has {len(groups)} groups, and is told as {told}")
    return [GroupLot(school.plan, number, group, plays) for group, plays in sorted(groups.items())]


def check_open(school, number):
    """While the lots of a round are open, the tables have all rounds before, and nothing of it."""
    school.order("pause")
    school.testbed.pump_until(time.monotonic() + 0.1)
    if any(play.outcome for plays in groups_of(school, number).values() for play in plays.values()):
        raise Late(f"a lot of round {number} ended before the class was paused")
    tables = school.tables()
    lots = [lot for earlier in range(1, number) for lot in lots_of(school, earlier)]
    check_tables(tables, school.session, lots)
    check(school.results() == tables, "the journal has other tables during the class")
    school.order("resume")


def check_class(school, skipped=()):
    """Compares all that the server says with what follows from what the students received.

    `skipped` are the rounds that the teacher has ended.
    """
    school.wait(lambda: all(student.news for student in school.present), "the class does not end")
    lots = [lot for number in range(1, len(school.plan.rounds) + 1) for lot in lots_of(school, number)]
    closed = {lot.number for lot in lots if lot.is_closed}
    check(closed == set(skipped), f"in the rounds {closed} lots were closed, and the teacher has skipped {skipped}")
    totals = collections.defaultdict(lambda: [0, 0, 0])
    for lot in lots:
        for name, gain in earnings(lot).items():
            if not lot.round.is_practice:
                totals[name] = [total + part for total, part in zip(totals[name], gain)]
    if school.plan.has_same_draws:
        check_draws(school, lots)
    check_standings(school, totals)
    tables = school.tables()
    check_tables(tables, school.session, lots)
    school.server.stop()
    check(school.results() == tables, "the journal has other tables")
    check_journal(school, lots)
    school.start()
    check(school.tables() == tables, "after a restart the tables are others")
    school.server.stop()


def earnings(lot) -> dict[str, tuple[int, int, int]]:
    """What a lot brings each member of the group: lots, payment and profit."""
    return {name: (int(name == lot.winner), lot.payments[name], lot.profit(name)) for name in lot.plays}


def check_draws(school, lots):
    """Each treatment has the values and the groups of the others."""
    draws = collections.defaultdict(set)
    for lot in lots:
        draws[lot.round.is_practice, lot.round.place].add(tuple(sorted((lot.group, *pair) for pair in lot.worths.items())))
    count = len({lot.group for lot in lots})
    check(all(len(found) == count for found in draws.values()), "the treatments have other values or groups", draws)


def check_standings(school, totals):
    """The standings of the class and its champions."""
    start = len(school.students[0].peer.lines)
    ask(school.students[0], "standings", r"OK #\d+ standings .+")
    rows = [line.split() for line in school.students[0].peer.lines[start:] if line.startswith("STANDING ")]
    told = {row[2]: [int(re.search(rf"{name}=(-?\d+)", " ".join(row))[1]) for name in ("lots", "spent", "profit")]
            for row in rows}
    check(told == dict(totals), "the standings are others", *(f"{name}: {told.get(name)}, not {total}"
                                                              for name, total in totals.items() if told.get(name) != total))
    profits = [told[row[2]][2] for row in rows]
    check(profits == sorted(profits, reverse=True), "the standings are not in the order of profits", *rows)
    ranks = [int(row[1]) for row in rows]
    check(ranks == [1 + sum(other > profit for other in profits) for profit in profits], "the ranks are others", *rows)
    best = {row[2] for row in rows if row[1] == "1"} if any(lots for lots, _, _ in told.values()) else set()
    school.wait(lambda: all(student.champions() == best for student in school.present),
                lambda: f"the champions are not {best}, but {[student.champions() for student in school.present]}", 5)


def check_journal(school, lots):
    """The journal is sound, and has the same groups and earnings, each once."""
    drawn = {(lot.number, lot.group): set(lot.plays) for lot in lots}
    earned = {(lot.number, name): gain for lot in lots for name, gain in earnings(lot).items()}
    run_server(school.testbed.server_path, "--check", school.folder)
    number, members, groups, gains = 0, {}, collections.defaultdict(set), {}
    for name in sorted(os.listdir(school.folder)):
        if not name.endswith(".journal"):
            continue
        with open(os.path.join(school.folder, name), encoding="utf-8", errors="replace") as file:
            for line in file:
                _, _, word, *rest = line.split("\t")[0].split()
                match word, *rest:
                    case ["ROUND", round_number, *settings]:
                        number, members[int(round_number)] = int(round_number), int(named(settings)["members"])
                    case ["MEMBER", bidder, group, _]:
                        check(not any(bidder in others for (known, place), others in groups.items()
                                      if known == number and place != group), f"{bidder} is in two groups of {number}")
                        groups[number, group].add(bidder)
                    case ["EARNED", bidder, *settings]:
                        check((number, bidder) not in gains, f"round {number} counts twice for {bidder}")
                        gains[number, bidder] = tuple(int(named(settings)[name]) for name in ("lots", "spent", "profit"))
    check(dict(groups) == drawn, "the journal has other groups",
          *(f"{key}: {groups.get(key)}, not {group}" for key, group in drawn.items() if groups.get(key) != group))
    for number, count in members.items():
        drawn_count = sum(len(lot.plays) for lot in lots if lot.number == number)
        check(count == drawn_count, f"the journal says that {count} are drawn for round {number}, not {drawn_count}")
    check(gains == earned, "the journal has other earnings",
          *(f"{key}: {gains.get(key)}, not {gain}" for key, gain in earned.items() if gains.get(key) != gain))


# Few students, and the examples


def wait_for_two(testbed):
    """Two are a group; one alone waits. A kicked student is out of all rooms of the class, with maximum and sealed bid."""
    school = School(testbed, f"{SHORT}rounds 1 sealed, 1 english, 2 sealed\nshow nothing\n", "two", 2)
    school.order("start")
    school.begin(1)
    check({student.plays[1].place for student in school.students} == {("1", 1, 2)}, "two are no group")
    one, other = school.students
    other.leave()
    school.end(1)
    teacher = school.teacher
    school.wait(lambda: any(line.startswith("ROUND 2 ") for line in teacher.lines), "no round is announced")
    teacher.request("start", "ERROR wrong-time wait until two bidders are here")
    check(2 not in one.plays, "one alone plays")
    third = Student(school, "s2", 2)
    school.students.append(third)
    school.begin(2)
    kick(third, 2)
    school.end(2)
    other.enter()
    school.begin(3)
    kick(other, 3)
    school.end(3)
    school.order("skip")
    check_class(school)


def kick(student, number):
    """Kicks a student whose bids are accepted, who cannot come back."""
    play, school = student.plays[number], student.school
    school.wait(lambda: all(offer.is_accepted for offer in play.offers + play.maxima), "a bid is not accepted")
    play.is_kicked = True
    school.order(f"kick {student.name} test")
    student.peer.expect("BYE kicked|BYE .*kicked.*")
    student.leave()
    student.enter()
    student.peer.expect("ERROR kicked .+")
    student.leave()


def begin_absences(testbed) -> list[School]:
    """Begins a class for each format, in which the server bids for a student who has left without a bid."""
    schools = []
    common = "common 50..150 noise 20\n"
    for place, (kind, values) in enumerate((*((kind, "") for kind in FORMATS), ("sealed", common), ("english", common))):
        # In a falling auction the others would be faster.
        quiet = {(1, "1")} if kind == "dutch" else ()
        plan = f"{values}seconds 5\npause 0\nrounds 1 {kind}\nleavers equilibrium\nshow nothing\n"
        school = School(testbed, plan, f"absent-{place}", 3, quiet)
        schools.append(school)
        absent = school.students[2]
        absent.is_calm = True
        school.order("start")
        school.begin(1)
        absent.plays[1].is_absent = True
        absent.leave()
    return schools


def begin_examples(testbed) -> list[School]:
    """Begins a class for each example, with shorter times and one round of each kind in a row."""
    listed = run_server(testbed.server_path, "--class-example", "list")
    check({line.split()[0] for line in listed.splitlines()} == EXAMPLES.keys(), "there are other examples", listed)
    schools = []
    for name, (rounds, settings) in EXAMPLES.items():
        text = run_server(testbed.server_path, "--class-example", name)
        text = re.sub(r"(?m)^(seconds|pause) .*\n?", "", text)
        text = re.sub(rf"\d+ (practice|{'|'.join(FORMATS)})", r"1 \1", text)
        text = re.sub(r"(?m)^(rounds .*)$", rf"\1{rounds}", text)
        schools.append(School(testbed, f"{text}\n{SHORT}{settings}\n", name, 6))
        schools[-1].order("start")
    return schools

