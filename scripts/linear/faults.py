"""Faults to plant in a transcript, to show that the judge finds them."""

from __future__ import annotations

import re
from typing import Callable

from answers import split
from game import Game
from judge import judge
from transcript import Connection, Transcript, parse
from violation import Violation
from watch import check_times

LATE = 0.4
"""Seconds."""


class NoPlace(Exception):
    """The transcript has no place where this fault could be planted."""


def prove(transcript: Transcript, game: Game, missing: set):
    """Plants each of the `missing` faults in a copy, and removes those that the judge found.

    A fault for which this transcript has no place stays in `missing`, for another transcript.

    - Throws: `Violation` if a fault was planted and not found.
    """
    for plant in list(missing):
        copy = transcript.copy()
        try:
            plant(copy)
        except NoPlace:
            continue
        try:
            judge(copy)
            check_times(copy, game, NoExcuses())
        except Violation:
            missing.remove(plant)
        else:
            raise Violation(f"this fault was planted and not found: {plant.__doc__}")


class NoExcuses:
    """A machine that is never late."""

    def between(self, start: float, end: float) -> float:
        return 0.0


def find(transcript: Transcript, is_wanted: Callable[[Connection, int], bool],
         among=slice(1, None)) -> tuple[Connection, int]:
    """A connection and the index of a line that it received; never the scribe's."""
    for connection in transcript.connections[among]:
        for place in range(len(connection.heard)):
            if is_wanted(connection, place):
                return connection, place
    raise NoPlace(is_wanted)


def message(connection: Connection, place: int):
    return parse(connection.heard[place].text)


def is_news(connection, place, word=""):
    """Whether the line is news, well after the first snapshot."""
    if not 8 < place < len(connection.heard):
        return False
    told = message(connection, place)
    return told.kind == "news" and told.words.startswith(word) and all(
        message(connection, other).kind in ("news", "ok") and "status" not in connection.heard[other].text
        for other in range(place, min(place + 6, len(connection.heard))))


def is_answer(connection, place, beginning):
    if place >= len(connection.heard):
        return False
    told = message(connection, place)
    return f"{told.kind} {told.words}".startswith(beginning)


def is_accepted(connection, place):
    """Whether the line acknowledges a bid, and the next line is its `PRICE`."""
    if not is_answer(connection, place, "ok bid "):
        return False
    amount = message(connection, place).words.split()[1]
    return is_news(connection, place + 1, f"PRICE {amount} ")


def replace(connection: Connection, place: int, old: str, new: str):
    """Replaces words in a line, which must contain the old ones."""
    line = connection.heard[place]
    if old not in line.text:
        raise NoPlace(old)
    connection.heard[place] = line._replace(text=line.text.replace(old, new, 1))


def everywhere(transcript: Transcript, change: Callable[[str], str]):
    """Changes a line on all connections and in the journal."""
    for connection in transcript.connections:
        connection.heard[:] = [line._replace(text=change(line.text)) for line in connection.heard]
    if transcript.journal is not None:
        transcript.journal[:] = [change(line) for line in transcript.journal]


def doubled_ok(transcript):
    """A bid was answered OK twice."""
    connection, place = find(transcript, lambda c, p: is_answer(c, p, "ok bid "))
    connection.heard.insert(place, connection.heard[place])


def lost_ok(transcript):
    """An OK was lost, of a connection that heard the rest."""
    connection, place = find(transcript, lambda c, p: not c.was_cut and is_answer(c, p, "ok bid "))
    del connection.heard[place]


def swapped_news(transcript):
    """One heard two prices in the wrong order."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE") and is_news(c, p + 1, "PRICE"))
    heard = connection.heard
    heard[place], heard[place + 1] = heard[place + 1], heard[place]


def lost_news(transcript):
    """One did not hear one line of news."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE") and is_news(c, p + 1))
    del connection.heard[place]


def lost_news_in_text(transcript):
    """One who hears text, without numbers, did not hear one line of news."""
    connection, place = find(transcript, lambda c, p: c.heard[p].text.startswith("PRICE ")
                             and is_news(c, p) and is_news(c, p + 1))
    del connection.heard[place]


def doubled_news(transcript):
    """One heard a line of news twice."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE"))
    connection.heard.insert(place, connection.heard[place])


def wrong_number(transcript):
    """One heard an event under the number of another."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE") and message(c, p).seq)
    number = message(connection, place).seq
    replace(connection, place, f'"seq":{number},', f'"seq":{number + 1},')


def answer_late(transcript):
    """A bid was acknowledged behind its price."""
    connection, place = find(transcript, is_accepted)
    heard = connection.heard
    heard[place], heard[place + 1] = heard[place + 1], heard[place]


def refused_though_accepted(transcript):
    """A bid that everybody heard of was refused."""
    connection, place = find(transcript, lambda c, p: c.heard[p].text.startswith("OK ")
                             and is_accepted(c, p))
    line = connection.heard[place]
    tag = re.match(r"OK (#\w+ )?", line.text)[1] or ""
    connection.heard[place] = line._replace(text=f"ERROR {tag}closed no lot is open")


def accepted_though_refused(transcript):
    """A bid that was too low was acknowledged."""
    connection, place = find(transcript, lambda c, p: c.heard[p].text.startswith("ERROR ")
                             and is_answer(c, p, "error too-low "))
    line = connection.heard[place]
    answers = sum(message(connection, other).kind in ("ok", "error") for other in range(place))
    commands = [said.text for said in connection.said if said.text.strip()]
    tag, _, amount = split(commands[answers])
    text = f"OK #{tag} bid {amount}" if tag else f"OK bid {amount}"
    connection.heard[place] = line._replace(text=text)


