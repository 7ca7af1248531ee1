"""Judges a transcript: everybody heard one game, and each answer was right at a moment of its own.

The news are one order of events. An answer has a place in them: that of the news which its connection
heard last before it. It is right if it tells the truth about the state after some event from the last
one that anybody here knew of when the command was sent, up to its own place. A bid or a ruling that
was accepted must be the very next event, and each such event belongs to one command.
"""

from __future__ import annotations

import bisect
import collections
import re
from typing import NamedTuple

from game import Game
from transcript import Connection, Message, Said, Transcript, parse
from violation import Violation

LONGEST_SNAPSHOT = 5
FAULTS = {"bid": {"too-low", "leading", "closed", "paused", "not-named", "bad-amount"},
          "name": {"name-taken", "wrong-token", "already-named", "slow-down", "kicked"},
          "pause": {"closed"}, "resume": {"closed"}, "hammer": {"closed", "no-bids"},
          "void": {"closed", "no-bids"}, "close": {"closed"}, "kick": {"not-here"},
          "laps": {"unavailable"}}
RULINGS = {"pause": "PAUSED", "resume": "RESUMED", "hammer": "HAMMERED", "void": "VOIDED ",
           "kick": "KICKED ", "close": "PASSED "}
NEWEST = 20
COMMAND = re.compile(r"(?:#(\w+) +)?(\S+) *(.*)")


def judge(transcript: Transcript) -> tuple[Game, dict[str, int]]:
    """The game that the transcript tells of, and how much was judged.

    - Throws: `Violation` where there can be no such game.
    """
    game = retell(transcript.connections[0], transcript.seconds)
    if transcript.journal is not None:
        compare(transcript.journal, game)
    court = Court(game)
    for connection in transcript.connections:
        court.place(connection)
    for connection in transcript.connections:
        court.hear(connection)
    court.check_unclaimed()
    return game, {"news": len(game.words), "answers": court.judged,
                  "answers in parts": court.in_parts, "connections": len(transcript.connections)}


def retell(scribe: Connection, seconds: int) -> Game:
    """The game as the scribe heard it, by the numbers of its events."""
    game = None
    for heard in scribe.heard:
        message = parse(heard.text)
        if message.kind == "skipped":
            raise Violation("the scribe missed news", heard.text)
        if message.seq is None:
            continue
        if game is None:
            game = Game(seconds, message.seq)
        if message.seq != game.last + 1:
            raise Violation(f"{scribe.label}: after event {game.last} was told {message.seq}", heard.text)
        game.take(message.words)
    if game is None:
        raise Violation("the scribe heard nothing")
    return game


def compare(journal: list[str], game: Game):
    """Fails unless the journal has the same events; it may end with some that nobody was told."""
    for number in range(game.first, game.last + 1):
        kept = journal[number - 1] if number <= len(journal) else None
        if kept != game.event(number):
            raise Violation(f"event {number} is another one in the journal", kept, game.event(number))


class Turn(NamedTuple):
    """A line heard, and the event up to which its connection had heard the news by then."""

    message: Message
    moment: int
    place: int


def turns_from(start, length, items, news) -> list[Turn]:
    """The lines of a connection that came in after an event, with a snapshot of so many lines."""
    turns, place, told = [], start, 0
    for index, (message, moment) in enumerate(items):
        if index in news:
            told += 1
            place += told > length
        turns.append(Turn(message, moment, place))
    return turns


