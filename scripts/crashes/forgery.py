"""Forges violations of each kind in a small journal and the connections that agree with it; each must be found."""

from __future__ import annotations

import collections
import json
import os
import re
import tempfile

from checks import Failure
from journal import NO_SUM, Journal, checksum, compare_results
from judge import Judge
from protocol import Connection, Received, Sent

STRIDE = 7
"""One of this many bytes is flipped."""
ALICE, BOB, OTHER = "a" * 32, "b" * 32, "c" * 32
SEGMENTS = {
    "000000000001.journal": f"""\
- JOURNAL auction/2 first=1 after=AFTER state=0\t*
- TIME 2026-11-21T10:00:00.000Z
- GAME k3v9
1 LOT 1 lot-1
- NAME b1 {ALICE}\t*
2 JOINED b1
- NAME b2 {BOB}
3 JOINED b2
4 PRICE 1 b1 00:00.1 1\t150 *
5 COUNTDOWN 1
6 PRICE 3 b2 00:00.2 2\t210
7 COUNTDOWN 0\t*
8 WINNER b2 3 00:01.2 lot-1\t1210
9 LOT 2 Vase
10 PRICE 5 b1 00:00.1 1\t199
""",
    "000000000011.journal": f"""\
- JOURNAL auction/2 first=11 after=AFTER state=6\t*
- GAME k3v9
=9 LOT 2 Vase
=10 PRICE 5 b1 00:00.1 1\t199
- NAME b1 {ALICE} bid
- NAME b2 {BOB} bid
- RESULT 1 8 2026-11-21T10:00:00.000Z WINNER b2 3 00:01.2 lot-1\t1210
11 LEFT b1\t*
12 COUNTDOWN 1
13 LEFT b2
14 JOINED b1
15 JOINED b2
16 PRICE 7 b2 00:00.3 2\t300 *
""",
}
"""Without sums; AFTER stands for the sum of the line before."""
OLDER, NEWER = SEGMENTS
LINES = f"""\
CONNECTION b2-1
> #r1b2n1 format json
> #r1b2n2 name b2
< OK #r1b2n1 format json
< ok #r1b2n2 name b2 {BOB}
> #r1b2n3 bid 3
CONNECTION b1-1
> #r1b1n1 format json
> #r1b1n2 name b1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 lot-1
< OK #r1b1n1 format json
< ok #r1b1n2 name b1 {ALICE}
< 2 JOINED b1
> #r1b1n3 bid 1
< 3 JOINED b2
< ok #r1b1n3 bid 1
< 4 PRICE 1 b1 lot=1 bid=1 ms=150
> #r1b1n4 bid 2
> #r1b1n5 bid 5
< error #r1b1n4 leading price=1
< 5 COUNTDOWN 1
< 6 PRICE 3 b2 lot=1 bid=2 ms=210
CONNECTION b1-2
> #r2b1n1 format json
> #r2b1n2 name b2 {ALICE}
> #r2b1n3 name b1 {ALICE}
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 2 Vase
< PRICE 5 b1 00:00.1 1
< COUNTDOWN 1
< LEFT b2
< OK #r2b1n1 format json
< error #r2b1n2 wrong-token
< ok #r2b1n3 name b1 {ALICE}
< 14 JOINED b1
> #r2b1n4 bid 5
< ok #r2b1n4 bid 5
CONNECTION b2-2
> #r2b2n1 name b2 {BOB}
< OK #r2b2n1 name b2 {BOB}
> #r2b2n2 bid 7
"""
"""What is in JSON stands here as `ok #TAG CONTENT`, `error #TAG CODE [FACT=N]` or `NUMBER WORDS`."""
RESULTS = [{"type": "winner", "lot": 1, "title": "lot-1", "bidder": "b2", "amount": 3}]

