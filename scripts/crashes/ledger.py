"""What a journal tells: its events and lots, and whether the game it tells of keeps the rules."""

from __future__ import annotations

import collections
import re
from typing import NamedTuple

from notices import lot_time
from segments import Line
from violation import Violation

TIMED = {"PRICE": 3, "WINNER": 3, "LAP": 4}
"""The lines with a time, and the place of the time among the words."""
EVENTS = re.compile(r"LOT \d+ .+|PRICE \d+ \S+ [\d:.]+ \d+|COUNTDOWN \d+|GOING (once|twice)|LAST"
                    r"|WINNER \S+ \d+ [\d:.]+ .+|PASSED \d+ \S+ .+|OVER \d+|(JOINED|LEFT) \S+"
                    r"|PAUSED|RESUMED|HAMMERED|VOIDED \d+ \S+|KICKED \S+ .+|STOPPED")
NOTES = re.compile(r"JOURNAL .+|NAME \S+ [0-9a-f]{32}( bid( [-\d]+T[\d:.]+Z)?)?|FREE \S+|OUT \S+ [-\d]+T[\d:.]+Z|WHO \S+|GAME [a-z0-9]{4,8}|NEXT \d{12}\.journal|TIME [-\d]+T[\d:.]+Z"
                   r"|LOT \d+ .+|LAP \d+ \d+ \S+ [\d:.]+"
                   r"|RESULT \d+ \d+ [-\d]+T[\d:.]+Z (WINNER \S+ \d+ [\d:.]+ .+|PASSED \d+ \S+ .+)")


class Bid(NamedTuple):
    """An accepted bid, and the number of its event."""

    event: int
    lot: int
    bidder: str
    amount: int


class Lot:
    """One lot, as far as the journal tells."""

    def __init__(self, number, title, line):
        self.number, self.title, self.line = number, title, line
        self.bids: list[Bid] = []
        """Those that were not voided."""
        self.voided: Line | None = None
        """The void behind which the bid that leads again is yet to be told."""
        self.hammered: Line | None = None
        self.last: Line = line
        self.outcome: Line | None = None
        self.milliseconds = 0


