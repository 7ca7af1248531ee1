"""Faults that are planted in a sound recording of a cluster, each of which the judge must find."""

from __future__ import annotations

import collections
import random
import re
from typing import Callable

from checks import Failure, check
from nats import Stored
from protocol import Connection, Received, Sent, parse
from replicas import Recording, judge
from stream import AFTER, ID, KIND, LOG, Stream


def check_all(recording: Recording, rng: random.Random) -> int:
    """Plants each fault in a copy, and returns how many were found.

    - Throws: `Failure` if the judge does not find one, or complains of something else.
    """
    found = 0
    for plant, complaint in FAULTS:
        copies = [connection.copy() for connection in recording.connections]
        places = [recording.connections.index(each) for each in recording.observers]
        copy = recording._replace(messages=list(recording.messages), connections=copies,
                                  observers=[copies[place] for place in places],
                                  results={room: dict(lines) for room, lines in recording.results.items()})
        if not plant(copy, rng):
            continue
        try:
            judge(copy)
        except Failure as failure:
            check(re.search(complaint, str(failure)), f"the planted fault {plant.__name__} was taken for another one",
                  failure)
            found += 1
        else:
            raise Failure(f"the planted fault {plant.__name__} was not found")
    return found


# In the stream

def lose_message(recording, rng):
    del recording.messages[rng.randrange(len(recording.messages) - 1)]
    return True


def repeat_message(recording, rng):
    return append(recording, rng.choice(logged(recording, "events")))


def append_anywhere(recording, rng):
    message = rng.choice(logged(recording, "events"))
    headers = {name: value for name, value in message.headers.items() if name != AFTER}
    recording.messages[recording.messages.index(message)] = message._replace(headers=headers)
    return True


def repeat_bid(recording, rng):
    bid = rng.choice([message for message in logged(recording, "events") if b" PRICE " in message.payload])
    return append(recording, renamed(bid, recording, "main"))


def append_by_another(recording, rng):
    message = rng.choice(logged(recording, "events"))
    return append(recording, message._replace(headers={**message.headers, ID: "other-1", "Auction-Instance": "00000000"}))


def sell_twice(recording, rng):
    room = rng.choice(rooms(recording))
    line = b"+ - PASSED 1 closed a\n"
    return append(recording, renamed(logged(recording, "events", room)[-1], recording, room)._replace(payload=line * 2))


def sell_to_another(recording, rng):
    room = rng.choice(rooms(recording))
    lines = ending(recording, room) + b"+ - LOT %d a\n+ - PRICE 8 b0 00:01.0 1\n+ - WINNER b1 8 00:02.0 a\n"
    return append(recording, renamed(logged(recording, "events", room)[-1], recording, room)._replace(
        payload=lines % (newest_lot(recording, room) + 1)))


def hide_sealed_bid(recording, rng):
    found = [message for message in logged(recording, "events") if b" REVEALED " in message.payload]
    if not found:
        return False
    message = rng.choice(found)
    place = recording.messages.index(message)
    recording.messages[place] = message._replace(payload=message.payload.replace(b" REVEALED ", b" SAID ", 1))
    return True


def carry_out_twice(recording, rng):
    room = rng.choice(rooms(recording))
    price = b"+ - PRICE 8 b0 00:01.0 1\n"
    lines = ending(recording, room) + b"+ - LOT %d a\n" + price + b"+ - VOIDED 8 b0 1\n+ - SAID b0 x\n" + price
    return append(recording, renamed(logged(recording, "events", room)[-1], recording, room)._replace(
        payload=lines % (newest_lot(recording, room) + 1)))


def shorten_countdown(recording, rng):
    """Takes the full seconds from the first countdown after a takeover."""
    stream = Stream().read(recording.messages)
    for name, room in stream.rooms.items():
        for takeover in room.takeovers[1:]:
            state = room.history.state(takeover.event) if takeover.event else {}
            following = room.history.event(takeover.event + 1)
            if following == f"COUNTDOWN {recording.seconds.get(name)}" and "PRICE" in state and "WINNER" not in state:
                stored = room.stored[takeover.event]
                place = recording.messages.index(stored)
                text = stored.payload.replace(following.encode(), b"COUNTDOWN 0", 1)
                recording.messages[place] = stored._replace(payload=text)
                return True
    return False