JOURNAL_EDITS = (
    ("5 COUNTDOWN 1\n", "", "event 4 is not followed by 5"),
    ("13 LEFT", "14 LEFT", "event 12 is not followed by 13"),
    ("=9 LOT 2 Vase", "=11 LOT 2 Vase", "cannot be state"),
    ("=9 LOT 2 Vase", "=9 LOT 3 Vase", "repeats what was not announced"),
    ("state=6", "state=7", "cannot be state"),
    ("RESULT 1 8", "RESULT 1 7", "another result"),
    ("RESULT 1 8", "RESULT 2 8", "another result"),
    ("- RESULT 1 8 2026-11-21T10:00:00.000Z WINNER b2 3", "- RESULT 1 8 2026-11-21T10:00:00.000Z WINNER b2 4",
     "another result"),
    ("first=11 after=AFTER", "first=11 after=0badcafe", "the header should say"),
    ("first=11", "first=12", "the header should say"),
    ("- TIME", "TIME", "no line of a journal"),
    ("COUNTDOWN 0\t*", "COUNTDOWN 0\t* 7", "no line of a journal"),
    ("COUNTDOWN 0", "COUNTUP 0", "words that no journal has"),
    ("COUNTDOWN 0\t*", "COUNTDOWN 0\t77 *", "a time where none belongs"),
    ("1\t150 *", "1\t250 *", "the time is not 00:00.2"),
    ("00:00.2 2\t210", "00:00.1 2\t110", "runs backwards"),
    ("PRICE 3 b2", "PRICE 1 b2", "below the minimum 2"),
    ("PRICE 3 b2", "PRICE 3 b1", "the bid of a leader"),
    ("00:00.2 2", "00:00.2 3", "another number than 2"),
    ("8 WINNER b2 3", "8 WINNER b1 3", "not the last bidder"),
    ("8 WINNER b2 3", "8 WINNER b2 1", "not the last bidder"),
    ("8 WINNER b2 3 00:01.2 lot-1", "8 WINNER b2 3 00:01.2 Vase", "not the last bidder"),
    ("7 COUNTDOWN 0\t*", "7 WINNER b2 3 00:01.2 lot-1\t1210", "before the countdown was announced to its end"),
    ("\n9 LOT 2 Vase", "\n9 WINNER b2 3 00:01.2 lot-1\t1210", "while nothing can be sold"),
    ("7 COUNTDOWN 0\t*", "7 PASSED 1 no-bids lot-1\t100", "a lot with a bid passes"),
    ("7 COUNTDOWN 0\t*", "7 PAUSED", "while nothing can be sold"),
    ("7 COUNTDOWN 0\t*", "7 RESUMED", "resumed without a pause"),
    ("5 COUNTDOWN 1", "5 PAUSED", "a bid while the sale is paused"),
    ("4 PRICE 1 b1 00:00.1 1\t150 *", "4 PAUSED", "a countdown where none runs"),
    ("6 PRICE 3 b2 00:00.2 2\t210", "6 PAUSED", "a countdown where none runs"),
    ("4 PRICE 1 b1 00:00.1 1\t150 *", "4 HAMMERED", "the hammer falls without a bid"),
    ("5 COUNTDOWN 1", "5 HAMMERED", "a bid while no lot is open"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 1 b1", "not the last bid"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 3 b2", "that leads again was not announced"),
    ("8 WINNER b2 3 00:01.2 lot-1\t1210", "8 VOIDED 3 b2", "that leads again was not announced"),
    ("11 LEFT b1", "11 KICKED b9 why", "kicked who is not present"),
    ("7 COUNTDOWN 0\t*", "7 LOT 2 Vase", "cannot open now"),
    ("\n9 LOT 2 Vase", "\n9 COUNTDOWN 1", "a countdown where none runs"),
    ("\n9 LOT 2 Vase", "\n9 LOT 3 Vase", "cannot open now"),
    ("11 LEFT b1", "11 OVER 3", "there were 2 lots"),
    ("13 LEFT b2", "13 LEFT b1", "leaves who is not present"),
    ("11 LEFT b1", "11 JOINED b1", "joins who is present"),
    (f"- NAME b2 {BOB}\n3", f"- NAME b3 {BOB}\n3", "nobody owns this name"),
    ("1 LOT 1 lot-1", "1 COUNTDOWN 1", "a countdown where none runs"),
    (f"NAME b2 {BOB} bid", f"NAME b2 {OTHER} bid", "the name changes its owner"),
)
"""Changes of the journal before it gets its sums, and the complaint of each."""