class Court:
    """Everything that is known of one transcript."""

    def __init__(self, game: Game):
        self.game = game
        self.judged = self.in_parts = 0
        self._turns: dict[Connection, list[list[Turn]]] = {}
        """For each place at which a connection may have come in."""
        self._moments: list[int] = []
        self._known: list[int] = []
        self._claims: dict[int, str] = {}
        """By the number of an event: the command to which it was acknowledged."""
        self._open = collections.Counter()
        """Bids without an answer, by bidder and amount."""
        self._owned: dict[str, str] = {}
        """The tokens of names with a bid."""
        self._first_bids = self._find_first_bids()
        self._heard_by: list[tuple[int, int]] = []

    def _find_first_bids(self):
        first = {}
        for number in range(self.game.first, self.game.last + 1):
            if self.game.is_new_price(number):
                first.setdefault(self.game.state(number).bid.bidder, number)
        return first

    # News

    def place(self, connection: Connection):
        """Finds out where in the news the connection came in, and fails unless it heard them all from there."""
        items = [(parse(heard.text), heard.moment) for heard in connection.heard]
        strange = [heard.text for heard, (message, _) in zip(connection.heard, items)
                   if message.kind == "skipped"]
        if strange:
            raise Violation(f"{connection.label} missed news", *strange)
        news = without_status(items)
        if not news:
            # It heard no news: whatever it was told, it was told anywhere.
            self._turns[connection] = [[Turn(message, moment, self.game.last)
                                        for message, moment in items]]
            return
        words = [items[index][0].words for index in news]
        found = self._find(words, [items[index][0].seq for index in news], greeting(items))
        if not found:
            self._complain(connection, words)
        self._turns[connection] = [turns_from(start, length, items, set(news))
                                   for start, length in found]
        # What it certainly knew is what it knew wherever it came in.
        for message, moment, place in min(self._turns[connection], key=lambda turns: turns[0].place):
            if message.kind == "news":
                self._heard_by.append((moment, place))

    def _find(self, words, numbers, longest):
        """After which events the connection may have come in, and how many lines its snapshot has then.

        More than one place is possible where little was heard.
        """
        game, found = self.game, []
        for length in range(min(longest, len(words)) + 1):
            rest = words[length:]
            for place in self._places(rest, numbers[length:]):
                begin = place + 1 - game.first
                if game.state(place).snapshot() == words[:length] \
                        and game.words[begin:begin + len(rest)] == rest:
                    found.append((place, length))
        return sorted(found, reverse=True)

    def _places(self, rest, numbers):
        """Where a connection may have come in that heard these lines behind its snapshot."""
        for index, number in enumerate(numbers):
            if number is not None:
                place = number - index - 1
                return [place] if self.game.first <= place <= self.game.last else []
        if not rest:
            return range(self.game.last, self.game.first - 1, -1)
        first = rest[0]
        return [number - 1 for number in range(self.game.first + 1, self.game.last + 1)
                if self.game.event(number) == first]

    def _complain(self, connection, words):
        """Says where the news of a connection part from those of the game."""
        best, place = -1, 0
        for start in range(self.game.first, self.game.last):
            for length in range(1, LONGEST_SNAPSHOT):
                if self.game.state(start).snapshot() == words[:length]:
                    told = self.game.words[start + 1 - self.game.first:]
                    count = next((index for index, pair in enumerate(zip(told, words[length:]))
                                  if pair[0] != pair[1]), min(len(told), len(words) - length))
                    if count > best:
                        best, place = count, start + count + 1
                        heard = words[length + count:length + count + 3]
        if best < 0:
            raise Violation(f"{connection.label}: what it was told at first holds at no time", *words[:6])
        raise Violation(f"{connection.label}: where event {place} was due it heard other news",
                        f"due: {self.game.event(place)}", f"heard: {heard}")

    # Answers

    def hear(self, connection: Connection):
        """Judges each answer that the connection was given, from some place at which it may have come in."""
        if not self._moments:
            self._learn()
        for number, turns in enumerate(self._turns[connection], start=1):
            witness = Witness(self, connection)
            try:
                witness.hear(turns)
            except Violation:
                if number == len(self._turns[connection]):
                    raise
                continue
            return self._believe(witness)

    def _believe(self, witness):
        """Takes over what follows from the answers of one connection."""
        self.judged += witness.judged
        self.in_parts += witness.in_parts
        self._open += witness.open
        for event, command in witness.claims.items():
            former = self._claims.setdefault(event, command)
            if former != command:
                raise Violation("one event was acknowledged twice", self.game.event(event), former, command)

    def _learn(self):
        """What was known at each moment."""
        highest = self.game.first
        for moment, place in sorted(self._heard_by):
            if place > highest:
                highest = place
                self._moments.append(moment)
                self._known.append(place)

    def known(self, moment: int) -> int:
        """The last event that anybody had heard before the moment."""
        place = bisect.bisect_left(self._moments, moment) - 1
        return self._known[place] if place >= 0 else self.game.first

    def own(self, name: str, token: str, place: int):
        """Fails if a name with a bid has another token than before."""
        if self._first_bids.get(name, place + 1) <= place:
            former = self._owned.setdefault(name, token)
            if former != token:
                raise Violation(f"{name} has bid, and its token changed", former, token)

    def had_bid(self, name: str, place: int) -> bool:
        return self._first_bids.get(name, place + 1) <= place

    def check_unclaimed(self):
        """Each event that somebody must have ordered belongs to an answer, or to a lost one."""
        for number in range(self.game.first, self.game.last + 1):
            if number in self._claims:
                continue
            words = self.game.event(number)
            if self.game.is_new_price(number):
                _, amount, bidder, _, _ = words.split()
                if self._open[bidder, int(amount)] <= 0:
                    raise Violation("a bid that nobody made, or that was refused", f"{number} {words}")
                self._open[bidder, int(amount)] -= 1
            elif words.startswith(("PAUSED", "RESUMED", "HAMMERED", "VOIDED ", "KICKED ")) or \
                    re.match(r"PASSED \d+ closed ", words):
                raise Violation("a ruling that nobody gave", f"{number} {words}")


