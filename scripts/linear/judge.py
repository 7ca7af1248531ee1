"""Judges a transcript: one order of events must explain every line sent and received.

The scribe is a connection that receives every event with its number. All others must have received the
same news, each answer must have been true when it was given (see `answers`), and each event that a
command caused must belong to exactly one command. The journal must have the same events.
"""

from __future__ import annotations

import bisect
import collections
import re

from answers import Answers
from game import Game
from places import Places
from transcript import Connection, Transcript, parse
from violation import Violation


def judge(transcript: Transcript) -> tuple[Game, dict[str, int]]:
    """Returns the game that the transcript shows, and counts of what was judged.

    - Throws: `Violation` if no order of events explains the transcript.
    """
    game = retell(transcript.connections[0], transcript.seconds)
    if transcript.journal is not None:
        compare(transcript.journal, game)
    court = Court(game, transcript.connections)
    for connection in transcript.connections:
        court.hear(connection)
    court.check_unclaimed()
    return game, {"news": len(game.words), "answers": court.judged,
                  "answers in parts": court.in_parts, "connections": len(transcript.connections)}


def retell(scribe: Connection, seconds: int) -> Game:
    """The game as the scribe received it, by event number."""
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
    """Fails unless the journal has the same events; it may have more at the end."""
    for number in range(game.first, game.last + 1):
        kept = journal[number - 1] if number <= len(journal) else None
        if kept != game.event(number):
            raise Violation(f"event {number} is another one in the journal", kept, game.event(number))


class Court:
    """Everything that is known of one transcript."""

    def __init__(self, game: Game, connections: list[Connection]):
        self.game = game
        self.judged = self.in_parts = 0
        places = Places(game)
        self._turns = {connection: places.turns(connection) for connection in connections}
        self._moments: list[int] = []
        """The moments at which some connection was the first to receive a new event."""
        self._known: list[int] = []
        """The last event that was known from each of these moments on."""
        self._claims: dict[int, str] = {}
        """The acknowledged command of each event, by event number."""
        self._open = collections.Counter()
        """The unanswered bids, by bidder and amount."""
        self._owned: dict[str, str] = {}
        """The tokens of names with a bid."""
        self._first_bids = self._find_first_bids()
        self._learn()

    def _find_first_bids(self):
        first = {}
        for number in range(self.game.first, self.game.last + 1):
            if self.game.is_new_price(number):
                first.setdefault(self.game.state(number).bid.bidder, number)
        return first

    def hear(self, connection: Connection):
        """Judges each answer to the connection, for some event at which it may have joined."""
        for number, turns in enumerate(self._turns[connection], start=1):
            answers = Answers(self, connection)
            try:
                answers.hear(turns)
            except Violation:
                if number == len(self._turns[connection]):
                    raise
                continue
            return self._believe(answers)

    def _believe(self, answers):
        """Adds the findings from the answers of one connection."""
        self.judged += answers.judged
        self.in_parts += answers.in_parts
        self._open += answers.open
        for event, command in answers.claims.items():
            former = self._claims.setdefault(event, command)
            if former != command:
                raise Violation("one event was acknowledged twice", self.game.event(event), former, command)

    def _learn(self):
        """Computes which event was known at each moment, if each connection joined as early as possible."""
        heard = sorted((turn.moment, turn.place) for turns in self._turns.values()
                       for turn in min(turns, key=lambda turns: turns[0].place if turns else 0)
                       if turn.message.kind == "news")
        highest = self.game.first
        for moment, place in heard:
            if place > highest:
                highest = place
                self._moments.append(moment)
                self._known.append(place)

    def known(self, moment: int) -> int:
        """The last event that any connection had received before the moment."""
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
        """Fails if an event has no command: each bid and ruling was acknowledged, or its answer was lost."""
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
