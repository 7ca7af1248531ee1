"""Judges what clients of several nodes received against the stream: the same events at all nodes, and no other.

All connections ask for JSON. What is judged:

- The stream: no message is missing or there twice, and each is by the owner of its room, which compared its position.
  Each lot ends once, and is won by the bidder who led. Each sealed bid is revealed.
- News: each line is the event of its number in the stream, came after that event was put there, and follows the line
  before without a gap. Each snapshot is the state after its event. So the observers of all nodes received one order.
- The state: what news changes for a client is the same at all nodes, apart from times.
- Answers: each accepted bid is in the stream once, and each bid in the stream was sent, and not refused.
- A takeover: an open lot with a bid gets its full seconds again.
"""

from __future__ import annotations

import collections
import time
from typing import NamedTuple

from checks import Failure, check
from history import History
from nats import Stored
from protocol import Connection, is_told, parse, split
from stream import Stream, StreamRoom

CLAIM = 65.0
"""Seconds after which a claim of a name that no room has used counts no more."""
TIMES = "remainingMilliseconds", "elapsedMilliseconds", "nextMilliseconds"
"""The members of a state that each node measures by itself."""
CLOCKS = 0.1
"""Seconds by which a line may seem to come too early: a busy machine stands still between two readings of its clocks."""


class Recording(NamedTuple):
    """What happened to a cluster."""

    messages: list[Stored]
    """All of the stream."""
    connections: list[Connection]
    """The label of each is the name of the client, `@`, and the node."""
    observers: list[Connection]
    """Those that must have received everything until now."""
    results: dict[str, dict[str, list[str]]]
    """By room and node: the lines with which it lists all lots that have ended."""
    seconds: dict[str, int]
    """The full countdown of each room."""


class Figures(NamedTuple):
    """How much was judged."""

    events: int
    acknowledged: int
    lots: int
    lines: int
    takeovers: int


def judge(recording: Recording) -> Figures:
    """Fails unless all that was recorded is as the protocol promises."""
    stream = Stream().read(recording.messages)
    for name, room in stream.rooms.items():
        _check_lots(name, room)
        if name in recording.seconds:
            _check_takeovers(name, room, recording.seconds[name])
    wall = time.time() - time.monotonic()
    offers, followers, states = Offers(stream.rooms), [], {}
    for connection in recording.connections:
        followers.append(Reader(stream.rooms, connection, offers, states, wall))
        followers[-1].read()
    offers.check()
    for follower in followers:
        if follower.connection in recording.observers:
            last = stream.rooms[follower.room].history.last
            check(follower.place == last, f"{follower.connection.label} received {follower.room} until event "
                  f"{follower.place}, not {last}")
    for name, room in stream.rooms.items():
        for node, lines in recording.results.get(name, {}).items():
            _check_results(name, node, lines, room.history)
    rooms = stream.rooms.values()
    return Figures(sum(room.history.last for room in rooms), offers.acknowledged,
                   sum(len(room.history.winners()) for room in rooms),
                   sum(len(connection.received) for connection in recording.connections),
                   sum(max(0, len(room.takeovers) - 1) for room in rooms))


