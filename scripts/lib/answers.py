"""Judges the answers of one connection against the states of the game.

Each line has a place: the number of the last event that its connection had received before it. An
answer is right if it is true of the state after some event between two bounds: the last event that
any client knew when the command was sent, and the place of the answer. So it is neither stale nor
ahead of the news. An accepted bid or ruling must be the next event.
"""

from __future__ import annotations

import collections
import re

from checks import Failure
from game import Game
from game_answers import GameAnswers
from places import LONGEST_SNAPSHOT, PlacedLine
from protocol import Connection, Sent

OFFERS = ("bid", "take", "buy", "max")
OF_OFFERS = {"closed", "other-lot", "paused", "not-named", "over-purse"}
REFUSALS = {"bid": {*OF_OFFERS, "too-low", "outbid", "leading", "bad-amount"}, "take": {*OF_OFFERS, "wrong-format"},
          "buy": {*OF_OFFERS, "no-buy-price"},
          "max": {*OF_OFFERS, "too-low", "outbid", "bad-amount", "wrong-format"},
          "say": {"not-named", "muted", "slow-down", "bad-arguments"},
          "mute": {"not-here", "not-auctioneer"}, "unmute": {"not-here", "not-auctioneer"},
          "add": {"bad-option", "bad-arguments", "closed", "full"},
          "name": {"name-taken", "wrong-token", "already-named", "slow-down", "kicked"},
          "auctioneer": {"wrong-token", "slow-down"}, "stop": {"not-auctioneer"},
          "end": {"not-auctioneer", "no-room", "bad-arguments"},
          "pause": {"closed", "not-auctioneer"}, "resume": {"closed", "not-auctioneer"},
          "hammer": {"closed", "no-bids", "not-auctioneer"}, "close": {"closed", "not-auctioneer"},
          "void": {"closed", "no-bids", "wrong-format", "not-auctioneer"}, "kick": {"not-here", "not-auctioneer"},
          "laps": {"unavailable"}, "who": {"unavailable"},
          "join": {"no-room", "kicked", "full", "bad-arguments"},
          "open": {"room-taken", "bad-option", "bad-arguments", "full"}, "rooms": {"bad-arguments"}}
ANSWERS = {"bid": ("bid", "take", "buy"), "max": ("max", "buy")}
"""The words of answers, where they are others than that of the command: they say what happened."""
RULINGS = {"pause": "PAUSED", "resume": "RESUMED", "hammer": "HAMMERED", "void": "VOIDED ",
           "kick": "KICKED ", "close": "PASSED "}
NEWEST = 20
COMMAND = re.compile(r"(?:#(\w+) +)?(\S+) *(.*)")
LOT = re.compile(r"(?:^| )lot=(\d+)$")