class Ledger:
    """Takes the lines of a journal in order; fails at the first that breaks a rule."""

    def __init__(self):
        self.events: list[Line] = []
        self.scenes: list[tuple] = []
        """What a newcomer sees after each event, the countdown apart."""
        self.lots: list[Lot] = []
        self.bids: dict[int, Bid] = {}
        self.bids_of = collections.defaultdict(list)
        """By bidder and amount."""
        self.tokens = collections.defaultdict(list)
        """By name: each token it had, and the number of events before."""
        self.first_bid: dict[str, int] = {}
        self.present: dict[str, Line] = {}
        self.paused: Line | None = None

    def event(self, number) -> Line | None:
        return self.events[number - 1] if 0 < number <= len(self.events) else None

    def scene(self, number) -> tuple:
        return self.scenes[number - 1] if 0 < number <= len(self.scenes) else ()

    def take(self, line: Line):
        word = line.words.partition(" ")[0]
        if not (NOTES if line.mark == "-" else EVENTS).fullmatch(line.words):
            raise Violation("words that no journal has", line)
        check_time(line, word)
        if line.mark == "-":
            self._note(line, word)
        elif line.mark[0] == "=":
            told = self.event(int(line.mark[1:]))
            if told is None or told.words != line.words:
                raise Violation("the state restates what was not told", line, told)
        else:
            self._take_event(line, word)

    def winners(self) -> list[tuple]:
        """Lot, title, bidder and amount of each lot that was sold."""
        return [(lot.number, lot.title, lot.bids[-1].bidder, lot.bids[-1].amount)
                for lot in self.lots if lot.outcome and lot.outcome.words.startswith("WINNER ")]

    def _note(self, line, word):
        if word == "NAME":
            name, token = line.words.split()[1:3]
            self._own(name, token, line)
        elif word == "RESULT":
            self._check_result(line)
        elif word == "FREE":
            name = line.words.split()[1]
            self.first_bid.pop(name, None)
            self.tokens.pop(name, None)

    def _check_result(self, line):
        """A state tells how a lot ended in the words of the event."""
        _, number, event, _, words = line.words.split(" ", 4)
        lot = self.lots[int(number) - 1] if 0 < int(number) <= len(self.lots) else None
        told = self.event(int(event))
        if lot is None or lot.outcome is None or told != lot.outcome \
                or (told.words, told.milliseconds) != (words, line.milliseconds):
            raise Violation("the state tells another result", line, lot and lot.outcome)

    def _own(self, name, token, line):
        """A name may change its token only until its first accepted bid."""
        tokens = self.tokens[name]
        if tokens and tokens[-1][0] == token:
            return
        if name in self.first_bid:
            raise Violation(f"{name} has bid, and the name changes its owner", line,
                            self.event(self.first_bid[name]))
        tokens.append((token, len(self.events)))

    def _take_event(self, line, word):
        self.events.append(line)
        lot = self.lots[-1] if self.lots else None
        if word == "LOT":
            self._open(line, lot)
        elif lot is None and word not in ("JOINED", "LEFT", "KICKED", "STOPPED"):
            raise Violation("no lot was opened", line)
        elif word in ("PAUSED", "RESUMED"):
            self._pause_or_resume(line, word)
        elif word in ("COUNTDOWN", "GOING"):
            self._check_running(line, lot)
        elif word == "HAMMERED":
            self._hammer(line, lot)
        elif word == "VOIDED":
            self._void(line, lot)
        elif word == "KICKED":
            self._check_kicked(line)
        elif word == "PRICE":
            self._price(line, lot)
        elif word in ("WINNER", "PASSED"):
            self._close(line, lot)
        elif word in ("JOINED", "LEFT"):
            self._come_or_go(line, word)
        elif word == "OVER":
            self._end(line)
        before = self.scenes[-1] if self.scenes else ()
        self.scenes.append(next_scene(before, word, line.words))

    def _end(self, line):
        """A sale that is over is paused no more."""
        if line.words != f"OVER {len(self.lots)}":
            raise Violation(f"there were {len(self.lots)} lots", line)
        self.paused = None

    def _pause_or_resume(self, line, word):
        if (self.paused is None) != (word == "PAUSED"):
            raise Violation("a pause within a pause, or the end of none", line, self.paused)
        self.paused = line if word == "PAUSED" else None

    def _check_running(self, line, lot):
        if self.paused and not lot.hammered:
            raise Violation("the countdown runs while the sale is paused", self.paused, line)

    def _hammer(self, line, lot):
        if lot.outcome or not lot.bids or lot.voided:
            raise Violation("the hammer has nobody to fall for", lot.last, line)
        lot.hammered = line

    def _void(self, line, lot):
        _, amount, bidder = line.words.split()
        last = lot.bids[-1] if lot.bids else None
        if lot.outcome or lot.voided or last is None or (last.bidder, last.amount) != (
                bidder, int(amount)):
            raise Violation("this is not the last bid of the open lot", lot.last, line)
        lot.bids.pop()
        lot.voided = line if lot.bids else None

    def _check_kicked(self, line):
        if line.words.split()[1] not in self.present:
            raise Violation("who is not there is sent away", line)

    def _come_or_go(self, line, word):
        name = line.words.split()[1]
        if name not in self.tokens:
            raise Violation("nobody owns this name", line)
        if (name in self.present) == (word == "JOINED"):
            raise Violation("who is there comes, or who is not there goes", line,
                            self.present.get(name))
        if word == "JOINED":
            self.present[name] = line
        else:
            del self.present[name]

    def _open(self, line, before):
        _, number, title = line.words.split(" ", 2)
        if before and not before.outcome:
            raise Violation("a lot opens before the one before is done", before.last, line)
        if self.paused:
            raise Violation("a lot opens while the sale is paused", self.paused, line)
        if int(number) != len(self.lots) + 1:
            raise Violation(f"this is lot {len(self.lots) + 1}", line)
        self.lots.append(Lot(int(number), title, line))

    def _price(self, line, lot):
        _, amount, bidder, _, number = line.words.split()
        if lot.outcome or lot.hammered:
            raise Violation("a bid after the hammer", lot.outcome or lot.hammered, line)
        if lot.voided:
            return self._restate(line, lot)
        if self.paused:
            raise Violation("a bid while the sale is paused", self.paused, line)
        if lot.bids and int(amount) <= lot.bids[-1].amount:
            raise Violation("the price does not rise", lot.last, line)
        if int(number) != len(lot.bids) + 1:
            raise Violation(f"this is bid {len(lot.bids) + 1} of the lot", lot.last, line)
        check_clock(line, lot)
        bid = Bid(len(self.events), lot.number, bidder, int(amount))
        lot.bids.append(bid)
        lot.last, lot.milliseconds = line, line.milliseconds
        self.bids[bid.event] = bid
        self.bids_of[bidder, bid.amount].append(bid)
        self.first_bid.setdefault(bidder, bid.event)
        return None

    def _restate(self, line, lot):
        """Behind a void the bid that leads again is told just as it was."""
        told = self.event(lot.bids[-1].event)
        if (told.words, told.milliseconds) != (line.words, line.milliseconds):
            raise Violation("this is not the bid that leads again", told, lot.voided, line)
        lot.voided = None

    def _close(self, line, lot):
        if lot.outcome:
            raise Violation("a lot ends twice", lot.outcome, line)
        lot.outcome = line
        if line.words.startswith("PASSED "):
            is_closed = line.words.startswith(f"PASSED {lot.number} closed ")
            if lot.bids and not is_closed or not re.fullmatch(rf"PASSED {lot.number} \S+ {re.escape(lot.title)}",
                                            line.words):
                raise Violation("the lot did not pass so", lot.last, line)
            return
        if lot.voided or self.paused and not lot.hammered:
            raise Violation("a lot is sold while nobody leads, or while the sale is paused",
                            lot.voided or self.paused, line)
        check_clock(line, lot)
        bid = lot.bids[-1] if lot.bids else None
        _, bidder, amount, _, title = line.words.split(" ", 4)
        if bid is None or (bidder, int(amount), title) != (bid.bidder, bid.amount, lot.title):
            raise Violation("the winner is not the last bidder of the lot", lot.last, line)


def next_scene(before, word, words):
    """What a newcomer sees after one more event; the countdown is left out."""
    paused = before[-1:] if before[-1:] == ("PAUSED",) else ()
    match word:
        case "LOT" | "WINNER" | "PASSED":
            return (words, *paused)
        case "PRICE":
            return (*before[:1], words, *paused)
        case "VOIDED":
            return (*before[:1], *paused)
        case "OVER":
            return (*before[:1], words)
        case "PAUSED":
            return (*before, words)
        case "RESUMED":
            return before[:-1]
    return before


def check_time(line, word):
    """Fails unless just those lines have a time that should, and it is the one that is told."""
    words = line.words
    if word == "RESULT":
        words = words.split(" ", 4)[4]
        word = words.partition(" ")[0]
    if (word in TIMED) != (line.milliseconds is not None):
        raise Violation("a time where none belongs, or none where one does", line)
    if word in TIMED:
        told = words.split(" ")[TIMED[word]]
        if told != lot_time(line.milliseconds):
            raise Violation(f"the time is not {lot_time(line.milliseconds)}", line)


def check_clock(line, lot):
    if line.milliseconds < lot.milliseconds:
        raise Violation("the clock of the lot runs backwards", lot.last, line)
