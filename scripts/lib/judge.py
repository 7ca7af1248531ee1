"""Judges connections that asked for JSON: one order of events for each room must explain what they received.

The events are those of a journal, or those of an observer who was in the room before all others. All connections must
have received the same news. Each line has a place: the number of the last event that its connection received before it.
An answer must not be older than what any client knew when its command was sent. An accepted bid, message or command of
the auctioneer must be the next event, and each such event belongs to exactly one command. Secret bids must be in the
journal, and each second of a countdown in time. The simulation judges whether answers follow the rules of the auction.
"""

from __future__ import annotations

import bisect
import collections
import math
import re
from typing import Iterator, NamedTuple

from checks import Failure, Late, check
from history import History
from journal import hash_of
from protocol import Connection, Sent, is_told, parse, split

OFFERS = ("bid", "take", "buy")
AUCTIONEER_COMMANDS = {"pause": "PAUSED", "resume": "RESUMED", "hammer": "HAMMERED", "void": "VOIDED ",
                       "kick": "KICKED ", "close": "PASSED "}
RULED = re.compile(r"PAUSED|RESUMED|HAMMERED|VOIDED .+|KICKED .+|PASSED \d+ closed .+")
MOST_AUTOMATIC = 3
"""The most bids by which maxima answer each other."""


class Stay(Connection):
    """What one connection sent and received in one room, which has its own events.

    A stay begins with the greeting of its room, and has the commands that were answered in it: the first of a stay that
    began with `join` or `open` is that command. Commands that a connection sent after one that would have taken it to
    another room, and to which it received no answer, may have been carried out in either.
    """

    def __init__(self, connection: Connection, before: Stay | None, room: str):
        super().__init__(f"{connection.label}@{room}" if before else connection.label)
        self.room = room
        self.name: str | None = before.holds if before else None
        """The name that it had at the beginning."""
        self.holds = self.name
        """The name that it has now."""

    def answered(self) -> Iterator[tuple[Sent, dict]]:
        """Each command with the message of its answer."""
        return zip(self.sent, (fields for line in self.received if (fields := parse(line.text))["type"] in ("ok", "error")))


def stays(connection: Connection) -> list[Stay]:
    """What happened in each room, in order."""
    commands = collections.deque(line for line in connection.sent if line.text.strip())
    found = [Stay(connection, None, "main")]
    for line in connection.received:
        fields = parse(line.text)
        if "room" in fields and fields["type"] == "hello":
            _, verb, rest = split(commands[0].text) if commands else ("", "", "")
            check(verb in ("join", "open") and rest.split()[:1] == [fields["room"]],
                  f"{connection.label}: it was taken to {fields['room']}, for which it did not ask", *list(commands)[:1])
            found.append(Stay(connection, found[-1], fields["room"]))
        found[-1].received.append(line)
        if fields["type"] in ("ok", "error") and commands:
            found[-1].sent.append(commands.popleft())
            if fields["type"] == "ok" and fields.get("content", "").startswith("name "):
                found[-1].holds = fields["content"].split()[1]
    return [*found, *_leave_open(connection, found[-1], commands)]


def _leave_open(connection, last, commands) -> list[Stay]:
    """Adds the unanswered commands to the last stay, and to the rooms in which they may have been executed."""
    last.was_cut, moved, names = connection.was_cut, [], []
    for command in commands:
        _, verb, rest = split(command.text)
        words = rest.split()
        if verb == "name":
            names.append(command)
        if verb in ("join", "open") and words and words[0] not in (last.room, *(stay.room for stay in moved)):
            moved.append(Stay(connection, last, words[0]))
            moved[-1].was_cut = True
            # Any of these may have given it a name.
            moved[-1].sent += names
        for stay in (last, *moved):
            stay.sent.append(command)
    return moved