class Witness:
    """Judges the answers of one connection."""

    def __init__(self, court: Court, connection: Connection):
        self._court, self._game, self._connection = court, court.game, connection
        self._name: str | None = None
        self.judged = self.in_parts = 0
        self._later = 0
        """The last event of the news that came right behind the answer which is judged."""
        self.claims: dict[int, str] = {}
        """By the number of an event: the command to which it was acknowledged."""
        self.open = collections.Counter()
        """Bids without an answer, by bidder and amount."""

    def hear(self, turns: list[Turn]):
        """All that the connection was told, line by line."""
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
        """Fails unless the answer is right; the lines that came before it since the last answer are its data."""
        tag, verb, rest = split(said.text)
        message = turn.message
        if message.tag != tag:
            self._fail("the answer to another command", said, turn)
        first = self._court.known(said.moment)
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
        """A command without an answer, which may have been done or not."""
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
        """The next event is this command's, and nobody else's."""
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
            if self._court.had_bid(name, states[0]):
                self._fail("a name with a bid was given away", said, turn)
            if all(name in self._game.state(place).present for place in states):
                self._fail("a name was given away while somebody was there under it", said, turn)
        self._name = name
        self._court.own(name, token, turn.place)

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
        """The events while a long answer was said.

        It is said in parts, and the news meanwhile behind it: so its parts may be of several
        events, and the last of one that is told right behind it.
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
        first = int(told[0].split()[0]) if told else 0
        true = {f"{bid.number} {bid.amount} {bid.bidder} {bid.time}"
                for state in map(self._game.state, self._while_parts(states)) for bid in state.laps()}
        counts = {state.bid.number if state.bid else 0
                  for state in map(self._game.state, self._while_parts(states))}
        is_in_order = [int(lap.split()[0]) for lap in told] == list(range(first, first + len(told)))
        least = min(NEWEST, *counts) if not numbers else 0
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
        return name in state.present or self._court.had_bid(name, self._game.last)


def split(text: str) -> tuple[str | None, str, str]:
    """The tag, the verb and the rest of a command; a number alone is a bid."""
    tag, verb, rest = COMMAND.fullmatch(text).groups()
    return (tag, "bid", verb) if verb.isdigit() else (tag, verb, rest)


def commands_of(said: list[Said]) -> list[Said]:
    """The lines that are commands: all but blank ones."""
    return [line for line in said if line.text.strip()]


def greeting(items) -> int:
    """How many lines may belong to the snapshot, which comes at once, right behind `HELLO`."""
    count = 0
    while count < min(LONGEST_SNAPSHOT, len(items) - 1) and items[count + 1][0].kind == "news":
        count += 1
    return count


def without_status(items) -> list[int]:
    """The places of the lines that are news or the first snapshot, and not the answer to `status`."""
    news: list[int] = []
    for index, (message, _) in enumerate(items):
        if message.kind == "news":
            news.append(index)
        elif message.kind == "ok" and message.words == "status":
            while news and news[-1] >= index - LONGEST_SNAPSHOT:
                last = items[news.pop()][0].words
                if last.startswith(("LOT ", "WINNER ", "PASSED ")):
                    break
    return news
