"""A small journal and two bidders' logs that agree, in a shorthand that is easy to change."""

from __future__ import annotations

import json
import os

from segments import NO_SUM, checksum

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
12 LEFT b2
13 JOINED b1
14 PRICE 7 b2 00:00.3 2\t300 *
""",
}
"""Without sums; AFTER stands for the sum of the line before."""

LOGS = {
    "b1.log": f"""\
RUN 1
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
< error #r1b1n4 leading
< 5 COUNTDOWN 1
< 6 PRICE 3 b2 lot=1 bid=2 ms=210
RUN 2
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
< 13 JOINED b1
> #r2b1n4 bid 5
< ok #r2b1n4 bid 5
""",
    "b2.log": f"""\
RUN 1
> #r1b2n1 format json
> #r1b2n2 name b2
< OK #r1b2n1 format json
< ok #r1b2n2 name b2 {BOB}
> #r1b2n3 bid 3
RUN 2
> #r2b2n1 bid 7
""",
}
"""What is in JSON stands here as `ok #TAG CONTENT`, `error #TAG CODE` or `SEQ WORDS`."""

RESULTS = [{"type": "winner", "lot": 1, "title": "lot-1", "bidder": "b2", "amount": 3}]


def sealed(text: str, last: str) -> tuple[str, str]:
    """The text of a segment with its sums, and the last of them."""
    lines = []
    for line in text.replace("AFTER", last).splitlines():
        mark, _, rest = line.partition(" ")
        last = checksum(f"{last} {mark} {rest}".encode())
        lines.append(f"{mark} {last} {rest}\n")
    return "".join(lines), last


def written(segments: dict, logs: dict, folder: str) -> tuple[str, list[str]]:
    """Writes it all down as the server and the bidders would; the folder and the logs."""
    data, last = os.path.join(folder, "data"), NO_SUM
    os.mkdir(data)
    for name, text in segments.items():
        text, last = sealed(text, last)
        write(os.path.join(data, name), text)
    for name, text in logs.items():
        lines = (f"< {heard(line[2:])}" if line.startswith("< ") else line
                 for line in text.splitlines())
        write(os.path.join(folder, name), "".join(f"{line}\n" for line in lines))
    return data, [os.path.join(folder, name) for name in logs]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def heard(short: str) -> str:
    """The line that the shorthand stands for."""
    head, _, rest = short.partition(" ")
    if head in ("ok", "error"):
        tag, _, rest = rest.partition(" ")
        fields = {"type": head, "content": rest, "tag": tag[1:], "code": rest}
    elif head.isdigit():
        fields = {"seq": int(head), **news(*rest.split(" ", 2))}
    else:
        return short
    return json.dumps(fields)


def news(word, content, more=""):
    fields = {"type": word.lower(), "content": content}
    if word == "PRICE":
        bidder, *facts = more.split()
        lot, bid, milliseconds = (int(fact.partition("=")[2]) for fact in facts)
        fields |= {"amount": int(content), "bidder": bidder, "lot": lot, "bid": bid,
                   "elapsedMilliseconds": milliseconds}
    return fields
