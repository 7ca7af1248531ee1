"""Judges the answers to the commands of the game, and the lines that one bidder alone receives."""

from __future__ import annotations

from standings import check_standings

MOST_AUTOMATIC = 3
"""The most bids by which maxima answer each other."""
HIGHEST = 10 ** 12
"""The highest amount."""


class GameAnswers:
    """The part of `Answers` for purses, worths, sealed and maximum bids, purchases, words and standings."""

    # Lines for one bidder

    def _judge_private(self, line):
        """Fails unless the line is about the bidder of this connection, and true about then."""
        kind, _, value = line.message.words.partition(" ")
        if not self._name:
            self._fail_private("a private line for nobody", line)
        ledger = self._game.ledger
        if ledger.has_notes:
            told = ledger.told[kind, self._name].between(line.place, line.place)
            if kind == "PURSE" and None in told:
                told = [*told, str(ledger.play.purse)]
            if value not in told:
                self._fail_private(f"where {self._name} may be told {told}", line)
        elif kind == "PURSE":
            if not 0 <= int(value) <= ledger.play.purse - ledger.spent_at(self._name, line.place):
                self._fail_private("a purse that is not left", line)
        elif kind == "WORTH":
            lot = self._game.state(line.place).lot
            if self._facts.worths.setdefault((lot, self._name), value) != value:
                self._fail_private(f"the worth of lot {lot} was another", line)

    def _fail_private(self, complaint, line):
        self._fail(complaint, None, line)

    # Commands

    def _note(self, words, line) -> bool:
        """Whether the journal has this note right there; it is claimed then. True if there is no journal."""
        ledger = self._game.ledger
        if not ledger.has_notes:
            return True
        key = (line.place, words)
        if ledger.notes_at(line.place).count(words) <= self.notes.count(key):
            return False
        self.notes.append(key)
        return True

    def _judge_sealed_bid(self, amount, command, line, states):
        if line.message.words != f"bid {amount}":
            self._fail("the answer to another bid", command, line)
        state = self._game.state(line.place)
        self._add_secret(self._name, command.moment)
        if self._is_exact:
            self.sealed.append((state.lot, self._name, line.place, amount))
        else:
            self.unplaced.add((self._name, amount))
        if not self._note(f"BID {self._name} {amount}", line) and not self._holds("YOURS", amount, states):
            self._fail("a sealed bid was accepted that the journal does not have", command, line)

    def _holds(self, kind, amount, states) -> bool:
        """Whether the bidder had just this amount at one of these events: it was sent again."""
        told = self._game.ledger.told[kind, self._name].between(states[0], states[-1])
        return (str(amount) if amount else None) in told

    def _judge_max(self, rest, command, line, states, before):
        asked, amount = int(rest), int(line.message.words.split()[1])
        state = self._game.state(line.place)
        if not self._name or amount not in (asked, state.terms.buy) or amount > asked:
            self._fail("the answer to another maximum", command, line)
        if not state.terms.is_english or not state.is_open and amount:
            self._fail("a maximum bid where there can be none", command, line)
        self.maxima.add((state.lot, self._name))
        self._add_secret(self._name, command.moment)
        is_bought = any((self._game.event(line.place + number) or "").startswith(f"PRICE {amount} {self._name} ")
                        for number in range(1, MOST_AUTOMATIC + 1))
        if line.message.words.startswith("buy ") and not (amount == state.terms.buy and is_bought):
            self._fail("a maximum was answered as a purchase, and has not bought", command, line)
        held = min(amount, state.terms.buy or amount)
        if not self._note(f"MAX {self._name} {held}", line) and not self._holds("MAX", held, states):
            self._fail("a maximum was accepted that the journal does not have", command, line)

    def _judge_take(self, rest, command, line, states, before):
        self._judge_purchase("take", self._game.state(line.place).ask, command, line)

    def _judge_buy(self, rest, command, line, states, before):
        self._judge_purchase("buy", self._game.state(line.place).terms.buy, command, line)

    def _judge_purchase(self, verb, price, command, line):
        if not self._name or line.message.words != f"{verb} {price}":
            self._fail(f"the answer to another purchase than for {price}", command, line)
        if not self._next(line).startswith(f"PRICE {price} {self._name} "):
            self._fail("a purchase is not the next event", command, line)
        self._claim(command, line)

    def _judge_say(self, rest, command, line, states, before):
        if self._next(line) != f"SAID {self._name} {' '.join(rest.split())}" \
                and self._next(line) != f"SAID {self._name} {rest.strip()}":
            self._fail("what was said is not the next event", command, line)
        self._claim(command, line)

    def _judge_mute(self, rest, command, line, states, before):
        # Muting a muted bidder changes nothing.
        self._note(f"MUTE {rest.strip()}", line)

    def _judge_unmute(self, rest, command, line, states, before):
        self._note(f"UNMUTE {rest.strip()}", line)

    def _judge_add(self, rest, command, line, states, before):
        if not self._note(f"ADD {rest.strip()}", line):
            self._fail("a lot was added that the journal does not have", command, line)

    def _judge_standings(self, rest, command, line, states, before):
        rows = [data for data in before if data.startswith("STANDING ")]
        if int(line.message.words.split()[1]) != len(rows):
            self._fail(f"{line.message.words} after {len(rows)} rows", command, line)
        complaints = [check_standings(self._game, rows, place) for place in states]
        if all(complaints):
            self._fail(f"there never were such standings: {complaints[-1]}", command, line)

    # Refusals

    def _is_too_low(self, place, rest, message, verb):
        state = self._game.state(place)
        minimum = state.minimum()
        if verb == "max" and state.bid and state.bid.bidder == self._name:
            minimum = state.bid.amount
        return (state.is_open and not state.is_paused and int(rest) < minimum
                and message.fact("minimum") == minimum)

    def _is_outbid(self, place, rest, message, verb):
        """Whether the newest event has raised the leader to this amount, by a maximum if those are known."""
        state = self._game.state(place)
        if not state.is_open or not state.bid or state.bid.bidder == self._name or state.bid.event != place:
            return False
        is_highest = state.is_won or state.bid.amount == HIGHEST
        return (state.bid.amount == min(int(rest), state.terms.buy or int(rest))
                and (place in self._game.automatic or not self._game.ledger.has_notes)
                and message.fact("minimum") == (None if is_highest else state.minimum()))

    def _is_over_purse(self, place, rest, message, verb):
        """What is reserved on this lot can be bid in place of that."""
        ledger, left, state = self._game.ledger, message.fact("left"), self._game.state(place)
        if ledger.play.purse is None or left is None:
            return False
        price = {"take": state.ask, "buy": state.terms.buy}.get(verb) or int(rest)
        return left == ledger.play.purse - ledger.spent_at(self._name, place) and price > left

    def _is_wrong_format(self, place, rest, message, verb):
        terms = self._game.state(place).terms
        return {"take": terms.format != "dutch", "max": not terms.is_english, "void": not terms.is_english}[verb]

    def _is_no_buy_price(self, place, rest, message, verb):
        return self._game.state(place).terms.buy is None

    def _is_muted(self, place, rest, message, verb):
        ledger = self._game.ledger
        return not ledger.has_notes or any(words == f"MUTE {self._name}" and event <= place
                                           for event, words in ledger.notes)
