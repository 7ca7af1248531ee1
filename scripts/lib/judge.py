"""Judges connections: one order of events must explain every line that they sent and received.

The events are those of a journal, or those that an observer received who knows the number of each. All
connections must have received the same news, each answer must have been true when it was given (see
`answers`), and each event that a command caused must belong to exactly one command.
"""

from __future__ import annotations

import bisect
import collections
import re

from answers import RULINGS, Answers, split
from checks import Failure
from game import Game
from places import Places
from protocol import Connection, parse

RULED = re.compile(r"PAUSED|RESUMED|HAMMERED|VOIDED .+|KICKED .+|PASSED \d+ closed .+")


def game_of_observer(observer: Connection, seconds: int, **rules) -> Game:
    """The game as a connection received it that knows the number of each event."""
    game = None
    for line in observer.received:
        message = parse(line.text)
        if message.kind == "skipped":
            raise Failure("the observer missed news", line.text)
        if message.number is None:
            continue
        if game is None:
            game = Game(seconds, message.number, **rules)
        if message.number != game.last + 1:
            raise Failure(f"{observer.label}: event {game.last} was followed by {message.number}", line.text)
        game.apply(message.words, message.elapsed if message.words.startswith(("PRICE ", "WINNER ")) else None)
    if game is None:
        raise Failure("the observer received nothing")
    return game


def compare(journal: Game, game: Game):
    """Fails unless the journal has the same events; it may have more at the end."""
    for number in range(game.first, game.last + 1):
        if journal.event(number) != game.event(number):
            raise Failure(f"event {number} is another one in the journal", journal.event(number), game.event(number))
        if None not in (times := (journal.time(number), game.time(number))) and times[0] != times[1]:
            raise Failure(f"event {number} has another time in the journal", game.event(number), times)