class Answers(GameAnswers):
    """Judges the answers of one connection."""

    def __init__(self, facts, connection: Connection):
        """`facts` are about all connections, such as which names had bid by an event."""
        self._facts, self._connection = facts, connection
        self._game: Game = facts.game
        self._name, self._is_auctioneer = connection.name, False
        self.judged = self.in_parts = 0
        self._later = 0
        """The last event of the news directly after the answer that is judged."""
        self.claims: dict[int, str] = {}
        """The acknowledged command of each event, by event number."""
        self.joins: set[int] = set()
        """The `JOINED` events of its bidder."""
        self.open = collections.Counter()
        """The unanswered commands that may have an event: bids by bidder and amount, names, and rulings."""
        self.maxima: set[tuple[int, str]] = set()
        """The lots and names for which a maximum bid was made, or may have been."""
        self.sealed: list[tuple[int, str, int, int]] = []
        """The lot, the name, the place and the amount of each sealed bid that was acknowledged after a known event."""
        self.unplaced: set[tuple[str, int]] = set()
        """The name and the amount of each sealed bid that was acknowledged after one of several events."""
        self.notes: list[tuple[int, str]] = []
        """The notes that the journal must have for what was acknowledged, with the event before each."""
        self.secrets: dict[str, int] = {}
        """By name: the first event after which it may have made a sealed bid or a maximum bid on this connection."""
        self.refused: list[tuple[str, int, Failure]] = []
        """The names that were refused while nobody was present under them. Each has the place of the answer, and the
        failure to raise if the name had not bid by then."""
        self._is_exact = False
        self._lot: int | None = None
        """The only lot that the command is for, which is judged."""

    def judge(self, lines: list[PlacedLine], is_exact: bool):
        """Judges every line that the connection received; its place may be one of several."""
        self._is_exact = is_exact
        commands = collections.deque(commands_of(self._connection.sent))
        data: list[str] = []
        byes = set()
        for index, line in enumerate(lines):
            kind, words = line.message.kind, line.message.words
            if kind in ("data", "news"):
                data.append(words)
            elif kind == "private":
                self._judge_private(line)
            elif kind == "bye":
                byes.add(words)
            elif kind in ("ok", "error"):
                if not commands:
                    raise Failure(f"{self._connection.label}: an answer to no command", words)
                self._later = next((later.place for later in lines[index + 1:]
                                    if later.message.kind != "news"), lines[-1].place)
                self._judge(commands.popleft(), line, data)
                self.judged += 1
                data = []
        if commands and not self._connection.was_cut and not byes - {"end"}:
            raise Failure(f"{self._connection.label}: no answer to {commands[0].text!r}")
        names = [self._name] if self._name else []
        for command in commands:
            self._leave_open(command, names)

    def _judge(self, command: Sent, line: PlacedLine, before: list[str]):
        """Fails unless the answer is right; the data lines since the last answer belong to it."""
        tag, verb, rest = split(command.text)
        self._lot = lot_of(command.text)
        message = line.message
        if message.tag != tag:
            self._fail("the answer to another command", command, line)
        first = self._facts.known(command.moment)
        states = range(max(self._game.first, min(first, line.place)), line.place + 1)
        if first > line.place:
            self._fail(f"event {first} was known, and the answer is of event {line.place}", command, line)
        if message.kind == "error":
            return self._judge_error(verb, rest, command, line, states)
        if self._lot and self._game.state(line.place).lot != self._lot:
            self._fail("what was for one lot was accepted on another", command, line)
        if message.words.split(" ")[0] not in ANSWERS.get(verb, (verb,)):
            self._fail("the answer to another command", command, line)
        if verb in RULINGS:
            return self._judge_ruling(verb, rest, command, line, states)
        judge = getattr(self, f"_judge_{verb}", None)
        return judge(rest, command, line, states, before) if judge else None

    def _leave_open(self, command: Sent, names: list[str]):
        """Records an unanswered command, which the server may have carried out or not.

        The connection may have any of `names`; an unanswered `name` adds one.
        """
        _, verb, rest = split(command.text)
        if verb in RULINGS:
            self.open[verb] += 1
        elif verb == "name" and rest.strip():
            name = rest.split()[0]
            self.open[name] += 1
            if not self._name:
                names.append(name)
        for name in names:
            if verb == "bid" and rest.strip().isdigit():
                self.open[name, int(rest)] += 1
                self._add_secret(name, command.moment)
            elif verb in ("take", "buy", "say"):
                self.open[name, rest.strip() or verb] += 1
            elif verb in ("join", "open") and rest.split()[:1] == [self._connection.room]:
                self.open[name] += 1
            elif verb == "max":
                self.maxima.add((self._game.state(self._game.last).lot, name))
                self._add_secret(name, command.moment)

    def _add_secret(self, name, moment):
        """Records that a name may have a sealed bid or a maximum bid, which was sent at the moment."""
        place = max(self._game.first, self._facts.known(moment))
        self.secrets[name] = min(place, self.secrets.get(name, place))

    def _fail(self, complaint, command, line):
        raise self._failure(complaint, command, line)

    def _failure(self, complaint, command, line) -> Failure:
        place = line.place
        return Failure(f"{self._connection.label}: {complaint}", *([f"sent: {command.text}"] if command else []),
                       f"received: {line.message.kind.upper()} {line.message.words}",
                       *(f"event {number}: {self._game.event(number)}"
                         for number in range(max(place - 2, self._game.first), place + 2)))

    def _claim(self, command, line, event=None):
        """Requires that the next event, or another one, belongs to this command alone."""
        claim = f"{self._connection.label}: {command.text} ({command.moment})"
        if self.claims.setdefault(event or line.place + 1, claim) != claim:
            self._fail("one event was acknowledged twice", command, line)

    def _next(self, line):
        return self._game.event(line.place + 1) or ""

    def _judge_bid(self, rest, command, line, states, before):
        amount, state = int(rest), self._game.state(line.place)
        if not self._name:
            self._fail("the answer to another bid, or to nobody's", command, line)
        if not self._game.is_present(self._name, line.place):
            self._fail("a bid of an absent bidder was accepted", command, line)
        if state.terms.is_sealed and state.is_open and amount < (state.terms.buy or amount + 1):
            return self._judge_sealed_bid(amount, command, line, states)
        # An ask is taken, and a lot bought, by a bid of more; the answer says so.
        buys = state.is_open and amount >= (state.terms.buy or amount + 1)
        price = state.ask or (state.terms.buy if buys else amount)
        if line.message.words != f"{'take' if state.ask else 'buy' if buys else 'bid'} {price}":
            self._fail("the answer to another bid, or to nobody's", command, line)
        if self._game.is_new_price(line.place + 1) and \
                self._next(line).startswith(f"PRICE {price} {self._name} "):
            self._claim(command, line)
        elif not any(self._leads(self._game.state(place), amount) for place in states):
            self._fail("an accepted bid is not the next event, nor did it lead", command, line)
        elif self._facts.has_no_repeats and self._leads(state, amount):
            self._claim(command, line, state.bid.event)
        return None

    def _leads(self, state, amount):
        return bool(state.is_open and state.bid) and (state.bid.bidder, state.bid.amount) == (
            self._name, amount)

    def _judge_name(self, rest, command, line, states, before):
        _, name, token = line.message.words.split(" ")
        asked, _, proof = rest.partition(" ")
        if name != asked:
            self._fail("another name", command, line)
        self._facts.own(name, token, line.place)
        if proof.strip() != token and self._name is None:
            if self._facts.had_bid(name, states[0]):
                self._fail("a name with a bid was given away", command, line)
            if all(self._game.is_present(name, place) for place in states):
                self._fail("a name was given away while its bidder was present", command, line)
        self._name = name
        self._expect_joined(command, line)

    def _expect_joined(self, command, line):
        """Requires that the next event is that the bidder joined the room, if it was not there."""
        if not self._is_exact:
            self.open[self._name] += 1
        elif not self._game.is_present(self._name, line.place):
            if (self._next(line) or f"JOINED {self._name}") != f"JOINED {self._name}":
                self._fail("a bidder came, and the next event is not that it joined", command, line)
            self.joins.add(line.place + 1)

    def _judge_auctioneer(self, rest, command, line, states, before):
        self._is_auctioneer = True

    def _judge_join(self, rest, command, line, states, before):
        self._judge_entry(f"join {self._connection.room}", rest, command, line)

    def _judge_open(self, rest, command, line, states, before):
        self._judge_entry(f"open {self._connection.room} {self._facts.key}", rest, command, line)

    def _judge_entry(self, words, rest, command, line):
        if line.message.words != words or rest.split()[0] != self._connection.room:
            self._fail(f"the answer in another room than {self._connection.room}, or with another key", command, line)
        if self._name:
            self._expect_joined(command, line)

    def _judge_rooms(self, rest, command, line, states, before):
        listed = [data.split()[1] for data in before if data.startswith("ROOM ")]
        in_order = sorted(set(listed), key=lambda name: (name != "main", name))
        if line.message.words != f"rooms {len(listed)}" or listed != in_order:
            self._fail(f"{line.message.words} after {listed}", command, line)
        if self._connection.room not in listed:
            self._fail(f"the own room is not listed: {listed}", command, line)

    def _judge_ruling(self, verb, rest, command, line, states):
        expected = RULINGS[verb] + (rest if verb == "kick" else "")
        if self._next(line).startswith(expected) and (
                verb != "close" or self._next(line).split()[2] == "closed"):
            return self._claim(command, line)
        idle = {"pause": True, "resume": False}.get(verb)
        if idle is None or not any(self._game.state(place).is_paused == idle for place in states):
            self._fail("a ruling is not the next event", command, line)
        return None

    def _judge_status(self, rest, command, line, states, before):
        before = [data for data in before if not data.startswith("HELP ")]
        for place in states:
            snapshot = self._game.state(place).snapshot()
            if not snapshot or before[-len(snapshot):] == snapshot:
                return
        self._fail(f"there never was such a state: {before[-LONGEST_SNAPSHOT:]}", command, line)

    def _judge_who(self, rest, command, line, states, before):
        count = int(line.message.words.split()[1])
        names = [data.split()[1] for data in before if data.startswith("WHO ")]
        if len(names) != count or len(set(names)) != count:
            self._fail(f"{count} were announced, and {names} listed", command, line)
        if any(self._game.present(place) == frozenset(names) for place in states):
            return
        missing = self._game.present(line.place) ^ frozenset(names)
        self._fail(f"never were exactly these present; differing now: {sorted(missing)}", command, line)

    def _while_parts(self, states):
        """The events up to the end of a long answer.

        The server sends it in parts, and holds news back until it is complete. So its parts can be
        true at different events, the last part even at an event that comes right after the answer.
        """
        self.in_parts += 1
        return range(states[0], max(self._later, states[-1]) + 1)

    def _judge_laps(self, rest, command, line, states, before):
        count = int(line.message.words.split()[1])
        listed = [data[4:] for data in before if data.startswith("LAP ")]
        numbers = [int(word) for word in rest.split()]
        for place in states:
            state = self._game.state(place)
            if (state.bid.number if state.bid else 0) != count:
                continue
            first = numbers[0] if numbers else max(count - NEWEST, 0) + 1
            last = first + (numbers[1] if len(numbers) > 1 else NEWEST) - 1
            laps = [f"{bid.number} {bid.amount} {bid.bidder} {bid.time}" for bid in state.laps()
                    if first <= bid.number <= last]
            if laps[::-1] == listed:
                return
        meanwhile = self._while_parts(states)
        first = int(listed[0].split()[0]) if listed else 0
        true = {f"{bid.number} {bid.amount} {bid.bidder} {bid.time}"
                for state in map(self._game.state, meanwhile) for bid in state.laps()}
        counts = {state.bid.number if state.bid else 0 for state in map(self._game.state, meanwhile)}
        is_in_order = [int(lap.split()[0]) for lap in listed] == list(range(first, first + len(listed)))
        least = min(NEWEST, *counts) if not numbers else 0
        if count not in counts or not is_in_order or len(listed) < least or not true.issuperset(listed):
            self._fail(f"there never were such laps: {listed}", command, line)

    def _judge_error(self, verb, rest, command, line, states):
        code = line.message.words.split(" ")[0]
        if code not in REFUSALS.get(verb, ()):
            self._fail("refused for a reason that this command cannot have", command, line)
        if code == "not-named":
            if self._name:
                self._fail("refused as not-named, with a name", command, line)
            return
        judge = getattr(self, "_is_" + code.replace("-", "_"), None)
        if self._lot and code not in ("closed", "other-lot"):
            states = [place for place in states if self._game.state(place).lot == self._lot]
        if judge and not any(judge(place, rest, line.message, verb) for place in states):
            self._fail("refused for a reason that was never true", command, line)
        if verb == "name" and code in ("name-taken", "wrong-token"):
            self._refuse_name(rest.split()[0], command, line, states)

    def _refuse_name(self, name, command, line, states):
        """Records a refused name whose bidder was not present: an earlier bid must have kept it owned.

        That bid may be a sealed bid or a maximum on a connection that is not judged yet.
        """
        if not any(self._game.is_present(name, place) for place in states):
            failure = self._failure("a name was refused that nobody had", command, line)
            self.refused.append((name, line.place, failure))

    def _is_leading(self, place, rest, message, verb):
        state = self._game.state(place)
        return bool(state.is_open and state.bid and not state.is_paused and state.bid.bidder == self._name
                    and message.fact("price") == state.bid.amount)

    def _is_closed(self, place, rest, message, verb):
        state = self._game.state(place)
        return not state.is_open or state.is_hammered or state.is_won or bool(state.revealed)

    def _is_other_lot(self, place, rest, message, verb):
        state = self._game.state(place)
        return state.is_open and state.lot == message.fact("lot") and self._lot not in (None, state.lot)

    def _is_paused(self, place, rest, message, verb):
        return self._game.state(place).is_paused

    def _is_no_bids(self, place, rest, message, verb):
        state = self._game.state(place)
        return state.bid is None and not state.sealed

    def _is_not_here(self, place, rest, message, verb):
        return not self._game.is_present(rest.split()[0], place)

    def _is_not_auctioneer(self, place, rest, message, verb):
        # The key of a room is not enough for `stop`.
        return not self._is_auctioneer or verb == "stop"

    def _is_wrong_token(self, place, rest, message, verb):
        if verb == "auctioneer":
            return rest.strip() not in (self._facts.key, self._facts.token)
        name, _, token = rest.partition(" ")
        return not self._facts.is_owner(name, token.strip())

    def _is_kicked(self, place, rest, message, verb):
        # `join` and `open` are refused because of a kick in another room than this one.
        return verb != "name" or self._game.kicked.get(rest.split()[0], place + 1) <= place

    def _is_already_named(self, place, rest, message, verb):
        return self._name not in (None, rest.split()[0])


def split(text: str) -> tuple[str | None, str, str]:
    """The tag, the verb and the rest of a command without the lot that it is for; a number alone is a bid."""
    tag, verb, rest = COMMAND.fullmatch(text).groups()
    if verb.isdigit():
        verb, rest = "bid", f"{verb} {rest}"
    return tag, verb, LOT.sub("", rest.strip()) if verb in OFFERS else rest


def lot_of(text: str) -> int | None:
    """The only lot that an offer is for."""
    lot = LOT.search(text.strip())
    return int(lot[1]) if lot and split(text)[1] in OFFERS else None


def commands_of(command: list[Sent]) -> list[Sent]:
    """The lines that are commands: all except blank ones."""
    return [line for line in command if line.text.strip()]
