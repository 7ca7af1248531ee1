"""A class, played from outside: its groups, values, prices, earnings and standings follow from what students receive.

Students behave by simple rules, half of them over WebSocket. `Student` keeps what each received, and the checker at the end
uses nothing else: it has its own rules of the formats, and compares with the standings, the champions and the journal.
"""

from __future__ import annotations

import collections
import json
import os
import re
import time

from checks import check
from journal import run_server
from programs import HOST
from testbed import SocketPeer

TITLE = "a class of 31 behind one address, killed five times, agrees with a checker of groups, prices and earnings"
ADDRESS = "203.0.113.7"
"""A public address, with the least limits."""
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
STUDENTS, LOWEST, HIGHEST = 30, 50, 150
SECRET = "sealed", "vickrey", "allpay"
RULES = f"groups 3\nvalues {LOWEST}..{HIGHEST}\nseconds 1\npause 1\n"
PLAN = RULES + ("rounds 1 practice, 2 sealed, 1 practice, 2 vickrey, 2 dutch, 3 english, 1 practice, 2 allpay\n"
                "show instructions, standings after each round\n")
ROUNDS = 14
KILLED, PAUSED, LEFT, SKIPPED, LATE = (3, 5, 7, 9, 13), 4, 6, 10, 2
"""The rounds in which something happens."""
EXAMPLES = "vickrey-vs-first-price", "winners-curse", "revenue-equivalence", "all-pay"
RAISE, MARGIN = 15, 10


def play(testbed):
    play_class(testbed)
    wait_for_two(testbed)
    play_examples(testbed)


# Students


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
            return [f"HELLO {content} room={fields['room']}"]
        case "round":
            names = [name for name in ("practice", "format", "group", "of", "size", "rounds") if name in fields]
            words = " ".join((f"ROUND {content}", *(f"{name}={fields[name]}" for name in names)))
            return ["HELP type ready when", words] if "instructions" in fields else [words]
        case "you":
            found = [("WORTH", fields["you"].get("worth")), ("YOURS", fields["you"].get("sealed"))]
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
        case "error":
            return [f"ERROR {fields['code']} {content}"]
        case "state" if fields.get("snapshot"):
            state = fields["state"]
            word = "ASK" if state["format"] == "dutch" else "PRICE"
            price = [f"{word} {state['price']} {state['leader'] or ''} {state['bids']}"] if state["price"] else []
            return [f"LOT {state['lot']} {state['title']}", *price]
    return [f"{kind.upper()} {content}"]


class Play:
    """What a student saw and did in one round."""

    def __init__(self, number, settings):
        self.number, self.is_open = number, False
        self.format, self.is_practice = settings["format"], settings["practice"] == "yes"
        self.place = settings["group"], int(settings["of"]), int(settings["size"])
        self.worths: set[int] = set()
        self.sent: int | None = None
        """The amount of the own sealed bid, or of the own offer to take."""
        self.is_acknowledged = False
        self.revealed: list[tuple[int, str]] = []
        self.prices: list[tuple[int, str]] = []
        self.asks: list[int] = []
        self.outcome = ""
        """The first words of WINNER or PASSED."""


