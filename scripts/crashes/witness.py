"""What one bidder said and heard, by its log, held against the journal.

A log has a line `RUN 17` where the bidder connects anew, and for each line said and heard one that
begins with `> ` or `< `. It is named like the bidder.
"""

from __future__ import annotations

import collections
import os
import re

from ledger import Ledger
from notices import parsed
from violation import Violation

NEWS = re.compile(r"(LOT|PRICE|COUNTDOWN|GOING|WINNER|PASSED|OVER|JOINED|LEFT|VOIDED|KICKED) .*"
                  r"|LAST|PAUSED|RESUMED|HAMMERED|STOPPED")
ANSWER = re.compile(r"(OK|ERROR) (?:#(\w+) )?(\S+) ?(.*)")
COMMAND = re.compile(r"#(\w+) (\w+) ?(.*)")
LONGEST_SNAPSHOT = 5
REFUSALS = {"bid": {"too-low", "leading", "closed"}, "name": {"wrong-token", "name-taken"}}


class Answers:
    """Which bids were answered, over all bidders."""

    def __init__(self):
        self.tags: set[str] = set()
        self.acknowledged: dict[int, str] = {}
        """The tag to which the event was acknowledged."""
        self.unanswered = collections.Counter()
        """How many bids of this bidder and amount were not answered when the server died."""