LINE_EDITS = (
    ("r2b2n2 bid 7", "r2b2n2 bid 8", "a bid that nobody made"),
    ("r1b2n3 bid 3", "r1b1n3 bid 3", "this tag was used before"),
    ("error #r1b1n4", "error #r1b1n5", "the answer to another command"),
    ("ok #r1b1n3 bid 1", "ok #r1b1n3 bid 2", "the answer to another bid"),
    ("n4 leading", "n4 unavailable", "refused for a reason that this command cannot have"),
    ("ok #r1b1n3 bid 1\n", "error #r1b1n3 too-low minimum=2\n", "refused for a reason that was never true"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 6\n< ok #r2b1n4 bid 6", "not the next event"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 5\n> #r2b1n5 bid 5\n< ok #r2b1n4 bid 5\n< ok #r2b1n5 bid 5",
     "acknowledged twice"),
    ("< 3 JOINED b2\n", "", "where event 3 was due"),
    ("< 3 JOINED b2\n< ok #r1b1n3 bid 1\n", "", "where event 3 was due"),
    ("lot=1 bid=1", "lot=2 bid=1", "with another lot"),
    ("ms=150", "ms=151", "with another time"),
    ("< 5 COUNTDOWN 1", "< 5 COUNTDOWN 2", "where event 5 was due"),
    ("< 5 COUNTDOWN 1", "< 25 COUNTDOWN 1", "events that there are not"),
    ("< 5 COUNTDOWN 1", "< 3 JOINED b2", "where event 5 was due"),
    ("< 2 JOINED b1\n", "", "nobody got the name"),
    ("< PRICE 5 b1", "< PRICE 4 b1", "its snapshot was never true|was due it received other news"),
    ("< LEFT b2", "< LEFT b1", "was due it received other news"),
    ("< 14 JOINED b1\n", "", "who is not present"),
    (f"ok #r2b1n3 name b1 {ALICE}", f"ok #r2b1n3 name b1 {OTHER}", "a token that the journal"),
    ("error #r2b1n2 wrong-token", f"ok #r2b1n2 name b2 {BOB}", "a name with a bid was given away"),
    (f"ok #r2b1n3 name b1 {ALICE}", "error #r2b1n3 wrong-token", "refused for a reason that was never true"),
)
"""Changes of what the connections sent and received."""

RESULT_EDITS = (
    ("bidder", "b1", "another winner"), ("amount", 4, "another winner"),
    ("lot", 2, "another winner"), ("title", "Vase", "another winner"),
    ("type", "passed", "1 lots were sold, the results list 0"),
)


def prove():
    """Fails unless what agrees is found to agree, and every forgery is found."""
    require(checksum(b"123456789") == "e3069283", "the check sum is no CRC-32C")
    expect("")
    for old, new, complaint in JOURNAL_EDITS:
        name, = [name for name, text in SEGMENTS.items() if old in text]
        expect(complaint, segments={**SEGMENTS, name: changed(SEGMENTS[name], old, new)})
    for old, new, complaint in LINE_EDITS:
        expect(complaint, lines=changed(LINES, old, new))
    prove_files()
    for place in range(0, len("".join(SEGMENTS.values())), STRIDE):
        # A flipped bit in the last line end makes that line unfinished, which is no damage.
        expect(".", damage=flipping(place))
    game = journal_of(SEGMENTS).game
    compare_results([json.dumps(fields) for fields in RESULTS], game)
    for key, value, complaint in RESULT_EDITS:
        lines = [json.dumps({**fields, key: value}) for fields in RESULTS]
        found = complaint_of(lambda: compare_results(lines, game))
        require(complaint in found, f"results with {key}={value}: {found!r}")


