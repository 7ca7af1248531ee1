"""Plants faults of each kind in a small journal and in the connections that agree with it; each must be found."""

from __future__ import annotations

import json
import os
import re
import tempfile

from checks import Failure
from journal import Journal, compare_results
from judge import Judge, compare, game_of_observer
from ledger import Play
from machine import Delays
from planted_auction_faults import (JOURNAL_EDITS, LINE_EDITS, LINES, OBSERVER, OBSERVER_EDITS, RESULT_EDITS, RESULTS,
                                    SEGMENTS)
from planted_game_faults import FALL_EDITS, FALLS, GAME_JOURNAL_EDITS, GAME_LINE_EDITS, GAME_LINES, GAME_SEGMENTS
from planted_room_faults import ROOM_JOURNAL_EDITS, ROOM_LINE_EDITS, ROOM_LINES, ROOM_SEGMENTS
from planted_sealed_faults import (KEPT, KEPT_EDITS, KEPT_JOURNAL_EDITS, KEPT_SEGMENTS, UNKNOWN, UNKNOWN_EDITS,
                                   UNPLACED, UNPLACED_EDITS, UNPLACED_SEGMENTS)
from protocol import Connection, Received, Sent, parse
from room_judges import RoomJudges
from timing import check_times

SAME_LINES = (
    ("TERMS format=vickrey seconds=20 start=10 step=5 reserve=yes buy=500 longest=60",
     '{"seq":1,"type":"terms","content":"vickrey","format":"vickrey","seconds":20,"start":10,"step":5,"reserve":true,'
     '"buy":500,"longest":60}'),
    ("TERMS format=dutch seconds=20 start=900 step=5",
     '{"seq":1,"type":"terms","content":"dutch","format":"dutch","seconds":20,"start":900,"step":5}'),
    ("ASK 900", '{"seq":1,"type":"ask","content":"900","amount":900,"remainingMilliseconds":7000}'),
    ("SEALED 3", '{"seq":1,"type":"sealed","content":"3","bids":3}'),
    ("REVEALED 120 alice", '{"seq":1,"type":"revealed","content":"120","amount":120,"bidder":"alice"}'),
    ("RESERVE met", '{"seq":1,"type":"reserve","content":"met"}'),
    ("VALUE 117", '{"seq":1,"type":"value","content":"117","value":117}'),
    ("CHAMPION alice -213", '{"seq":1,"type":"champion","content":"alice","bidder":"alice","score":-213}'),
    ("SAID alice hello all", '{"seq":1,"type":"said","content":"hello all","bidder":"alice"}'),
    ("GAME lots=10 purse=200 worth=50..150",
     '{"type":"game","content":"lots=10 purse=200 worth=50..150","lots":10,"purse":200,"worth":[50,150]}'),
    ("GAME common=50..150 noise=20",
     '{"type":"game","content":"common=50..150 noise=20","common":[50,150],"noise":20}'),
    ("PURSE 860", '{"type":"purse","content":"860","left":860}'),
    ("WORTH 143", '{"type":"worth","content":"143","amount":143}'),
    ("WORTH about 128", '{"type":"worth","content":"128","amount":128,"isEstimate":true}'),
    ("MAX 200", '{"type":"max","content":"200","amount":200}'),
    ("YOURS 120", '{"type":"yours","content":"120","amount":120}'),
    ("STANDING 1 alice lots=2 spent=140 left=860 profit=-37",
     '{"type":"standing","rank":1,"content":"alice","bidder":"alice","lots":2,"spent":140,"left":860,"profit":-37}'),
    ("STANDING 2 bob lots=0 spent=0", '{"type":"standing","rank":2,"content":"bob","bidder":"bob","lots":0,"spent":0}'),
    ("RESULT 2 - - 00:07.0 Clock", '{"type":"result","lot":2,"elapsedMilliseconds":7000,"content":"Clock"}'),
)
"""Lines of the game in text, and the same in JSON."""


def prove():
    """Fails unless what agrees is found to agree, and every planted fault is found."""
    for text, in_json in SAME_LINES:
        if parse(text)[:2] != parse(in_json)[:2]:
            raise AssertionError(f"{in_json} is read as {parse(in_json)}, and not as {text}")
    prove_edits(SEGMENTS, LINES, JOURNAL_EDITS, LINE_EDITS)
    prove_edits(GAME_SEGMENTS, GAME_LINES, GAME_JOURNAL_EDITS, GAME_LINE_EDITS)
    prove_edits(ROOM_SEGMENTS, ROOM_LINES, ROOM_JOURNAL_EDITS, ROOM_LINE_EDITS)
    for lines in KEPT, changed(KEPT, "< OK #k2 bid 80\n", ""):
        prove_edits(KEPT_SEGMENTS, lines, KEPT_JOURNAL_EDITS, KEPT_EDITS)
    prove_edits(UNPLACED_SEGMENTS, UNPLACED, (), UNPLACED_EDITS)
    for call, lines, edits in ((watch, FALLS, FALL_EDITS), (examine_unknown, UNKNOWN, UNKNOWN_EDITS),
                               (examine_unknown, KEPT, KEPT_EDITS),
                               (examine_unknown, changed(KEPT, "< OK #k2 bid 80\n", ""), KEPT_EDITS)):
        require("", complaint_of(call, lines), call.__name__)
        for old, new, complaint in edits:
            require(complaint, complaint_of(call, changed(lines, old, new)), new)
    lose_events()
    game = journal_of(SEGMENTS).game
    require("", complaint_of(observe, OBSERVER, game), "the observer")
    for old, new, complaint in OBSERVER_EDITS:
        require(complaint, complaint_of(observe, changed(OBSERVER, old, new), game), new)
    require("", complaint_of(compare_results, [json.dumps(fields) for fields in RESULTS], game), "the results")
    for key, value, complaint in RESULT_EDITS:
        lines = [json.dumps({**fields, key: value}) for fields in RESULTS]
        require(complaint, complaint_of(compare_results, lines, game), f"results with {key}={value}")