# At the clients

def exchange_news(recording, rng):
    connection, place = news(recording, rng)
    lines = connection.received
    lines[place], lines[place - 1] = lines[place - 1], lines[place]
    return True


def skip_news(recording, rng):
    connection, place = news(recording, rng)
    del connection.received[place - 1]
    return True


def change_news(recording, rng):
    connection, place = news(recording, rng)
    seq = parse(connection.received[place].text)["seq"]
    return replace(connection, place, f'{{"type":"said","seq":{seq},"bidder":"nobody","content":"nothing","time":""}}')


def change_state(recording, rng):
    found = [(connection, place) for connection in recording.observers
             for place, line in enumerate(connection.received) if '"state":{"price":' in line.text and is_news(line)]
    connection, place = rng.choice(found)
    return replace(connection, place, connection.received[place].text.replace('"state":{"price":', '"state":{"price":1'))


def add_news(recording, rng):
    connection = rng.choice(recording.observers)
    last = next(line for line in reversed(connection.received) if '"seq"' in line.text)
    text = f'{{"type":"left","seq":{parse(last.text)["seq"] + 1},"bidder":"b1","time":""}}'
    connection.received.append(last._replace(text=text))
    return True


def end_early(recording, rng):
    connection = rng.choice(recording.observers)
    place = max(place for place, line in enumerate(connection.received) if is_news(line))
    del connection.received[place:]
    return True


def tell_early(recording, rng):
    connection, place = news(recording, rng)
    line = connection.received[place]
    connection.received[place] = line._replace(at=line.at - 60)
    return True


def change_snapshot(recording, rng):
    found = [(connection, place) for connection in recording.connections
             for place, line in enumerate(connection.received) if '"snapshot":true,"type":"price"' in line.text]
    if not found:
        return False
    connection, place = rng.choice(found)
    line = connection.received[place]
    return replace(connection, place, re.sub(r'"amount":\d+', '"amount":999999', line.text))


def forget_time(recording, rng):
    connection, place = news(recording, rng)
    return replace(connection, place, re.sub(r',"time":"[^"]*"', "", connection.received[place].text))


def greet_by_another(recording, rng):
    found = [(connection, place) for connection in recording.connections
             for place, line in enumerate(connection.received) if line.text.startswith('{"type":"hello"')]
    connection, place = rng.choice(found)
    return replace(connection, place, connection.received[place].text.replace('"node":"', '"node":"no-'))


def accept_unknown_bid(recording, rng):
    connection, _ = bid(recording, rng)
    connection.sent.append(Sent(0, "bid 999998 lot=1"))
    while len(answers(connection)) < len(connection.sent):
        connection.received.append(Received(0, 0.0, '{"type":"ok","content":"bid 999998","time":""}'))
    return True


def refuse_accepted_bid(recording, rng):
    connection, place = bid(recording, rng)
    return replace(connection, place, '{"type":"error","code":"too-low","content":"bid more","time":""}')


def lose_name(recording, rng):
    connection, place = bid(recording, rng)
    return replace(connection, place, '{"type":"error","code":"wrong-token","content":"no","time":""}')


def answer_nothing(recording, rng):
    connection, _ = bid(recording, rng)
    connection.received += [Received(0, 0.0, '{"type":"ok","content":"ping","time":""}')] * (len(connection.sent) + 1)
    return True


def list_another_winner(recording, rng):
    for lines in recording.results.values():
        for node, listed in lines.items():
            for place, line in enumerate(listed):
                if " - - " not in line:
                    words = line.split(" ")
                    lines[node] = [*listed[:place], " ".join([*words[:2], "nobody", *words[3:]]), *listed[place + 1:]]
                    return True
    return False