class Student:
    """Bids by a rule for each format, and keeps what it received."""

    def __init__(self, school, name, is_web=False):
        self.school, self.name, self.is_web = school, name, is_web
        self.token, self.room, self.now, self.peer = "", "", None, None
        self.plays: dict[int, Play] = {}
        self.news: list[str] = []
        self.is_calm = False
        """Whether it bids nothing."""
        self.enter()

    def enter(self):
        """Connects, and comes to the class with its name, and with its token once it has one."""
        self.peer = self.school.connect(self.name, self.is_web)
        self.peer.on_line = self.receive
        self.peer.send_lines("join class", f"name {self.name} {self.token}".strip())

    def leave(self):
        self.peer.close()
        self.room = ""

    def receive(self, line):
        word, *rest = line.split()
        match word:
            case "HELLO":
                self.room = re.search(r" room=(\S+)", line)[1]
                if not self.room.startswith("class-"):
                    self.now = None
            case "HELP" if line.startswith("HELP type ready"):
                self.peer.send_lines("ready")
            case "ROUND":
                self.begin(int(rest[0]), dict(word.split("=") for word in rest[1:]))
            case "OK" if rest[:1] == ["name"]:
                self.token = rest[2]
            case "OK" if rest[:1] == ["bid"] and self.now and self.now.format in SECRET:
                self.now.is_acknowledged = True
            case "OVER" | "CHAMPION":
                self.news.append(line)
        if self.now and self.room.startswith("class-"):
            self.follow(word, rest)

    def begin(self, number, settings):
        """Notes the place in a round; after a new connection it must be the same."""
        if "group" not in settings:
            return
        play = Play(number, settings)
        known = self.plays.setdefault(number, play)
        check(known.place == play.place, f"{self.name} is in two groups of round {number}: {known.place}, {play.place}")
        self.now, known.is_open = known, False

    def follow(self, word, rest):
        """Notes an event of the own group, and bids."""
        play = self.now
        if word == "LOT":
            # A snapshot may be of the lot of an earlier round in the same room.
            play.is_open = rest[-1] == str(play.number)
            play.revealed, play.prices, play.asks, play.outcome = [], [], [], ""
        if not play.is_open:
            return
        match word, *rest:
            case ["WORTH", *_, amount]:
                play.worths.add(int(amount))
                if play.format in SECRET and play.sent is None:
                    self.offer(max(1, int(amount) * (7 if play.format == "allpay" else 17) // 20))
                elif play.format == "english" and not play.prices:
                    self.offer(RAISE)
            case ["YOURS", amount]:
                check(int(amount) == play.sent, f"{self.name} bid {play.sent}, and then has {amount}")
            case ["PRICE", amount, bidder, *_]:
                play.prices.append((int(amount), bidder))
                raised = min(int(amount) + RAISE, max(play.worths, default=0))
                if bidder != self.name and raised > int(amount):
                    self.offer(raised)
            case ["ASK", amount, *_]:
                play.asks.append(int(amount))
                if int(amount) + MARGIN <= max(play.worths, default=0):
                    play.sent = int(amount)
                    self.peer.send_lines("take")
            case ["REVEALED", amount, bidder, *_]:
                play.revealed.append((int(amount), bidder))
            case ["WINNER", bidder, amount, *_]:
                play.outcome = f"WINNER {bidder} {amount}"
            case ["PASSED", _, reason, *_]:
                play.outcome = f"PASSED {reason}"

    def offer(self, amount):
        if not self.is_calm:
            self.now.sent = amount
            self.peer.send_lines(f"bid {amount}")


class School:
    """A server that leads a class, its teacher and its students."""

    def __init__(self, testbed, plan, name, count):
        self.testbed, self.folder = testbed, os.path.join(testbed.folder, name)
        self.port = testbed.free_port()
        self.flags = ("--class", testbed.secret(f"{name}.txt", plan), "--data", self.folder, "--proxy-protocol", "--trust",
                      HOST, "--auctioneer-token-file", testbed.secret("key", TOKEN))
        self.start()
        self.students = [Student(self, f"s{number}", number % 2 == 1) for number in range(count)]
        self.wait(lambda: all(student.token for student in self.students), "a student has no name")

    def start(self):
        self.server = self.testbed.serve(*self.flags, port=self.port, limits=())
        self.teacher = self.connect("teacher")
        self.order(f"auctioneer {TOKEN}")
        self.order("join class")

    def order(self, command):
        self.teacher.request(command, rf"OK {command.split()[0]}.*")

    def connect(self, name, is_web=False):
        """A connection from the address of the class, through a proxy."""
        self.testbed.port = self.port
        head = f"PROXY TCP4 {ADDRESS} 192.0.2.2 40000 7777\r\n".encode()
        if is_web:
            return self.testbed.close_at_end(WebPeer(self.testbed, name, head))
        peer = self.testbed.connect(name, waits=False)
        peer.send(head)
        return peer

    def wait(self, condition, complaint):
        self.testbed.wait(condition, complaint, interval=0.01)

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
    school = School(testbed, PLAN, "school", STUDENTS)
    school.order("start")
    away = school.students[4]
    for number in range(1, ROUNDS + 1):
        school.begin(number)
        if number == 1:
            refuse_strangers(school)
        if number == LATE:
            school.students.append(Student(school, "late"))
        if number == PAUSED:
            pause(school, number)
        if number == SKIPPED:
            school.order("skip")
        if number == LEFT:
            away.leave()
        if number == LEFT + 2:
            away.enter()
        if number in KILLED:
            # Later each time: before the bids are acknowledged, amid them, and after them.
            testbed.pump_until(time.monotonic() + 0.05 * KILLED.index(number))
            school.kill()
        school.end(number)
    school.wait(lambda: all(len(student.news) > 1 for student in school.present), "the class does not end")
    check("late" not in members(school, LATE)[1] and LATE + 1 in school.students[-1].plays, "who was late had to wait")
    check(LEFT in away.plays and LEFT + 1 not in away.plays, "who had left was drawn into a group")
    check_class(school)


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


def members(school, number):
    """The groups of a round, each with the names of its members."""
    groups = collections.defaultdict(list)
    for student in school.students:
        if number in student.plays:
            groups[student.plays[number].place[0]].append(student)
    return groups, {student.name for group in groups.values() for student in group}


def check_class(school):
    """Compares all that the server says with what follows from what the students received."""
    totals = collections.defaultdict(lambda: [0, 0, 0])
    drawn, earned = {}, {}
    for number in range(1, ROUNDS + 1):
        groups, names = members(school, number)
        formats = {student.plays[number].format for group in groups.values() for student in group}
        check(len(formats) == 1, f"round {number} has the formats {formats}")
        expected = {student.plays[number].place[1] for group in groups.values() for student in group}
        check(expected == {len(groups)}, f"round {number} has {len(groups)} groups, and is told as {expected}")
        for group, students in groups.items():
            size = {student.plays[number].place[2] for student in students}
            check(size == {len(students)}, f"group {group} of round {number} has {len(students)} members, not {size}")
            check(len(students) in (3, 4), f"group {group} of round {number} has {len(students)} members")
            drawn[number, group] = {student.name for student in students}
            for name, gain in earnings(number, students).items():
                earned[number, name] = gain
                if not students[0].plays[number].is_practice:
                    totals[name] = [total + part for total, part in zip(totals[name], gain)]
        check(len(names) >= STUDENTS - 1, f"in round {number} only {len(names)} played")
    check_standings(school, totals)
    school.server.stop()
    check_journal(school, drawn, earned)


def earnings(number, students) -> dict[str, tuple[int, int, int]]:
    """What a round brings each member of a group by the rule of its format: lots, payment and profit."""
    plays = {student.name: student.plays[number] for student in students}
    where = f"round {number}, {students[0].plays[number].format}: "
    for name, play in plays.items():
        check(len(play.worths) == 1, f"{where}{name} had the values {play.worths}")
        check(LOWEST <= min(play.worths) <= HIGHEST, f"{where}{name} had the value {play.worths}")
    play = next(iter(plays.values()))
    outcomes = {play.outcome for play in plays.values() if play.outcome}
    check(len(outcomes) == 1, f"{where}the group saw {outcomes}")
    outcome = outcomes.pop()
    payments = payments_by_rule(where, play.format, plays, outcome)
    winner = outcome.split()[1] if outcome.startswith("WINNER") else None
    return {name: (int(name == winner), payments.get(name, 0),
                   (min(play.worths) if name == winner else 0) - payments.get(name, 0)) for name, play in plays.items()}


def payments_by_rule(where, kind, plays, outcome) -> dict[str, int]:
    """What each bidder pays; fails if the outcome is not that of the rule."""
    if outcome == "PASSED closed":
        return {}
    if kind in SECRET:
        revealed = max((play.revealed for play in plays.values()), key=len)
        bids = {bidder: amount for amount, bidder in revealed}
        check(len(bids) == len(revealed), f"{where}a bid was revealed twice", revealed)
        for name, play in plays.items():
            check(name in bids or not play.is_acknowledged, f"{where}the bid of {name} was lost")
            check(bids.get(name, play.sent) == play.sent, f"{where}{name} had bid {play.sent}, not {bids.get(name)}")
        amounts = sorted(bids.values(), reverse=True)
        check([amount for amount, _ in revealed] == amounts, f"{where}revealed in a wrong order", revealed)
        if not bids:
            check(outcome.startswith("PASSED"), f"{where}{outcome} without a bid")
            return {}
        winner = revealed[0][1]
        price = amounts[0] if kind != "vickrey" else (*amounts[1:], 1)[0]
        check(outcome == f"WINNER {winner} {price}", f"{where}{outcome}, but {winner} has to win for {price}", revealed)
        return bids if kind == "allpay" else {winner: price}
    if kind == "english":
        prices = max((play.prices for play in plays.values()), key=lambda prices: max(prices, default=(0, "")))
        if not prices:
            check(outcome.startswith("PASSED"), f"{where}{outcome} without a bid")
            return {}
        price, winner = max(prices)
    else:
        asks = [ask for play in plays.values() for ask in play.asks]
        takers = [(play.sent, name) for name, play in plays.items() if play.sent]
        if outcome.startswith("PASSED"):
            return {}
        price, winner = min(asks), outcome.split()[1]
        check((price, winner) in takers, f"{where}{winner} has not taken {price}", takers)
    check(outcome == f"WINNER {winner} {price}", f"{where}{outcome}, but {winner} has to win for {price}")
    return {winner: price}


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
    best = {row[2] for row in rows if row[1] == "1"}
    for student in school.present:
        champions = {line.split()[1] for line in student.news if line.startswith("CHAMPION")}
        check(champions == best, f"{student.name} saw the champions {champions}, not {best}")


def check_journal(school, drawn, earned):
    """The journal is sound, and has the same groups and earnings, each once."""
    run_server(school.testbed.server_path, "--check", school.folder)
    number, groups, gains = 0, collections.defaultdict(set), {}
    for name in sorted(os.listdir(school.folder)):
        if not name.endswith(".journal"):
            continue
        with open(os.path.join(school.folder, name), encoding="utf-8", errors="replace") as file:
            for line in file:
                _, _, word, *rest = line.split("\t")[0].split()
                match word, *rest:
                    case ["ROUND", *_]:
                        number = int(rest[0])
                    case ["MEMBER", bidder, group, _]:
                        check(not any(bidder in others for (known, place), others in groups.items()
                                      if known == number and place != group), f"{bidder} is in two groups of {number}")
                        groups[number, group].add(bidder)
                    case ["EARNED", bidder, *settings]:
                        check((number, bidder) not in gains, f"round {number} counts twice for {bidder}")
                        gains[number, bidder] = tuple(int(word.split("=")[1]) for word in settings[:3])
    check(dict(groups) == drawn, "the journal has other groups",
          *(f"{key}: {groups.get(key)}, not {group}" for key, group in drawn.items() if groups.get(key) != group))
    check(gains == earned, "the journal has other earnings",
          *(f"{key}: {gains.get(key)}, not {gain}" for key, gain in earned.items() if gains.get(key) != gain))


# Few students, and the examples


def wait_for_two(testbed):
    """Two are a group; one alone waits. A kicked student is out of all rooms of the class."""
    school = School(testbed, RULES + "rounds 3 sealed\nshow nothing\n", "two", 2)
    school.order("start")
    school.begin(1)
    check({student.plays[1].place for student in school.students} == {("1", 1, 2)}, "two are no group")
    one, other = school.students
    other.leave()
    school.end(1)
    teacher = school.teacher
    school.wait(lambda: any(re.fullmatch("NEXT .*Round 2", line) for line in teacher.lines), "no round is announced")
    teacher.request("start", "ERROR wrong-time wait until two bidders are here")
    check(2 not in one.plays, "one alone plays")
    other.enter()
    school.begin(2)
    school.order("kick s1 test")
    other.peer.expect("BYE kicked|BYE .*kicked.*")
    other.leave()
    school.end(2)
    other.enter()
    other.peer.expect("ERROR kicked .+")
    school.server.stop()


def play_examples(testbed):
    """Each example begins, with shorter times."""
    schools = []
    for name in EXAMPLES:
        text = run_server(testbed.server_path, "--class-example", name)
        text = re.sub(r"(?m)^(seconds|pause) .*\n", "", text) + "\nseconds 1\npause 1\n"
        schools.append(School(testbed, text, name, 6))
        schools[-1].order("start")
    for school in schools:
        school.begin(1)
        school.end(1)
        check(all(student.plays[1].outcome.startswith("WINNER") for student in school.students), "a lot was not sold")
        school.server.stop()