def prove_edits(segments, lines, journal_edits, line_edits):
    """Without a change nothing is found, and with each its complaint."""
    expect("", segments, lines)
    for old, new, complaint in journal_edits:
        name, = [name for name, text in segments.items() if old in text]
        expect(complaint, {**segments, name: changed(segments[name], old, new)}, lines)
    for old, new, complaint in line_edits:
        expect(complaint, segments, changed(lines, old, new))


def lose_events():
    """A journal that was read may not become shorter."""
    with tempfile.TemporaryDirectory(prefix="auction-faults-") as folder:
        write(SEGMENTS, folder)
        journal = Journal(folder, 1).read()
        path = os.path.join(folder, max(SEGMENTS))
        os.truncate(path, os.path.getsize(path) - 30)
        require("lost 1 whole lines", complaint_of(journal.read), "a shortened journal")


def expect(complaint, segments, lines):
    """Fails unless exactly this complaint is found, whether bids may be repeated or not; or none."""
    found = complaint_of(examine, segments, lines, True) or complaint_of(examine, segments, lines, False)
    require(complaint, found, "the journal and the connections")


def examine(segments, lines, has_no_repeats):
    RoomJudges(journal_of(segments).rooms, has_no_repeats=has_no_repeats).judge(connections_of(lines), {})


def examine_unknown(lines):
    """Judges connections without a journal; the second is the observer."""
    connections = connections_of(lines)
    game = game_of_observer(connections[1], 1, play=Play(worth=(50, 150)), has_maxima=True)
    Judge(game).judge(connections)


def watch(lines):
    observer = observer_of(lines)
    check_times(observer, game_of_observer(observer, 1), Delays())


def observe(lines, game):
    observer = observer_of(lines)
    compare(game, game_of_observer(observer, 1))
    check_times(observer, game, Delays())


def observer_of(lines) -> Connection:
    observer = Connection("observer")
    for moment, line in enumerate(lines.splitlines()):
        facts = dict(re.findall(r"(\w+)=(\d+)", line))
        observer.received.append(Received(moment, int(facts.get("at", facts.get("ms", 0))) / 1000, as_received(line)))
    return observer


def journal_of(segments):
    with tempfile.TemporaryDirectory(prefix="auction-faults-") as folder:
        write(segments, folder)
        return Journal(folder, 1).read()


def write(segments, folder):
    for name, text in segments.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(re.sub(r"^(\S+)", r"\1 00000000", text, flags=re.MULTILINE))


def connections_of(lines) -> list[Connection]:
    connections = {}
    for moment, line in enumerate(lines.splitlines()):
        sign, _, text = line.partition(" ")
        if sign == "CONNECTION":
            current = connections.setdefault(text, Connection(text))
            current.was_cut = text != "w-1"
        elif sign == ">":
            current.sent.append(Sent(moment, text))
        else:
            current.received.append(Received(moment, 0.0, as_received(text)))
    return list(connections.values())


def as_received(short: str) -> str:
    """The line that the shorthand stands for."""
    head, _, rest = short.partition(" ")
    facts = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", rest)}
    if head in ("ok", "error"):
        tag, _, rest = rest.partition(" ")
        return json.dumps({"type": head, "content": rest, "tag": tag[1:], "code": rest.split()[0], **facts})
    if not head.isdigit():
        return short
    elapsed = facts.pop("ms", 0)
    word, content, *more = rest.split()
    fields = {"type": word.lower(), "content": content, "seq": int(head), **facts}
    if word == "PRICE":
        fields |= {"amount": int(content), "bidder": more[0], "elapsedMilliseconds": elapsed}
    if word == "REVEALED":
        fields |= {"amount": int(content), "bidder": more[0]}
    if word == "KICKED":
        fields |= {"bidder": content, "reason": more[0]}
    if word in ("ASK", "SEALED", "TERMS"):
        fields |= {{"ASK": "amount", "SEALED": "bids", "TERMS": "format"}[word]: content}
    if word == "WINNER":
        fields |= {"bidder": content, "amount": int(more[0]), "title": "lot-1", "elapsedMilliseconds": elapsed}
    return json.dumps(fields)


def changed(text, old, new):
    """The text with one part changed, which must be there once."""
    if text.count(old) != 1:
        raise AssertionError(f"{old!r} is not there once")
    return text.replace(old, new)


def complaint_of(call, *arguments):
    """Why the call fails; empty if it does not."""
    try:
        call(*arguments)
    except Failure as failure:
        return str(failure)
    return ""


def require(complaint, found, where):
    """Fails unless the complaint was found, or none if it is empty."""
    if not (re.search(complaint, found) if complaint else not found):
        raise AssertionError(f"{where}: expected {complaint!r}, found {found!r}")