class Judge:
    """Everything that is known of a game and its connections, which may come in several batches."""

    def __init__(self, game: Game, tokens=None, bidders=None, has_no_repeats=False, token=None, key=None,
                 is_known_elsewhere=lambda name: False):
        """
        - Parameters:
          - tokens: the tokens of each name, oldest first, where there is a journal.
          - bidders: the names of those whose connections are all judged; None if there are no others.
          - has_no_repeats: no bid is made again that was acknowledged.
          - token: that of the server's auctioneer, if it is sent.
          - key: that of the room's auctioneer, if the room was opened.
          - is_known_elsewhere: whether a name may be held or owned in another room.
        """
        self.game, self.tokens, self.has_no_repeats = game, tokens, has_no_repeats
        self.token, self.key, self.is_known_elsewhere = token, key, is_known_elsewhere
        self.answers = self.in_parts = self.acknowledged = self.lines = 0
        self._bidders = bidders
        self._tags: set[str] = set()
        self._claims: dict[int, str] = {}
        """The acknowledged command of each event, by event number."""
        self._joins: set[int] = set()
        self._open = collections.Counter()
        """How many unanswered commands of each kind have no event yet."""
        self._unanswered: set = set()
        """All of them; which of several one event belongs to is not always known."""
        self._owned: dict[str, str] = {}
        """The tokens of names with a bid."""
        self._first_bids: dict[str, int] = {}
        """By name: the first event after which everybody knows of a bid of it, which keeps it owned."""
        self._first_secrets: dict[str, int] = {}
        """By name: the first event after which it may have made a sealed bid or a maximum bid."""
        self._notes_learned = 0
        self._notes_claimed: set[tuple[int, str]] = set()
        """The notes of acknowledged commands, each with the event before it."""
        self._notes_checked = 0
        self.worths: dict[tuple[int, str], str] = {}
        """By lot and name: what the bidder was told that the lot is worth."""
        self._maxima: set[tuple[int, str]] = set()
        """The lots and names with an acknowledged or unanswered maximum bid."""
        self._sealed: dict[tuple[int, str], list[tuple[int, int]]] = collections.defaultdict(list)
        """By lot and name: the place and the amount of each sealed bid that was acknowledged after a known event."""
        self._unplaced: set[tuple[str, int]] = set()
        """The name and the amount of each sealed bid that was acknowledged after one of several events."""
        self._checked = game.first - 1
        self._moments, self._known = [], [game.first]
        """The moments at which some connection was the first to receive an event, and that event."""

    @property
    def secrets(self) -> int:
        """How many acknowledged commands are in the journal alone: sealed bids, maxima, lots that were added."""
        return len(self._notes_claimed)

    def judge(self, connections: list[Connection], floor: int = 0):
        """Judges connections that began after the event `floor`, and all events that are new since the last time."""
        for number in range(self._checked + 1, self.game.last + 1):
            if self.game.is_new_price(number) or self.game.event(number).startswith("REVEALED "):
                self._first_bids.setdefault(self.game.event(number).split()[2], number)
        self._learn_notes()
        places = Places(self.game, floor)
        placed, refused = [places.lines(connection) for connection in connections], []
        self._learn(placed, max(floor, self.game.first))
        for connection, choices in zip(connections, placed):
            self._check_tags(connection)
            answers = self._answers(connection, choices)
            self._add(answers)
            refused += answers.refused
            self.lines += len(connection.received)
        self._check_refused(refused)
        self._check_unclaimed()
        self._check_notes()

    def _answers(self, connection, choices):
        """Judges each answer to the connection, for some event at which it may have joined."""
        is_exact = len(choices) == 1 and any(line.message.kind == "news" for line in choices[0])
        for lines in choices:
            answers = Answers(self, connection)
            try:
                answers.judge(lines, is_exact)
                return answers
            except Failure:
                if lines is choices[-1]:
                    raise
        return None

    def _add(self, answers):
        self.answers += answers.judged
        self.in_parts += answers.in_parts
        self._open += answers.open
        self._unanswered |= answers.open.keys()
        self._joins |= answers.joins
        self._maxima |= answers.maxima
        for lot, name, place, amount in answers.sealed:
            self._sealed[lot, name].append((place, amount))
        self._unplaced |= answers.unplaced
        if not self.game.ledger.has_notes:
            for name, place in answers.secrets.items():
                _add_earliest(self._first_secrets, name, place)
        self._notes_claimed.update(answers.notes)
        for event, command in answers.claims.items():
            former = self._claims.setdefault(event, command)
            if former != command:
                raise Failure("one event was acknowledged twice", self.game.event(event), former, command)

    def _check_tags(self, connection):
        for line in connection.sent:
            tag = line.text.strip() and split(line.text)[0]
            if tag:
                if tag in self._tags:
                    raise Failure(f"{connection.label}: this tag was used before", line.text)
                self._tags.add(tag)

    def _learn(self, placed, highest):
        """Computes which event was known at each moment, if each connection joined as early as possible."""
        received = sorted((line.moment, line.place) for choices in placed
                          for line in min(choices, key=lambda lines: lines[0].place if lines else 0)
                          if line.message.kind == "news")
        self._moments, self._known = [], [highest]
        for moment, place in received:
            if place > highest:
                highest = place
                self._moments.append(moment)
                self._known.append(place)

    def _learn_notes(self):
        """Learns from the notes of a journal which names have made a sealed bid or a maximum bid."""
        notes = self.game.ledger.notes
        for event, words in notes[self._notes_learned:]:
            if words.startswith(("BID ", "MAX ")):
                name = words.split()[1]
                _add_earliest(self._first_secrets, name, event)
            if words.startswith("MAX "):
                # An answer after the same event may be older than the note.
                _add_earliest(self._first_bids, name, event + 1)
        self._notes_learned = len(notes)

    def known(self, moment: int) -> int:
        """The last event that any connection had received before the moment."""
        return self._known[bisect.bisect_left(self._moments, moment)]

    def own(self, name: str, token: str, place: int):
        """Fails if a name has a token that the journal does not have, or one with a bid another than before."""
        if self.tokens is not None and token not in self.tokens[name]:
            raise Failure(f"{name} got a token that the journal does not have", token, *self.tokens[name])
        if self.had_bid(name, place):
            former = self._owned.setdefault(name, token)
            if former != token:
                raise Failure(f"{name} has bid, and its token changed", former, token)

    def is_owner(self, name: str, token: str) -> bool:
        """Whether this is certainly the token of a name with a bid."""
        if self.tokens is not None:
            return name in self._first_bids and self.tokens[name][-1:] == [token]
        return self._owned.get(name) == token

    def had_bid(self, name: str, place: int) -> bool:
        """Whether the name certainly has bid by the event."""
        return self._first_bids.get(name, place + 1) <= place

    def _may_be_kept(self, name, place):
        """Whether the name may have bid, openly or in secret, before the event after this one, or in another room."""
        is_judged = self.game.ledger.has_notes or self._bidders is None or name in self._bidders
        return (not is_judged or self.had_bid(name, place) or self._first_secrets.get(name, place + 1) <= place
                or self.game.keeps_names(place) and self.game.has_seen(name, place) or self.is_known_elsewhere(name))

    def _check_refused(self, refused):
        """Fails if a name was refused that was free: its bidder was absent, had not bid, and the lot kept no names."""
        for name, place, failure in refused:
            if not self._may_be_kept(name, place):
                raise failure

    def _check_unclaimed(self):
        """Fails if an event has no command: each was acknowledged, or its answer was lost."""
        for number in range(self._checked + 1, self.game.last + 1):
            words = self.game.event(number)
            if number in self._claims:
                self.acknowledged += words.startswith("PRICE ")
            elif self.game.is_new_price(number):
                self._check_unclaimed_price(number, words)
            elif words.startswith("SAID "):
                _, bidder, text = words.split(" ", 2)
                self._close((bidder, text), bidder, "words that nobody said", number)
            elif words.startswith("REVEALED ") and not self.game.ledger.has_notes:
                self._check_revealed(number, words)
            elif words.startswith("JOINED ") and number not in self._joins:
                bidder = words.split()[1]
                self._close(bidder, bidder, "a bidder joined, and nobody got the name", number)
            elif RULED.fullmatch(words):
                verb = next(verb for verb, begin in RULINGS.items() if words.startswith(begin))
                self._close(verb, None, "a ruling that nobody gave", number)
        self._checked = self.game.last

    def _check_unclaimed_price(self, number, words):
        """The bid was made for a maximum, or its answer was lost."""
        _, amount, bidder, _, _ = words.split()
        state = self.game.state(number)
        if number in self.game.automatic or not self.game.ledger.has_notes and (state.lot, bidder) in self._maxima:
            return
        keys = [(bidder, int(amount))]
        if state.is_won:
            # An ask may be taken, and a lot bought, by a bid of more.
            keys.append((bidder, "take" if state.ask else "buy"))
            keys += (key for key in self._open if key[0] == bidder and isinstance(key[1], int) and key[1] > int(amount))
        possible = [key for key in dict.fromkeys(keys) if self._open[key] > 0]
        if len(possible) < 2:
            self._close((possible or keys)[0], bidder, "a bid that nobody made, or that was refused", number)

    def _check_revealed(self, number, words):
        """A revealed bid is the last that was acknowledged, or one whose place is not known."""
        _, amount, bidder = words.split()
        if self._bidders is not None and bidder not in self._bidders:
            return
        made = self._sealed[self.game.state(number).lot, bidder]
        last = max((place for place, _ in made), default=0)
        if int(amount) not in (each for place, each in made if place == last) \
                and not self._may_have_sealed(bidder, int(amount)):
            raise Failure("another sealed bid than the bidder's last", f"{number} {words}", *made[-3:])

    def _may_have_sealed(self, name, amount):
        """Whether such a sealed bid has no answer, or one that was given after one of several events."""
        return (name, amount) in self._unanswered or (name, amount) in self._unplaced

    def _check_notes(self):
        """Fails if the journal has a sealed bid that nobody sent."""
        ledger = self.game.ledger
        for note in ledger.notes[self._notes_checked:]:
            word, name, *amount = note[1].split()
            if word == "BID" and note not in self._notes_claimed \
                    and not self._may_have_sealed(name, int(amount[0])) \
                    and (self._bidders is None or name in self._bidders):
                raise Failure("a sealed bid that nobody sent", *note)
        self._notes_checked = len(ledger.notes)

    def _close(self, command, bidder, complaint, number):
        """Takes one unanswered command for the cause of an event."""
        if bidder and self._bidders is not None and bidder not in self._bidders:
            return
        if self._open[command] <= 0:
            raise Failure(complaint, f"{number} {self.game.event(number)}")
        self._open[command] -= 1


def _add_earliest(places: dict[str, int], name: str, place: int):
    """Records a place of the name, unless an earlier one is known."""
    places[name] = min(place, places.get(name, place))