def prove_files():
    """An unfinished end is allowed in the newest segment, and nowhere else; whole lines may not vanish."""
    expect("", damage=appending(NEWER, b"17 0badca"))
    expect("", damage=appending("000000000017.journal.new", b"- 0badcafe JOURNAL auct"))
    expect("no whole state", damage=appending("000000000017.journal", b"- 0badcafe JOURNAL auct"))
    expect("unfinished line", damage=appending(OLDER, b"11 0badca"))
    expect("no whole state", damage=appending("000000000009.journal", b"- 0badcafe JOURNAL auct"))
    expect("no line of a journal", damage=appending(NEWER, b"17 0badcafe\n"))
    expect("files that no journal has", damage=appending("notes.txt", b""))
    expect("the header should say", damage=lambda folder: os.remove(os.path.join(folder, OLDER)))
    expect("events that there are not", damage=lambda folder: os.remove(os.path.join(folder, NEWER)))
    with tempfile.TemporaryDirectory(prefix="auction-forgery-") as folder:
        write(SEGMENTS, folder)
        journal = Journal(folder, 1).read()
        path = os.path.join(folder, NEWER)
        os.truncate(path, os.path.getsize(path) - 30)
        found = complaint_of(journal.read)
    require("lost whole lines" in found, f"the loss of whole lines is not found, but {found!r}")


def expect(complaint, segments=None, lines=LINES, damage=None):
    """Fails unless exactly this complaint is found, or none."""
    found = complaint_of(lambda: examine(segments or SEGMENTS, lines, damage))
    agrees = re.search(complaint, found) if complaint else not found
    require(agrees, f"expected {complaint!r}, found {found!r}")


def examine(segments, lines, damage):
    journal = journal_of(segments, damage)
    Judge(journal.game, journal.tokens, has_no_repeats=True).judge(connections_of(lines))


def journal_of(segments, damage=None):
    with tempfile.TemporaryDirectory(prefix="auction-forgery-") as folder:
        write(segments, folder)
        if damage:
            damage(folder)
        return Journal(folder, 1).read()


def write(segments, folder):
    """Writes the segments with their sums."""
    last = NO_SUM
    for name, text in segments.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            for line in text.replace("AFTER", last).splitlines():
                mark, _, rest = line.partition(" ")
                last = checksum(f"{last} {mark} {rest}".encode())
                file.write(f"{mark} {last} {rest}\n")


def connections_of(lines) -> list[Connection]:
    connections = []
    for moment, line in enumerate(lines.splitlines()):
        sign, _, text = line.partition(" ")
        if sign == "CONNECTION":
            connections.append(Connection(text))
            connections[-1].was_cut = True
        elif sign == ">":
            connections[-1].sent.append(Sent(moment, text))
        else:
            connections[-1].received.append(Received(moment, 0.0, received(text)))
    return connections


def received(short: str) -> str:
    """The line that the shorthand stands for."""
    head, _, rest = short.partition(" ")
    if head in ("ok", "error"):
        tag, _, rest = rest.partition(" ")
        facts = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", rest)}
        return json.dumps({"type": head, "content": rest, "tag": tag[1:], "code": rest.split()[0], **facts})
    if not head.isdigit():
        return short
    word, content, *more = rest.split()
    fields = {"type": word.lower(), "content": content, "seq": int(head)}
    if word == "PRICE":
        facts = collections.defaultdict(int, (fact.split("=") for fact in more[1:]))
        fields |= {"amount": int(content), "bidder": more[0], "lot": int(facts["lot"]), "bid": int(facts["bid"]),
                   "elapsedMilliseconds": int(facts["ms"])}
    return json.dumps(fields)


def changed(text, old, new):
    """The text with one part changed, which must be there once."""
    require(text.count(old) == 1, f"{old!r} is not there once")
    return text.replace(old, new)


def complaint_of(call):
    """Why the call fails; empty if it does not."""
    try:
        call()
    except Failure as failure:
        return str(failure)
    return ""


def require(fact, complaint):
    if not fact:
        raise AssertionError(complaint)


def appending(name, data):
    def damage(folder):
        with open(os.path.join(folder, name), "ab") as file:
            file.write(data)
    return damage


def flipping(place):
    def damage(folder):
        for name in SEGMENTS:
            path = os.path.join(folder, name)
            with open(path, "r+b") as file:
                data = bytearray(file.read())
                data[place % (len(data) - 1)] ^= 1 << place % 7
                file.seek(0)
                file.write(data)
    return damage