class Reader:
    """Follows one connection through its rooms."""

    def __init__(self, rooms: dict[str, StreamRoom], connection: Connection, offers: Offers, states: dict, wall: float):
        """`states` is shared by all readers; `wall` is what turns the moments of the connection into the time of day."""
        self.connection, self.room, self.place = connection, "main", 0
        """The room in which it is, and the last event that it received there."""
        self._rooms, self._offers, self._wall = rooms, offers, wall
        who, _, self._node = connection.label.partition("@")
        self._name = who
        self._states = states
        """By room and event: what the event changed, and at which node."""
        self._commands = collections.deque(line.text for line in connection.sent if line.text.strip())
        self._snapshot: list[dict] = []

    def read(self):
        """Judges each line."""
        for line in self.connection.received:
            fields = parse(line.text)
            check(not line.text.startswith("{") or "time" in fields, f"{self.connection.label}: a message has no time", line.text)
            if fields["type"] == "hello" and "room" in fields:
                self.room, self.place = fields["room"], 0
                check(fields.get("node") == self._node, f"{self.connection.label}: was greeted by another node", line.text)
            elif "snapshot" in fields:
                self._read_snapshot(fields, line)
            elif "seq" in fields:
                self._read_news(fields, line)
            elif fields["type"] in ("ok", "error"):
                check(self._commands, f"{self.connection.label}: an answer to no command", line.text)
                self._offers.answer(self.room, self._name, self._commands.popleft(), fields, self.place, line.at)
        for command in self._commands:
            self._offers.leave_open(self.room, self._name, command)

    def _read_snapshot(self, fields, line):
        if fields["type"] != "state":
            return self._snapshot.append(fields)
        number, snapshot = fields["seq"], self._snapshot
        history, self._snapshot = self._rooms[self.room].history, []
        if not snapshot and number == self.place:
            # The state alone, after `resume`.
            return None
        state = history.state(number).values() if 0 < number <= history.last else ()
        check(self.place <= number and len(state) == len(snapshot)
              and all(any(is_told(told, words) for words in state) for told in snapshot),
              f"{self.connection.label}: event {number} of {self.room} has another snapshot", *state, line.text)
        self.place = number
        return None

    def _read_news(self, fields, line):
        number, room = fields["seq"], self._rooms[self.room]
        if number != self.place + 1 and self._commands and self._commands[0] == f"resume {number - 1}":
            self.place = number - 1
        check(number == self.place + 1 or not self.place,
              f"{self.connection.label}: event {self.place} of {self.room} is followed by {number}", line.text)
        words = room.history.event(number)
        check(words, f"{self.connection.label}: event {number} of {self.room} is not in the stream", line.text)
        check(is_told(fields, words), f"{self.connection.label}: event {number} of {self.room} is another one in the stream",
              words, line.text)
        stored = room.stored[number - 1].time
        check(line.at + self._wall >= stored - CLOCKS, f"{self.connection.label}: event {number} of {self.room} was told "
              f"{stored - line.at - self._wall:.3f} s before it was in the stream", line.text)
        self._compare_state(fields, line)
        self.place = number

    def _compare_state(self, fields, line):
        if "state" not in fields:
            # The news that `resume` repeats has none.
            return
        state = {name: value for name, value in fields["state"].items() if name not in TIMES}
        other, node = self._states.setdefault((self.room, fields["seq"]), (state, self._node))
        check(state == other, f"{self.connection.label}: event {fields['seq']} of {self.room} changes another state than at "
              f"{node}", other, line.text)


