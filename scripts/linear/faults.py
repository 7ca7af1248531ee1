"""Faults to plant in the recorded connections, to show that the judge finds them."""

from __future__ import annotations

import re
from typing import Callable, NamedTuple

from answers import split
from checks import Failure
from game import Game
from judge import Judge, compare, game_of_observer
from machine import Delays
from protocol import Connection, parse
from timing import check_times

LATE = 0.4
"""Seconds."""


class Transcript(NamedTuple):
    """All connections of one play; the first received every event in JSON."""

    seconds: int
    connections: list[Connection]
    journal: Game | None

    def copy(self) -> Transcript:
        journal = self.journal
        if journal:
            journal = Game(self.seconds)
            journal.words, journal.elapsed = list(self.journal.words), list(self.journal.elapsed)
        return Transcript(self.seconds, [each.copy() for each in self.connections], journal)


def judge(transcript: Transcript, delays) -> tuple[Judge, list]:
    """Returns the judge of a transcript, and the delays of its countdowns.

    - Throws: `Failure` if no order of events explains it.
    """
    game = game_of_observer(transcript.connections[0], transcript.seconds)
    if transcript.journal:
        compare(transcript.journal, game)
    found = Judge(game)
    found.judge(transcript.connections)
    return found, check_times(transcript.connections[0], game, delays)


class NoPlace(Exception):
    """The transcript has no place where this fault could be planted."""


def prove(transcript: Transcript, missing: set):
    """Plants each of the `missing` faults in a copy, and removes those that the judge found.

    A fault for which this transcript has no place stays in `missing`, for another transcript.

    - Throws: `Failure` if a fault was planted and not found.
    """
    for plant in list(missing):
        copy = transcript.copy()
        try:
            plant(copy)
        except NoPlace:
            continue
        try:
            judge(copy, Delays())
        except Failure:
            missing.remove(plant)
        else:
            raise Failure(f"this fault was planted and not found: {plant.__doc__}")


def find(transcript: Transcript, is_wanted: Callable[[Connection, int], bool],
         among=slice(1, None)) -> tuple[Connection, int]:
    """A connection and the index of a line that it received; never the observer's."""
    for connection in transcript.connections[among]:
        for place in range(len(connection.received)):
            if is_wanted(connection, place):
                return connection, place
    raise NoPlace(is_wanted)


def message(connection: Connection, place: int):
    return parse(connection.received[place].text)


def is_news(connection, place, word=""):
    """Whether the line is news, well after the first snapshot."""
    if not 8 < place < len(connection.received):
        return False
    found = message(connection, place)
    return found.kind == "news" and found.words.startswith(word) and all(
        message(connection, other).kind in ("news", "ok") and "status" not in connection.received[other].text
        for other in range(place, min(place + 6, len(connection.received))))


def is_answer(connection, place, beginning):
    if place >= len(connection.received):
        return False
    found = message(connection, place)
    return f"{found.kind} {found.words}".startswith(beginning)


def is_accepted(connection, place):
    """Whether the line acknowledges a bid, and the next line is its `PRICE`."""
    if not is_answer(connection, place, "ok bid "):
        return False
    amount = message(connection, place).words.split()[1]
    return is_news(connection, place + 1, f"PRICE {amount} ")


def replace(connection: Connection, place: int, old: str, new: str):
    """Replaces words in a line, which must contain the old ones."""
    line = connection.received[place]
    if old not in line.text:
        raise NoPlace(old)
    connection.received[place] = line._replace(text=line.text.replace(old, new, 1))


def everywhere(transcript: Transcript, change: Callable[[str], str]):
    """Changes a line on all connections and in the journal."""
    for connection in transcript.connections:
        connection.received[:] = [line._replace(text=change(line.text)) for line in connection.received]
    if transcript.journal is not None:
        transcript.journal.words[:] = [change(line) for line in transcript.journal.words]