class Witness:
    """Reads one log run by run; fails where the bidder was told what the journal does not say."""

    def __init__(self, path: str, ledger: Ledger, answers: Answers):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.ledger, self.answers = ledger, answers
        self.said = self.heard = 0
        self._log = open(path, encoding="utf-8")
        self._token_place = 0
        self._known = 0
        self._begin("")

    def close(self):
        self._log.close()

    def look(self) -> bool:
        """Takes in what was logged of one run, whose server is dead; whether there was any."""
        start = self._log.readline()
        if not start:
            return False
        self._begin(start.strip())
        place = self._log.tell()
        while (line := self._log.readline()) and not line.startswith("RUN "):
            self._take(line)
            place = self._log.tell()
        self._log.seek(place)
        for tag, verb, rest in self._unanswered:
            if verb == "bid":
                self.answers.unanswered[self.name, int(rest)] += 1
        return True

    def _begin(self, run):
        self.run = run
        self._unanswered = collections.deque()
        self._text: list[str] = []
        """The snapshot, and news that came before the first number was heard."""
        self._place = None
        """The event heard last in this run."""
        self._is_awaiting_joined = False
        """Whether it has its name, and must hear of that next."""

    def _fail(self, complaint, *lines):
        raise Violation(f"{self.name}, {self.run}: {complaint}", *filter(None, lines))

    def _take(self, line):
        sign, text = line[:2], line[2:-1]
        if sign == "> ":
            return self._say(text)
        self.heard += 1
        if not text.startswith("{"):
            return self._hear_text(text)
        fields, words = parsed(text)
        if fields["type"] == "ok":
            verb, _, rest = fields["content"].partition(" ")
            self._answer(fields.get("tag"), verb, rest, text)
        elif fields["type"] == "error":
            self._refuse(fields.get("tag"), fields["code"], text)
        elif fields["type"] == "skipped":
            self._fail("missed news, of which there was too little for that", text)
        elif "seq" in fields:
            self._hear(fields, words, text)
        return None

    def _say(self, text):
        tag, verb, rest = COMMAND.fullmatch(text).groups()
        if tag in self.answers.tags:
            self._fail("this tag was used before", text)
        self.answers.tags.add(tag)
        self.said += verb == "bid"
        self._unanswered.append((tag, verb, rest))

    # News

    def _hear_text(self, text):
        answer = ANSWER.fullmatch(text)
        if answer and answer[1] == "OK":
            self._answer(answer[2], answer[3], answer[4], text)
        elif answer:
            self._refuse(answer[2], answer[3], text)
        elif NEWS.fullmatch(text):
            self._text.append(text)

    def _hear(self, fields, words, text):
        number = fields["seq"]
        event = self.ledger.event(number)
        if event is None:
            self._fail(f"was told event {number}, which the journal does not have", text)
        # A lot opens at no time, of which the journal says nothing.
        elapsed = 0 if fields["type"] == "lot" else event.milliseconds
        if words != event.words or fields.get("elapsedMilliseconds") != elapsed:
            self._fail("was told another event than the journal has", text, event)
        bid = self.ledger.bids.get(number)
        if bid and fields["lot"] != bid.lot:
            self._fail(f"was told another lot than {bid.lot}", text, event)
        if self._place is None:
            self._check_snapshot(number - 1, text)
        elif number != self._place + 1:
            self._fail(f"after event {self._place} was told {number}", text, event)
        if self._is_awaiting_joined and words != f"JOINED {self.name}":
            self._fail("got its name, and others did not hear of that next", text)
        self._is_awaiting_joined = False
        self._place = self._known = number

    def _check_snapshot(self, place, text):
        """Fails unless the run began with what a newcomer sees, and no event was left out since."""
        for length in range(LONGEST_SNAPSHOT + 1):
            snapshot, news = self._text[:length], self._text[length:]
            start = place - len(news)
            told = [event.words for event in self.ledger.events[max(start, 0):place]]
            seen = tuple(line for line in snapshot if not line.startswith("COUNTDOWN "))
            if start >= 0 and told == news and seen == self.ledger.scene(start):
                return
        self._fail("the snapshot does not lead to the first news", *self._text, text,
                   f"the journal at event {place}: {self.ledger.scene(place)}")

    # Answers

    def _next(self, tag, text):
        """The command that is answered, which is the oldest that was not."""
        if not self._unanswered or self._unanswered[0][0] != tag:
            self._fail("an answer out of turn", text, *list(self._unanswered)[:1])
        return self._unanswered.popleft()

    def _answer(self, tag, verb, rest, text):
        _, asked, words = self._next(tag, text)
        if asked != verb or (verb == "bid" and rest != words):
            self._fail("the answer to another command", text, f"{asked} {words}")
        if verb == "bid":
            self._check_bid(tag, int(rest), text)
        elif verb == "name":
            self._check_name(*rest.split(), text)

    def _refuse(self, tag, code, text):
        _, asked, words = self._next(tag, text)
        if code not in REFUSALS.get(asked, ()):
            self._fail("refused for no reason that there could be", text)
        if asked == "name":
            name, _, token = words.partition(" ")
            if name == self.name and any(token == own for own, _ in self.ledger.tokens[name]):
                self._fail("the token does not open its name", words, text)

    def _check_bid(self, tag, amount, text):
        """Fails unless the bid is the very next event, or leads already, and is nobody else's."""
        if self._place is None or self._is_awaiting_joined:
            self._fail("a bid was accepted of one whose JOINED was never told", text)
        bids = self.ledger.bids_of.get((self.name, amount), ())
        for bid in bids:
            line = self.ledger.event(bid.event)
            if bid.event == self._place + 1 or self.ledger.scene(self._place)[1:2] == (line.words,):
                break
        else:
            self._fail("an accepted bid is not in the journal where it was answered", text,
                       f"heard before: {self.ledger.event(self._place)}",
                       *(self.ledger.event(bid.event) for bid in bids))
        former = self.answers.acknowledged.setdefault(bid.event, tag)
        if former != tag:
            self._fail(f"one bid was acknowledged twice, to #{former} too", text, line)

    def _check_name(self, name, token, text):
        if name != self.name:
            if self.ledger.first_bid.get(name, self._known + 1) <= self._known:
                self._fail(f"was given the name of {name}, who had bid", text)
            return
        self._is_awaiting_joined = True
        tokens = [own for own, _ in self.ledger.tokens[name]]
        if token not in tokens[self._token_place:]:
            self._fail("got a token that the journal does not have, or not at this time", text,
                       f"the journal has {tokens}")
        self._token_place = tokens.index(token)