FAULTS: tuple[tuple[Callable, str], ...] = (
    (lose_message, "was not read"),
    (repeat_message, "is in the stream twice"),
    (repeat_bid, "does not raise the price|was not sent|in the stream 2 times"),
    (append_anywhere, "alone"),
    (append_by_another, "does not own the room"),
    (sell_twice, "ended twice"),
    (sell_to_another, "has won than led"),
    (hide_sealed_bid, "not all sealed bids"),
    (carry_out_twice, "in the stream 2 times"),
    (shorten_countdown, "full seconds"),
    (exchange_news, "is followed by"),
    (skip_news, "is followed by"),
    (change_news, "is another one in the stream"),
    (change_state, "another state"),
    (add_news, "is not in the stream"),
    (end_early, "until event"),
    (tell_early, "before it was in the stream"),
    (change_snapshot, "another snapshot"),
    (forget_time, "has no time"),
    (greet_by_another, "another node"),
    (accept_unknown_bid, "accepted bid is not in the stream"),
    (refuse_accepted_bid, "was not sent, or was refused"),
    (lose_name, "lost its name"),
    (answer_nothing, "answer to no command"),
    (list_another_winner, "other winners"),
)


def logged(recording, kind, room=None) -> list[Stored]:
    """The messages of this kind, of one room or of all."""
    return [message for message in recording.messages if message.headers.get(KIND) == kind
            and message.subject.startswith(LOG) and room in (None, message.subject[len(LOG):])]


def rooms(recording) -> list[str]:
    """The rooms with bids that everybody sees."""
    return sorted({message.subject[len(LOG):] for message in logged(recording, "events") if b" PRICE " in message.payload})


def ending(recording, room) -> bytes:
    """The entry that ends the open lot; nothing if none is open."""
    history = Stream().read(recording.messages).rooms[room].history
    is_open = not {"WINNER", "PASSED"} & set(history.state(history.last))
    return b"+ - PASSED %d closed a\n" % history.newest_lot if is_open else b""


def newest_lot(recording, room) -> int:
    return Stream().read(recording.messages).rooms[room].history.newest_lot


def renamed(message, recording, room) -> Stored:
    """The message as a new one of the room's owner."""
    owner = logged(recording, "owner", room)[-1].headers
    return message._replace(subject=LOG + room, headers={**owner, ID: "planted-1", KIND: "events"})


def append(recording, message) -> bool:
    """Puts a message at the end of the stream."""
    last = next(each.sequence for each in reversed(recording.messages) if each.subject == message.subject)
    recording.messages.append(message._replace(sequence=recording.messages[-1].sequence + 1,
                                               headers={**message.headers, AFTER: str(last)}))
    return True


def is_news(line) -> bool:
    return '"seq"' in line.text and '"snapshot"' not in line.text


def news(recording, rng) -> tuple[Connection, int]:
    """The place of a line of news that follows two others on an observer's connection."""
    connection = rng.choice([each for each in recording.observers if sum(map(is_news, each.received)) > 10])
    lines = connection.received
    return connection, rng.choice([place for place in range(2, len(lines) - 1)
                                   if all(map(is_news, lines[place - 2:place + 2]))])


def bid(recording, rng) -> tuple[Connection, int]:
    """The place of the answer to an accepted bid that was sent once, and that everybody knows of."""
    sent = collections.Counter(tuple(line.text.split()[:2]) for each in recording.connections for line in each.sent)
    secret = b"".join(message.payload for message in logged(recording, "events"))
    found = [(connection, place) for connection in recording.connections
             for place, line in enumerate(connection.received)
             if '"type":"ok"' in line.text and (words := tuple(parse(line.text)["content"].split()))[0] == "bid"
             and sent[words] == 1 and f" BID {connection.label.partition('@')[0]} {words[1]}\n".encode() not in secret]
    return rng.choice(found)


def answers(connection) -> list[Received]:
    return [line for line in connection.received if parse(line.text)["type"] in ("ok", "error")]


def replace(connection, place, text) -> bool:
    connection.received[place] = connection.received[place]._replace(text=text)
    return True