class Judge:
    """The judges of all rooms, none of which may have ended; the connections may come in several batches."""

    def __init__(self, rooms, bidders=None):
        """More rooms may be added by and by; without `bidders` the connections of all bidders are judged."""
        self._rooms, self._bidders = rooms, bidders
        self._judges: dict[str, RoomJudge] = {}

    def floors(self) -> dict[str, int]:
        """The last event of each room, as read so far."""
        return {name: room.history.last for name, room in self._rooms.items()}

    def judge(self, connections: list[Connection], floors: dict[str, int]):
        """Judges connections that began after these events, and all events that are new since the last time."""
        by_room = collections.defaultdict(list)
        for connection in connections:
            for stay in stays(connection):
                by_room[stay.room].append(stay)
        for name, found in by_room.items():
            check(name in self._rooms or not any(stay.received for stay in found),
                  f"{found[0].label}: there is no room {name}")
        for name, room in self._rooms.items():
            if name not in self._judges:
                self._judges[name] = RoomJudge(room, self._bidders)
            self._judges[name].judge(by_room[name], floors.get(name, 0))
        for found in by_room.values():
            for stay in found:
                self._check_lost(stay)

    def total(self, figure: str) -> int:
        """The sum of a figure of all judges, such as `answers`."""
        return sum(getattr(judge, figure) for judge in self._judges.values())

    def _check_lost(self, stay):
        """Fails if a room that was opened has other options, or a token no longer opens its name."""
        for command, answer in stay.answered():
            _, verb, rest = split(command.text)
            if verb == "open" and answer["type"] == "ok":
                name, *options = rest.split()
                check(set(options) <= set(self._rooms[name].options.split()), f"{name} has other options", rest)
            elif verb == "name" and answer.get("code") == "wrong-token":
                name, _, token = rest.partition(" ")
                check(not any(room.is_owner(name, token) for room in self._rooms.values()),
                      f"{stay.label}: the token of a name does not open it", command.text)


class PlacedLine(NamedTuple):
    """A received line, and the last event that its connection had received by then, or 0 before any."""

    fields: dict
    moment: int
    place: int


class RoomJudge:
    """Everything that is known of a room and of what connections did in it."""

    def __init__(self, room, bidders):
        self.room, self._history, self._bidders = room, room.history, bidders
        self.answers = self.acknowledged = self.secrets = self.lines = 0
        self._tags: set[str] = set()
        self._claims: dict[int, str] = {}
        """The acknowledged command of each event, by event number."""
        self._open = collections.Counter()
        """How many unanswered commands there are of each kind that have no event yet."""
        self._maxima: dict[tuple[int, str], int] = {}
        """By lot and name: the highest maximum bid, acknowledged or not."""
        self._checked = 0
        self._moments, self._known = [], [1]
        """The moments at which some connection was the first to receive an event, and that event."""

    def judge(self, stays: list[Stay], floor: int):
        """Judges stays that began after the event `floor`, and all events that are new since the last time."""
        placed = [self._places(stay, floor) for stay in stays]
        self._learn(placed, max(floor, 1))
        for stay, lines in zip(stays, placed):
            self._check_tags(stay)
            answers = Answers(self, stay)
            answers.judge(lines)
            self._add(answers)
            self.lines += len(stay.received)
        self._check_causes()

    def known(self, moment: int) -> int:
        """The last event that any connection had received before the moment."""
        return self._known[bisect.bisect_left(self._moments, moment)]

    def _places(self, stay, floor) -> list[PlacedLine]:
        """The place of each line; fails unless the stay received all news, in order, and each snapshot was true."""
        lines, place, snapshot = [], 0, []
        for line in stay.received:
            fields = parse(line.text)
            number = fields.get("seq", 0)
            check(fields["type"] != "skipped", f"{stay.label} missed news", line.text)
            if "snapshot" in fields and fields["type"] != "state":
                snapshot.append(fields)
            elif "snapshot" in fields:
                state = self._history.state(number).values() if floor <= number <= self._history.last else ()
                check(place in (0, number) and len(state) == len(snapshot)
                      and all(any(is_told(told, words) for words in state) for told in snapshot),
                      f"{stay.label}: event {number} has another snapshot", *state, *snapshot)
                place, snapshot = number, []
            elif number:
                words = self._history.event(number)
                check(place in (0, number - 1) and number > floor and is_told(fields, words),
                      f"{stay.label}: after event {place} it received another one than {number} {words}", line.text)
                place = number
            lines.append(PlacedLine(fields, line.moment, place))
        return lines

    def _learn(self, placed, highest):
        """Computes which event was known at each moment."""
        self._moments, self._known = [], [highest]
        for moment, place in sorted((line.moment, line.place) for lines in placed for line in lines):
            if place > highest:
                highest = place
                self._moments.append(moment)
                self._known.append(place)

    def _add(self, answers):
        self.answers += answers.judged
        self.secrets += answers.secrets
        self._open += answers.open
        for key, amount in answers.maxima.items():
            self._maxima[key] = max(amount, self._maxima.get(key, 0))
        for event, command in answers.claims.items():
            former = self._claims.setdefault(event, command)
            check(former == command, "one event was acknowledged twice", self._history.event(event), former, command)

    def _check_tags(self, stay):
        for line in stay.sent:
            tag = split(line.text)[0]
            check(not tag or tag not in self._tags, f"{stay.label}: this tag was used before", line.text)
            self._tags.add(tag)

    def _check_causes(self):
        """Fails if an event has no command: each was acknowledged, or its answer was lost."""
        for number in range(self._checked + 1, self._history.last + 1):
            words = self._history.event(number)
            if number in self._claims:
                self.acknowledged += words.startswith("PRICE ")
            elif self._history.is_new_price(number):
                self._check_price(number, int(words.split()[1]), words.split()[2])
            elif words.startswith(("SAID ", "REACTED ")):
                _, bidder, text = words.split(" ", 2)
                if self._is_judged(bidder):
                    self._close((bidder, text), number)
            elif RULED.fullmatch(words):
                self._close(next(verb for verb, begin in AUCTIONEER_COMMANDS.items() if words.startswith(begin)), number)
        self._checked = self._history.last

    def _check_price(self, number, amount, bidder):
        """The bid was made for a maximum, or its answer was lost; a bid of more may have bought the lot."""
        if not self._is_judged(bidder) or amount <= self._maxima.get((self._history.lot(number), bidder), 0):
            return
        is_bought = any(count > 0 and key[0] == bidder and isinstance(key[1], (int, float)) and key[1] > amount
                        for key, count in self._open.items() if isinstance(key, tuple))
        if self._open[bidder, amount] > 0 or not is_bought:
            self._close((bidder, amount), number)

    def _is_judged(self, bidder):
        return self._bidders is None or bidder in self._bidders

    def _close(self, command, number):
        """Takes one unanswered command for the cause of an event."""
        check(self._open[command] > 0, "an event that no command has caused", f"{number} {self._history.event(number)}")
        self._open[command] -= 1