def doubled_ok(transcript):
    """A bid was answered OK twice."""
    connection, place = find(transcript, lambda c, p: is_answer(c, p, "ok bid "))
    connection.received.insert(place, connection.received[place])


def lost_ok(transcript):
    """An OK was lost, of a connection that received the rest."""
    connection, place = find(transcript, lambda c, p: not c.was_cut and is_answer(c, p, "ok bid "))
    del connection.received[place]


def swapped_news(transcript):
    """A connection received two prices in the wrong order."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE") and is_news(c, p + 1, "PRICE"))
    received = connection.received
    received[place], received[place + 1] = received[place + 1], received[place]


def lost_news(transcript):
    """A connection missed one line of news."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE") and is_news(c, p + 1))
    del connection.received[place]


def lost_news_in_text(transcript):
    """A connection in text, without numbers, missed one line of news."""
    connection, place = find(transcript, lambda c, p: c.received[p].text.startswith("PRICE ")
                             and is_news(c, p) and is_news(c, p + 1))
    del connection.received[place]


def doubled_news(transcript):
    """A connection received a line of news twice."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE"))
    connection.received.insert(place, connection.received[place])


def wrong_number(transcript):
    """A connection received an event under the number of another."""
    connection, place = find(transcript, lambda c, p: is_news(c, p, "PRICE") and message(c, p).number)
    number = message(connection, place).number
    replace(connection, place, f'"seq":{number},', f'"seq":{number + 1},')


def answer_late(transcript):
    """A bid was acknowledged after its price."""
    connection, place = find(transcript, is_accepted)
    received = connection.received
    received[place], received[place + 1] = received[place + 1], received[place]


def refused_though_accepted(transcript):
    """A bid whose price everybody received was refused."""
    connection, place = find(transcript, lambda c, p: c.received[p].text.startswith("OK ")
                             and is_accepted(c, p))
    line = connection.received[place]
    tag = re.match(r"OK (#\w+ )?", line.text)[1] or ""
    connection.received[place] = line._replace(text=f"ERROR {tag}closed no lot is open")


def accepted_though_refused(transcript):
    """A bid that was too low was acknowledged."""
    connection, place = find(transcript, lambda c, p: c.received[p].text.startswith("ERROR ")
                             and is_answer(c, p, "error too-low "))
    line = connection.received[place]
    answers = sum(message(connection, other).kind in ("ok", "error") for other in range(place))
    commands = [line.text for line in connection.sent if line.text.strip()]
    tag, _, amount = split(commands[answers])
    text = f"OK #{tag} bid {amount}" if tag else f"OK bid {amount}"
    connection.received[place] = line._replace(text=text)


def wrong_minimum(transcript):
    """A bid was refused with a minimum that was never right."""
    connection, place = find(transcript, lambda c, p: is_answer(c, p, "error too-low "))
    least = message(connection, place).fact("minimum")
    replace(connection, place, str(least), str(least + 1))
    if f"={least + 1}" not in connection.received[place].text:
        replace(connection, place, f'"minimum":{least}', f'"minimum":{least + 1}')


def stale_answer(transcript):
    """The laps of long ago were answered, as they were after the first bid."""
    best = None
    for connection in transcript.connections[1:]:
        for place in range(len(connection.received)):
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
    del connection.received[place - count + 1:place]


def wrong_lap(transcript):
    """A lap names another bidder."""
    connection, place = find(transcript, lambda c, p: message(c, p).words.startswith("LAP ")
                             and c.received[p].text.startswith("LAP "))
    words = connection.received[place].text.split()
    replace(connection, place, f" {words[3]} ", " somebody ")


def lost_name(transcript):
    """`who` left out a bidder who is present."""
    connection, place = find(transcript, lambda c, p: message(c, p).words.startswith("WHO "))
    del connection.received[place]
    for later in range(place, len(connection.received)):
        if is_answer(connection, later, "ok who "):
            count = int(message(connection, later).words.split()[1])
            return replace(connection, later, f"who {count}", f"who {count - 1}")
    raise NoPlace("who")


def wrong_status(transcript):
    """The price of `status` is another one."""
    def is_price(connection, place):
        return connection.received[place].text.startswith("PRICE ") and any(
            is_answer(connection, later, "ok status") for later in
            range(place + 1, min(place + 3, len(connection.received)))) and \
            connection.received[place - 1].text.startswith("LOT ")
    connection, place = find(transcript, is_price)
    amount = connection.received[place].text.split()[1]
    replace(connection, place, f" {amount} ", f" {int(amount) + 1} ")


def lost_bid(transcript):
    """A bid was acknowledged, and nobody received its price."""
    connection, place = find(transcript, is_accepted)
    words = message(connection, place + 1).words.split()
    everywhere(transcript, lambda text: text.replace(f"PRICE {words[1]} {words[2]} ", f"PRICE {words[1]} ghost ")
               .replace(f'"amount":{words[1]},"bidder":"{words[2]}"', f'"amount":{words[1]},"bidder":"ghost"'))


def wrong_winner(transcript):
    """Another bidder than the last has won."""
    _, place = find(transcript, lambda c, p: message(c, p).words.startswith("WINNER "), slice(0, 1))
    bidder = message(transcript.connections[0], place).words.split()[1]
    everywhere(transcript, lambda text: text.replace(f"WINNER {bidder} ", "WINNER ghost ")
               .replace(f'"type":"winner","content":"{bidder}","bidder":"{bidder}"',
                        '"type":"winner","content":"ghost","bidder":"ghost"'))


def above_full(transcript):
    """The countdown shows more than the full seconds."""
    full = transcript.seconds
    everywhere(transcript, lambda text: text.replace(f"COUNTDOWN {full}", f"COUNTDOWN {full + 1}")
               .replace(f'"type":"countdown","content":"{full}"', f'"type":"countdown","content":"{full + 1}"'))


def lost_second(transcript):
    """A lot was sold before its countdown was announced to the end."""
    observer = transcript.connections[0]
    _, place = find(transcript, lambda c, p: message(c, p).words == "COUNTDOWN 0", slice(0, 1))
    replace(observer, place, '"content":"0"', f'"content":"{transcript.seconds}"')


def sold_place(transcript):
    """Where the observer received that a lot was sold after a whole countdown."""
    received = transcript.connections[0].received
    kinds = [re.search(r'^{"seq".*"type":"(\w+)"', line.text) for line in received]
    kinds = [match and match[1] for match in kinds]
    for place in range(2, len(kinds)):
        if kinds[place - 1:place + 1] == ["countdown", "winner"] and kinds[place - 2] != "hammered":
            return place
    raise NoPlace("winner")


def late_hammer(transcript):
    """The hammer fell late."""
    place, received = sold_place(transcript), transcript.connections[0].received
    received[place] = received[place]._replace(at=received[place].at + LATE)


def late_second(transcript):
    """A second of the countdown came late."""
    place, received = sold_place(transcript) - 1, transcript.connections[0].received
    received[place] = received[place]._replace(at=received[place].at + LATE)


def journal_differs(transcript):
    """The journal has another bid than everybody received."""
    if transcript.journal is None:
        raise NoPlace("journal")
    words = transcript.journal.words
    place = max(place for place, line in enumerate(words) if line.startswith("PRICE "))
    words[place] = words[place].replace("PRICE ", "PRICE 1", 1)


FAULTS = (doubled_ok, lost_ok, swapped_news, lost_news, lost_news_in_text, doubled_news, wrong_number,
          answer_late, refused_though_accepted, accepted_though_refused, wrong_minimum, stale_answer, wrong_lap,
          lost_name, wrong_status, lost_bid, wrong_winner, above_full, lost_second, late_hammer,
          late_second, journal_differs)