class Offers:
    """The bids of all connections, and what became of them."""

    def __init__(self, rooms: dict[str, StreamRoom]):
        self._rooms = rooms
        self.acknowledged = 0
        self._sent = collections.Counter()
        """By room, lot, bidder and amount: how often it was sent and perhaps accepted."""
        self._refused: dict[str, float] = {}
        """By name: since when it is taken, although its bidder has the token."""
        self._bid: dict[str, float] = {}
        """By name: when its first accepted bid was answered."""

    def answer(self, room: str, name: str, command: str, fields: dict, place: int, at: float):
        """Judges the answer to a command; `place` is the last event before it, and `at` is when it came."""
        _, verb, rest = split(command)
        if verb == "name":
            self._judge_name(name, rest.split(), fields, at)
        check(verb == "name" or fields.get("code") != "wrong-token", f"{name}: has lost its name", command, fields)
        check(verb != "resume" or fields.get("code") in (None, "gone"), f"{name}: missed news is not told", command, fields)
        if verb != "bid":
            return
        offer = self._offer(room, name, command)
        if fields["type"] == "error":
            return
        _, lot, _, amount = offer
        self._sent[offer] += 1
        self._bid[name] = min(at, self._bid.get(name, at))
        self.acknowledged += 1
        if (lot, f"BID {name} {amount}") in self._rooms[room].notes:
            return
        found = self._rooms[room].prices.get(offer[1:], [])
        check(found, f"{name}: an accepted bid is not in the stream", command, fields)
        check(found[0] <= place + 1, f"{name}: an accepted bid is event {found[0]} of {room}, and was answered after event "
              f"{place}", command)

    def _judge_name(self, name, words, fields, at):
        """Fails if a token does not open its name.

        It may be refused while a claim counts that no room has used. A name without a bid is free when its connection is
        lost; if it is taken again, and the answer is lost, nobody has its new token.
        """
        code = fields.get("code")
        since = self._refused.setdefault(name, at) if code == "name-taken" and len(words) == 2 else at
        has_bid = self._bid.get(name, at) < at
        check(not (has_bid and code == "wrong-token") and at - since < CLAIM,
              f"{name}: a token does not open its name any more", fields)
        if fields["type"] == "ok":
            self._refused.pop(name, None)

    def leave_open(self, room: str, name: str, command: str):
        """Takes a command that was not answered."""
        if split(command)[1] == "bid":
            self._sent[self._offer(room, name, command)] += 1

    def check(self):
        """Fails unless each bid in the stream was sent once or more, and is there once."""
        for name, room in self._rooms.items():
            for offer, events in room.prices.items():
                check(len(events) == 1, f"a bid is in the stream {len(events)} times", name, *offer, *events)
                check(self._sent[name, *offer], "a bid in the stream was not sent, or was refused", name, *offer, *events)

    @staticmethod
    def _offer(room, name, command) -> tuple[str, int, str, int]:
        words = command.split()
        return room, int(words[-1].removeprefix("lot=")), name, int(words[-2])


def _check_lots(name, room):
    """Fails unless each lot ended once, and before the next one opened."""
    ended, lot = collections.Counter(), 0
    for number, words in enumerate(room.history.words, 1):
        word = words.partition(" ")[0]
        if word == "LOT":
            check(not lot or ended[lot] == 1, f"lot {lot} of {name} has not ended", f"{number} {words}")
            check(int(words.split()[1]) == lot + 1, f"lot {lot} of {name} is followed by another one", f"{number} {words}")
            lot += 1
        elif word in ("WINNER", "PASSED"):
            ended[lot] += 1
            check(ended[lot] == 1, f"lot {lot} of {name} ended twice", f"{number} {words}")


def _check_results(name, node, lines, history: History):
    """Fails unless a node lists the winners of the stream."""
    listed = [(int(words[1]), words[5], words[2], int(words[3])) for words in (line.split(" ", 5) for line in lines)
              if words[3] != "-"]
    if listed != history.winners():
        raise Failure(f"{node} lists other winners of {name}", *set(listed) ^ set(history.winners()))


def _check_takeovers(name, room, seconds):
    """Fails unless an open lot with a bid gets its full seconds from a new owner."""
    for before, takeover in zip(room.takeovers, room.takeovers[1:]):
        event = takeover.event
        state = room.history.state(event) if event else {}
        if takeover.instance == before.instance or "PRICE" not in state or "WINNER" in state or "PASSED" in state:
            continue
        last = state.get("COUNTDOWN", "")
        following = next((words for words in room.history.words[event:]
                          if words.split()[0] in ("PRICE", "COUNTDOWN", "WINNER", "PASSED")), f"COUNTDOWN {seconds}")
        # The full number is not repeated if it was the last one.
        allowed = [f"COUNTDOWN {seconds}", *([f"COUNTDOWN {seconds - 1}"] if last == f"COUNTDOWN {seconds}" else [])]
        check(following in allowed or following.startswith("PRICE "),
              f"{name} has not its full seconds again after event {event}, which {takeover.node} took over", following)