class Answers:
    """Judges the answers of one connection in one room."""

    def __init__(self, judge: RoomJudge, stay: Stay):
        self._judge_of_room, self._room, self._stay = judge, judge.room, stay
        self._history: History = judge.room.history
        self._name = stay.name
        self.judged = self.secrets = 0
        self.claims: dict[int, str] = {}
        """The acknowledged command of each event, by event number."""
        self.open = collections.Counter()
        """The unanswered commands that may have an event: bids by bidder and amount, words by bidder, and rulings."""
        self.maxima: dict[tuple[int, str], int] = {}
        """By lot and name: the highest maximum bid, acknowledged or not."""

    def judge(self, lines: list[PlacedLine]):
        """Judges every line that the connection received."""
        commands, who, byes = collections.deque(self._stay.sent), [], set()
        for line in lines:
            match line.fields["type"]:
                case "who":
                    who.append(line.fields["bidder"])
                case "bye":
                    byes.add(line.fields.get("content"))
                case "purse" | "worth" | "max" | "yours" | "you":
                    check(self._name, f"{self._stay.label}: a private line without a name", line.fields)
                case "ok" | "error":
                    check(commands, f"{self._stay.label}: an answer to no command", line.fields)
                    self._judge(commands.popleft(), line, who)
                    self.judged += 1
                    who = []
        check(not commands or self._stay.was_cut or byes - {"end"},
              f"{self._stay.label}: no answer to {commands[0].text if commands else ''!r}")
        names = [self._name] if self._name else []
        for command in commands:
            self._leave_open(command, names)

    def _judge(self, command: Sent, line: PlacedLine, who: list[str]):
        """Fails unless the answer is right; `who` are the names since the last answer."""
        tag, verb, rest = split(command.text)
        if verb == "format":
            return None
        first, fields = self._judge_of_room.known(command.moment), line.fields
        self._require(fields.get("tag") == tag, "the answer to another command", command, line)
        self._require(first <= line.place, f"event {first} was known before", command, line)
        events = range(first, line.place + 1)
        if fields["type"] == "error":
            return self._judge_error(fields, command, line, events)
        word, *words = fields["content"].split()
        if word in OFFERS:
            self._require(verb in (*OFFERS, "max") and (word != "bid" or words == rest.split()),
                          "the answer to another bid", command, line)
            return self._judge_offer(words, command, line, events)
        self._require(word == verb, "the answer to another command", command, line)
        if verb in AUCTIONEER_COMMANDS:
            self._judge_ruling(verb, rest, command, line, events)
        elif verb == "max":
            self._note_maximum(self._name, rest, self._history.lot(line.place))
            self._require(words[0] == "0" or self._has_note(line, f"MAX {self._name} ", words[0]),
                          "a maximum was accepted that the journal does not have", command, line)
        elif verb in ("say", "react"):
            word = "SAID" if verb == "say" else "REACTED"
            self._claim(f"{word} {self._name} {' '.join(rest.split())}", command, line)
        elif verb == "add":
            self._require(self._has_note(line, "ADD ", rest.strip()), "a lot was added, and is lost", command, line)
        elif verb == "name":
            self._name, token = words
            hashes = self._room.token_hashes
            self._require(hashes is None or hash_of(token) in hashes[self._name],
                          "a token that the journal does not have", command, line)
        elif verb in ("join", "open"):
            room, *key = words
            is_key = [hash_of(word) for word in key] == ([self._room.key_hash] if verb == "open" else [])
            self._require(room == self._stay.room and is_key, "the answer in another room", command, line)
        elif verb == "who":
            self._require(len(who) == int(words[0]) and any(
                set(who) == self._history.present(event) for event in events),
                f"never were exactly these present: {who}", command, line)
        return None

    def _judge_offer(self, words, command, line, events):
        """An accepted bid is the next event, a sealed bid is in the journal, or the bid leads already."""
        amount, price = words[0], f"PRICE {words[0]} {self._name} "
        if split(command.text)[1] == "max":
            self._note_maximum(self._name, split(command.text)[2], self._history.lot(line.place))
            return self._require(any(self._history.event(line.place + number).startswith(price)
                                     for number in range(1, MOST_AUTOMATIC + 1)), "nothing was bought", command, line)
        if self._history.is_new_price(line.place + 1) and self._history.event(line.place + 1).startswith(price):
            return self._claim(price, command, line)
        terms = self._history.state(line.place).get("TERMS", "")
        if re.search("format=(?!english|dutch)", terms):
            is_accepted = self._has_note(line, f"BID {self._name} ", amount)
        else:
            is_accepted = any(self._history.state(event).get("PRICE", "").startswith(price) for event in events)
        return self._require(is_accepted, "an accepted bid is not the next event, nor did it lead", command, line)

    def _judge_ruling(self, verb, rest, command, line, events):
        is_idle = {"pause": True, "resume": False}.get(verb)
        if is_idle is None or not any(("PAUSED" in self._history.state(event)) == is_idle for event in events) \
                or self._history.event(line.place + 1) == AUCTIONEER_COMMANDS[verb]:
            self._claim(AUCTIONEER_COMMANDS[verb] + (rest if verb == "kick" else ""), command, line)
            self._require(RULED.fullmatch(self._history.event(line.place + 1)), "the lot ended otherwise", command, line)

    def _judge_error(self, fields, command, line, events):
        """A refusal that tells a state tells one that was true in the meantime."""
        states = [self._history.state(event) for event in events]
        if fields["code"] == "leading":
            price = f"PRICE {fields['price']} {self._name} "
            self._require(any(state.get("PRICE", "").startswith(price) for state in states), "never led", command, line)
        elif fields["code"] == "paused":
            self._require(any("PAUSED" in state for state in states), "the sale was not paused", command, line)

    def _has_note(self, line, begin, amount) -> bool:
        """Whether the journal has this note of the lot, if there is a journal."""
        self.secrets += self._room.notes is not None
        return self._room.notes is None or (self._history.lot(line.place), f"{begin}{amount}") in self._room.notes

    def _note_maximum(self, name, rest, lot):
        self.maxima[lot, name] = max(int(rest), self.maxima.get((lot, name), 0))

    def _claim(self, begin, command, line):
        """Requires that the next event begins so, and that it belongs to this command alone."""
        self._require(self._history.event(line.place + 1).startswith(begin), "it is not the next event", command, line)
        claim = f"{self._stay.label}: {command.text} ({command.moment})"
        self._require(self.claims.setdefault(line.place + 1, claim) == claim, "one event was acknowledged twice", command, line)

    def _leave_open(self, command: Sent, names: list[str]):
        """Records an unanswered command, which the server may have carried out or not.

        The connection may have any of `names`; an unanswered `name` adds one.
        """
        _, verb, rest = split(command.text)
        if verb in AUCTIONEER_COMMANDS:
            self.open[verb] += 1
        elif verb == "name" and rest.strip() and not self._name:
            names.append(rest.split()[0])
        for name in names:
            if verb in OFFERS:
                self.open[name, int(rest) if rest.strip().isdigit() else math.inf] += 1
            elif verb in ("say", "react"):
                self.open[name, " ".join(rest.split())] += 1
            elif verb == "max":
                first = self._judge_of_room.known(command.moment)
                for lot in range(self._history.lot(first), self._history.newest_lot + 1):
                    self._note_maximum(name, rest, lot)

    def _require(self, fact, complaint, command, line):
        if not fact:
            raise Failure(f"{self._stay.label}: {complaint}", f"sent: {command.text}", f"received: {line.fields}",
                          *(f"event {number}: {self._history.event(number)}" for number in range(line.place - 2, line.place + 3)))