def wrong_minimum(transcript):
    """A bid was refused with a least amount that never was."""
    connection, place = find(transcript, lambda c, p: is_answer(c, p, "error too-low "))
    least = message(connection, place).fact("minimum")
    replace(connection, place, str(least), str(least + 1))
    if f"={least + 1}" not in connection.heard[place].text:
        replace(connection, place, f'"minimum":{least}', f'"minimum":{least + 1}')


def stale_answer(transcript):
    """Somebody was told the laps of long ago, as they were when the first bid had been made."""
    best = None
    for connection in transcript.connections[1:]:
        for place in range(len(connection.heard)):
            if not is_answer(connection, place, "ok laps "):
                continue
            count = int(message(connection, place).words.split()[1])
            data = range(place - count, place)
            if 1 < count <= 20 and place > count and all(
                    message(connection, other).words.startswith("LAP ") for other in data):
                best = max(best or (0,), (count, place, connection.label, connection))
    if best is None:
        raise NoPlace("laps")
    count, place, _, connection = best
    replace(connection, place, f"laps {count}", "laps 1")
    del connection.heard[place - count + 1:place]


def wrong_lap(transcript):
    """A lap names another bidder."""
    connection, place = find(transcript, lambda c, p: message(c, p).words.startswith("LAP ")
                             and c.heard[p].text.startswith("LAP "))
    words = connection.heard[place].text.split()
    replace(connection, place, f" {words[3]} ", " somebody ")


def lost_name(transcript):
    """One who is there was not told by `who`."""
    connection, place = find(transcript, lambda c, p: message(c, p).words.startswith("WHO "))
    del connection.heard[place]
    for later in range(place, len(connection.heard)):
        if is_answer(connection, later, "ok who "):
            count = int(message(connection, later).words.split()[1])
            return replace(connection, later, f"who {count}", f"who {count - 1}")
    raise NoPlace("who")


def wrong_status(transcript):
    """The price of `status` is another one."""
    def is_price(connection, place):
        return connection.heard[place].text.startswith("PRICE ") and any(
            is_answer(connection, later, "ok status") for later in
            range(place + 1, min(place + 3, len(connection.heard)))) and \
            connection.heard[place - 1].text.startswith("LOT ")
    connection, place = find(transcript, is_price)
    amount = connection.heard[place].text.split()[1]
    replace(connection, place, f" {amount} ", f" {int(amount) + 1} ")


def lost_bid(transcript):
    """A bid was acknowledged, and nobody ever heard of it."""
    connection, place = find(transcript, is_accepted)
    words = message(connection, place + 1).words.split()
    everywhere(transcript, lambda text: text.replace(f"PRICE {words[1]} {words[2]} ", f"PRICE {words[1]} ghost ")
               .replace(f'"amount":{words[1]},"bidder":"{words[2]}"', f'"amount":{words[1]},"bidder":"ghost"'))


def wrong_winner(transcript):
    """Another one than the last bidder has won."""
    _, place = find(transcript, lambda c, p: message(c, p).words.startswith("WINNER "), slice(0, 1))
    bidder = message(transcript.connections[0], place).words.split()[1]
    everywhere(transcript, lambda text: text.replace(f"WINNER {bidder} ", "WINNER ghost ")
               .replace(f'"type":"winner","content":"{bidder}","bidder":"{bidder}"',
                        '"type":"winner","content":"ghost","bidder":"ghost"'))


def above_full(transcript):
    """The countdown tells more than the full seconds."""
    full = transcript.seconds
    everywhere(transcript, lambda text: text.replace(f"COUNTDOWN {full}", f"COUNTDOWN {full + 1}")
               .replace(f'"type":"countdown","content":"{full}"', f'"type":"countdown","content":"{full + 1}"'))


def lost_second(transcript):
    """A lot was sold before its countdown was told to the end."""
    scribe = transcript.connections[0]
    _, place = find(transcript, lambda c, p: message(c, p).words == "COUNTDOWN 0", slice(0, 1))
    replace(scribe, place, '"content":"0"', f'"content":"{transcript.seconds}"')


def sold_place(transcript):
    """Where the scribe heard that a lot was sold, of which the countdown came to its end."""
    heard = transcript.connections[0].heard
    kinds = [re.search(r'^{"seq".*"type":"(\w+)"', line.text) for line in heard]
    kinds = [match and match[1] for match in kinds]
    for place in range(2, len(kinds)):
        if kinds[place - 1:place + 1] == ["countdown", "winner"] and kinds[place - 2] != "hammered":
            return place
    raise NoPlace("winner")


def late_hammer(transcript):
    """The hammer fell late."""
    place, heard = sold_place(transcript), transcript.connections[0].heard
    heard[place] = heard[place]._replace(at=heard[place].at + LATE)


def late_second(transcript):
    """A second of the countdown was told late."""
    place, heard = sold_place(transcript) - 1, transcript.connections[0].heard
    heard[place] = heard[place]._replace(at=heard[place].at + LATE)


def journal_differs(transcript):
    """The journal has another bid than everybody heard."""
    if transcript.journal is None:
        raise NoPlace("journal")
    place = max(place for place, words in enumerate(transcript.journal) if words.startswith("PRICE "))
    transcript.journal[place] = transcript.journal[place].replace("PRICE ", "PRICE 1", 1)


FAULTS = (doubled_ok, lost_ok, swapped_news, lost_news, lost_news_in_text, doubled_news, wrong_number,
          answer_late, refused_though_accepted, accepted_though_refused, wrong_minimum, stale_answer, wrong_lap,
          lost_name, wrong_status, lost_bid, wrong_winner, above_full, lost_second, late_hammer,
          late_second, journal_differs)
