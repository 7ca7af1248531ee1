"""Judges the answers of one connection against the states of the game.

Each line has a place: the number of the last event that its connection had received before it. An
answer is right if it is true of the state after some event between two bounds: the last event that
any client knew when the command was sent, and the place of the answer. So it is neither stale nor
ahead of the news. An accepted bid or ruling must be the next event.
"""

from __future__ import annotations

import collections
import re

from game import Game
from places import LONGEST_SNAPSHOT, Turn
from transcript import Connection, Said
from violation import Violation

FAULTS = {"bid": {"too-low", "leading", "closed", "paused", "not-named", "bad-amount"},
          "name": {"name-taken", "wrong-token", "already-named", "slow-down", "kicked"},
          "pause": {"closed"}, "resume": {"closed"}, "hammer": {"closed", "no-bids"},
          "void": {"closed", "no-bids"}, "close": {"closed"}, "kick": {"not-here"},
          "laps": {"unavailable"}}
RULINGS = {"pause": "PAUSED", "resume": "RESUMED", "hammer": "HAMMERED", "void": "VOIDED ",
           "kick": "KICKED ", "close": "PASSED "}
NEWEST = 20
COMMAND = re.compile(r"(?:#(\w+) +)?(\S+) *(.*)")


class Answers:
    """Judges the answers of one connection."""

    def __init__(self, facts, connection: Connection):
        """`facts` are about all connections, such as which names had bid by an event."""
        self._facts, self._connection = facts, connection
        self._game: Game = facts.game
        self._name: str | None = None
        self.judged = self.in_parts = 0
        self._later = 0
        """The last event of the news directly after the answer that is judged."""
        self.claims: dict[int, str] = {}
        """The acknowledged command of each event, by event number."""
        self.open = collections.Counter()
        """The unanswered bids, by bidder and amount."""

    def hear(self, turns: list[Turn]):
        """Judges every line that the connection received."""
        commands = collections.deque(commands_of(self._connection.said))
        data: list[str] = []
        byes = set()
        for index, turn in enumerate(turns):
            kind, words = turn.message.kind, turn.message.words
            if kind in ("data", "news"):
                data.append(words)
            elif kind == "bye":
                byes.add(words)
            elif kind in ("ok", "error"):
                if not commands:
                    raise Violation(f"{self._connection.label}: an answer to no command", words)
                self._later = next((later.place for later in turns[index + 1:]
                                    if later.message.kind != "news"), turns[-1].place)
                self.judge(commands.popleft(), turn, data)
                self.judged += 1
                data = []
        if commands and not self._connection.was_cut and not byes - {"end"}:
            raise Violation(f"{self._connection.label}: no answer to {commands[0].text!r}")
        for said in commands:
            self._leave_open(said)

    def judge(self, said: Said, turn: Turn, before: list[str]):
        """Fails unless the answer is right; the data lines since the last answer belong to it."""
        tag, verb, rest = split(said.text)
        message = turn.message
        if message.tag != tag:
            self._fail("the answer to another command", said, turn)
        first = self._facts.known(said.moment)
        states = range(max(self._game.first, min(first, turn.place)), turn.place + 1)
        if first > turn.place:
            self._fail(f"event {first} was known, and the answer is of event {turn.place}", said, turn)
        if message.kind == "error":
            return self._judge_error(verb, rest, said, turn, states)
        if message.words.split(" ")[0] != verb:
            self._fail("the answer to another command", said, turn)
        if verb in RULINGS:
            return self._judge_ruling(verb, rest, said, turn, states)
        judge = getattr(self, f"_judge_{verb}", None)
        return judge(rest, said, turn, states, before) if judge else None

    def _leave_open(self, said: Said):
        """Records an unanswered command, which the server may have carried out or not."""
        _, verb, rest = split(said.text)
        if verb == "bid" and self._name and rest.strip().isdigit():
            self.open[self._name, int(rest)] += 1

    def _fail(self, complaint, said, turn):
        place = turn.place
        raise Violation(f"{self._connection.label}: {complaint}", f"said: {said.text}",
                        f"heard: {turn.message.kind.upper()} {turn.message.words}",
                        *(f"event {number}: {self._game.event(number)}"
                          for number in range(max(place - 2, self._game.first), place + 2)))

    def _claim(self, said, turn):
        """Requires that the next event belongs to this command."""
        command = f"{self._connection.label}: {said.text} ({said.moment})"
        if self.claims.setdefault(turn.place + 1, command) != command:
            self._fail("one event was acknowledged twice", said, turn)

    def _next(self, turn):
        return self._game.event(turn.place + 1) or ""

    def _judge_bid(self, rest, said, turn, states, before):
        amount = int(rest)
        if turn.message.words != f"bid {amount}" or not self._name:
            self._fail("the answer to another bid, or to nobody's", said, turn)
        if self._game.is_new_price(turn.place + 1) and \
                self._next(turn).startswith(f"PRICE {amount} {self._name} "):
            self._claim(said, turn)
        elif not any(self._leads(self._game.state(place), amount) for place in states):
            self._fail("an accepted bid is not the next event, nor did it lead", said, turn)

    def _leads(self, state, amount):
        return bool(state.is_open and state.bid) and (state.bid.bidder, state.bid.amount) == (
            self._name, amount)

    def _judge_name(self, rest, said, turn, states, before):
        _, name, token = turn.message.words.split(" ")
        asked, _, proof = rest.partition(" ")
        if name != asked:
            self._fail("another name", said, turn)
        if proof.strip() != token and self._name is None:
            if self._facts.had_bid(name, states[0]):
                self._fail("a name with a bid was given away", said, turn)
            if all(name in self._game.state(place).present for place in states):
                self._fail("a name was given away while somebody was there under it", said, turn)
        self._name = name
        self._facts.own(name, token, turn.place)

    def _judge_ruling(self, verb, rest, said, turn, states):
        expected = RULINGS[verb] + (rest if verb == "kick" else "")
        if self._next(turn).startswith(expected) and (
                verb != "close" or self._next(turn).split()[2] == "closed"):
            return self._claim(said, turn)
        idle = {"pause": True, "resume": False}.get(verb)
        if idle is None or not any(self._game.state(place).is_paused == idle for place in states):
            self._fail("a ruling is not the next event", said, turn)
        return None

    def _judge_status(self, rest, said, turn, states, before):
        for place in states:
            snapshot = self._game.state(place).snapshot()
            if not snapshot or before[-len(snapshot):] == snapshot:
                return
        self._fail(f"such a state there never was: {before[-LONGEST_SNAPSHOT:]}", said, turn)

    def _judge_who(self, rest, said, turn, states, before):
        count = int(turn.message.words.split()[1])
        names = [line.split()[1] for line in before if line.startswith("WHO ")]
        if len(names) != count or len(set(names)) != count:
            self._fail(f"{count} were announced, and {names} told", said, turn)
        if any(self._game.state(place).present == frozenset(names) for place in states):
            return
        present = [self._game.state(place).present for place in self._while_parts(states)]
        if not frozenset.intersection(*present) <= frozenset(names) <= frozenset.union(*present):
            missing = self._game.state(turn.place).present ^ frozenset(names)
            self._fail(f"never were just these there: {sorted(missing)}", said, turn)

    def _while_parts(self, states):
        """The events up to the end of a long answer.

        The server sends it in parts, and holds news back until it is complete. So its parts can be
        true at different events, the last part even at an event that comes right after the answer.
        """
        self.in_parts += 1
        return range(states[0], max(self._later, states[-1]) + 1)

    def _judge_laps(self, rest, said, turn, states, before):
        count = int(turn.message.words.split()[1])
        told = [line[4:] for line in before if line.startswith("LAP ")]
        numbers = [int(word) for word in rest.split()]
        for place in states:
            state = self._game.state(place)
            if (state.bid.number if state.bid else 0) != count:
                continue
            first = numbers[0] if numbers else max(count - NEWEST, 0) + 1
            last = first + (numbers[1] if len(numbers) > 1 else NEWEST) - 1
            laps = [f"{bid.number} {bid.amount} {bid.bidder} {bid.time}" for bid in state.laps()
                    if first <= bid.number <= last]
            if laps[::-1] == told:
                return
        meanwhile = self._while_parts(states)
        first = int(told[0].split()[0]) if told else 0
        true = {f"{bid.number} {bid.amount} {bid.bidder} {bid.time}"
                for state in map(self._game.state, meanwhile) for bid in state.laps()}
        counts = {state.bid.number if state.bid else 0 for state in map(self._game.state, meanwhile)}
        is_in_order = [int(lap.split()[0]) for lap in told] == list(range(first, first + len(told)))
        # A bid that is voided while the answer is sent is missing at the end.
        voids = sum(self._game.event(place).startswith("VOIDED ") for place in meanwhile)
        least = min(NEWEST, *counts) - voids if not numbers else 0
        if count not in counts or not is_in_order or len(told) < least or not true.issuperset(told):
            self._fail(f"such laps there never were: {told}", said, turn)

    def _judge_error(self, verb, rest, said, turn, states):
        code = turn.message.words.split(" ")[0]
        if code not in FAULTS.get(verb, ()):
            self._fail("refused for no reason that there could be", said, turn)
        if code == "not-named":
            if self._name:
                self._fail("who has a name has none", said, turn)
            return
        judge = getattr(self, "_is_" + code.replace("-", "_"), None)
        if judge and not any(judge(self._game.state(place), rest, turn.message) for place in states):
            self._fail("refused for a reason that there never was", said, turn)

    def _is_too_low(self, state, rest, message):
        return (state.is_open and not state.is_paused and int(rest) < state.minimum()
                and message.fact("minimum") == state.minimum())

    def _is_leading(self, state, rest, message):
        return bool(state.is_open and state.bid and not state.is_paused and state.bid.bidder == self._name
                    and message.fact("price") == state.bid.amount)

    def _is_closed(self, state, rest, message):
        return not state.is_open or state.is_hammered

    def _is_paused(self, state, rest, message):
        return state.is_paused

    def _is_no_bids(self, state, rest, message):
        return state.bid is None

    def _is_not_here(self, state, rest, message):
        return rest.split()[0] not in state.present

    def _is_name_taken(self, state, rest, message):
        name = rest.split()[0]
        return name in state.present or self._facts.had_bid(name, self._game.last)


def split(text: str) -> tuple[str | None, str, str]:
    """The tag, the verb and the rest of a command; a number alone is a bid."""
    tag, verb, rest = COMMAND.fullmatch(text).groups()
    return (tag, "bid", verb) if verb.isdigit() else (tag, verb, rest)


def commands_of(said: list[Said]) -> list[Said]:
    """The lines that are commands: all except blank ones."""
    return [line for line in said if line.text.strip()]