CLOCK = frozenset(("lot", "terms", "price", "countdown", "winner", "passed", "paused", "resumed", "voided", "hammered"))
"""What begins, tells or ends a countdown."""
IN_TIME = 0.25
"""The most seconds by which a line may come after its time."""
TOLERANCE = 0.05
"""The most seconds by which a line may come sooner than the line before it announced."""
MACHINE_LATE = 0.1
"""Seconds that the machine must have stood still for a countdown to restart by itself."""


def check_times(connection: Connection, delays) -> list[tuple[float, float, str]]:
    """Returns when each line of a countdown was due, its own delay in seconds, and what it was.

    Each is due by the time left that the first line told. What is told late begins when it was told: all that follows
    moves, beyond the tolerance.

    - Throws: `Failure` if the hammer fell early by the server's own times, and `Late` if a line was late, less the
      delays of the machine.
    """
    late, end, shown, hammer, has_terms = [], 0.0, None, 0, False
    for line in connection.received:
        fields = parse(line.text)
        word, number, is_counted = fields["type"], fields.get("seconds", 0), False
        if "seq" not in fields or word not in CLOCK:
            continue
        # A line without the remaining time does not move the end.
        moved, remaining = "remainingMilliseconds" in fields.get("state", {}), 0
        if moved:
            remaining = fields["state"]["remainingMilliseconds"] or 0
        elapsed = fields.get("leadingElapsedMilliseconds", fields.get("elapsedMilliseconds"))
        if word == "countdown" and shown is not None and number > shown:
            if delays.between(line.at - shown - 2, line.at) < MACHINE_LATE:
                raise Late("a countdown restarted by itself, and the machine was not late", line.text)
        elif shown is not None and word in ("countdown", "winner"):
            number = number if word == "countdown" else 0
            late.append((end - number, own_delay(line.text, end - number, line.at, delays), word))
            end += max(0.0, line.at - (end - number) - TOLERANCE) if number else 0
            is_counted = True
        check(word != "winner" or elapsed >= hammer, "the hammer fell before its time", line.text)
        if word != "countdown":
            # A lot with terms may have a price that wins at once.
            has_terms = word == "terms" or has_terms and word != "lot"
            if word != "price" or has_terms:
                hammer = 0
            elif moved:
                hammer = elapsed + remaining
        shown = number if word == "countdown" else None
        if not is_counted and moved:
            end = line.at + remaining / 1000
    return late


def own_delay(what: str, due: float, at: float, delays) -> float:
    """The seconds by which the server was late, less the delays of the machine; fails if they are too many."""
    own = max(0.0, at - due - delays.between(due, at))
    if own > IN_TIME:
        raise Late(f"{what} came {(at - due) * 1e3:.0f} ms after its time, {own * 1e3:.0f} ms of it by the server")
    return own
