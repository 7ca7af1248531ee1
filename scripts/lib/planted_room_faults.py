"""A small journal of three rooms, one of which ends, and connections that wander between them; and their faults."""

ALICE, BOB, OTHER = "a" * 32, "b" * 32, "c" * 32
BLUE, RED = "d" * 32, "e" * 32
ROOM_SEGMENTS = {
    "000000000001.journal": f"""\
- JOURNAL auction/4 first=1 after=00000000 state=0\t*
- TIME 2026-11-21T10:00:00.000Z
- GAME k3v9
1 LOT 1 lot-1
- NAME b1 {ALICE}\t*
2 JOINED b1
3 LEFT b1\t*
- OPEN blue {BLUE} format=english seconds=1 start=1 step=1 pause=3
4 LOT 1 lot-1
- NAME b1 {ALICE}
5 JOINED b1
- ROOM main\t*
- NAME b2 {BOB}
6 JOINED b2
7 PRICE 5 b2 00:00.1 1\t100
8 COUNTDOWN 1
- ROOM blue\t*
9 PRICE 9 b1 00:00.1 1\t150
10 COUNTDOWN 1
- ROOM main\t*
11 LEFT b2
- OPEN red {RED} format=english seconds=5 start=10 step=5 pause=3 lots=2
12 LOT 1 lot-1
- NAME b2 {BOB}
13 JOINED b2
14 LEFT b2\t*
- SHUT red\t*
15 COUNTDOWN 0
""",
    "000000000016.journal": f"""\
- JOURNAL auction/4 first=16 after=00000000 state=13\t*
- TIME 2026-11-21T10:00:00.000Z
- GAME k3v9
- STATE main 8 3
- NAME b1 {ALICE}
- NAME b2 {BOB} bid
=1 LOT 1 lot-1
- OPEN blue {BLUE} format=english seconds=1 start=1 step=1 pause=3
- STATE blue 4 5
- NAME b1 {ALICE} bid
- WHO b1
=1 LOT 1 lot-1
- LAP 1 9 b1 00:00.1\t150
=4 COUNTDOWN 1
16 WINNER b2 5 00:01.1 lot-1\t1100
- ROOM blue\t*
17 COUNTDOWN 0
18 WINNER b1 9 00:01.1 lot-1\t1150
""",
}

ROOM_LINES = f"""\
CONNECTION b1-1
> #a1 format json
> #a2 name b1
> #a3 open blue seconds=1
< HELLO auction/1 seconds=1 step=1 game=k3v9 room=main (type help)
< LOT 1 lot-1
< OK #a1 format json
< ok #a2 name b1 {ALICE}
< 2 JOINED b1
< {{"type":"hello","content":"auction/1","seconds":1,"step":1,"game":"k3v9","room":"blue"}}
< 1 LOT lot-1 lot=1
< ok #a3 open blue {BLUE}
CONNECTION w-1
< HELLO auction/1 seconds=1 step=1 game=k3v9 room=main (type help)
< LOT 1 lot-1
< JOINED b1
> #w1 join blue
< HELLO auction/1 seconds=1 step=1 game=k3v9 room=blue (type help)
< LOT 1 lot-1
< OK #w1 join blue
CONNECTION b1-1
< 2 JOINED b1
CONNECTION w-1
< JOINED b1
CONNECTION b2-1
> #b1 name b2
> #b2 bid 5
> #b3 open red seconds=5 start=10 step=5 lots=2
> #b4 bid 10
< HELLO auction/1 seconds=1 step=1 game=k3v9 room=main (type help)
< LOT 1 lot-1
< LEFT b1
< OK #b1 name b2 {BOB}
< JOINED b2
< OK #b2 bid 5
< PRICE 5 b2 00:00.1 1
CONNECTION b1-1
> #a4 bid 9
< ok #a4 bid 9
< 3 PRICE 9 b1 lot=1 bid=1 ms=150
< 4 COUNTDOWN 1
> #a5 rooms
< {{"type":"room","content":"main","people":1,"lot":1,"format":"english","title":"lot-1"}}
< {{"type":"room","content":"blue","people":2,"lot":1,"format":"english","title":"lot-1"}}
< ok #a5 rooms 2
CONNECTION w-1
< PRICE 9 b1 00:00.1 1
< COUNTDOWN 1
> #w2 join green
< ERROR #w2 no-room type rooms for a list
> #w3 join main
< HELLO auction/1 seconds=1 step=1 game=k3v9 room=main (type help)
< LOT 1 lot-1
< PRICE 5 b2 00:00.1 1
< COUNTDOWN 1
< OK #w3 join main
> #w4 join main
< LEFT b2
< OK #w4 join main
< COUNTDOWN 0
"""

ROOM_JOURNAL_EDITS = (
    ("- ROOM blue\t*\n9 PRICE 9", "9 PRICE 9", "not the bid that leads again"),
    ("- ROOM blue\t*\n17", "17", "a countdown where none runs"),
    ("- ROOM main\t*\n- NAME b2", "- NAME b2", "not the bid that leads again"),
    ("- SHUT red\t*\n", "", "no word of \\['red'\\]|a countdown where none runs"),
    ("14 LEFT b2\t*\n- SHUT red\t*\n15", "- SHUT red\t*\n14", "red ends while \\['b2'\\] are there"),
    (f"- OPEN red {RED}", f"- OPEN blue {RED}", "is opened again"),
    (f"- OPEN blue {BLUE} format=english seconds=1 start=1 step=1 pause=3\n4", "- ROOM blue\n4", "no room blue is open"),
    ("10 COUNTDOWN 1\n- ROOM main\t*\n11", "11 COUNTDOWN 1\n- ROOM main\t*\n12", "event 9 is not followed by 10"),
    ("- STATE main 8 3", "- STATE main 15 3", "main has had 8 events"),
    ("- STATE blue 4 5", "- STATE blue 4 4", "a line of no room"),
    ("- STATE blue 4 5", "- STATE blue 10 5", "blue has had 4 events"),
    ("=4 COUNTDOWN 1", "=10 COUNTDOWN 1", "what is not known"),
    (f"- NAME b1 {ALICE} bid", f"- NAME b1 {OTHER} bid", "changes its owner"),
    (f"- NAME b2 {BOB}\n13", f"- NAME b2 {OTHER}\n13", "changes its owner"),
    (f"- NAME b1 {ALICE}\n5", "5", "nobody owns this name in blue"),
)

ROOM_LINE_EDITS = (
    ("< JOINED b1\nCONNECTION b2", "< LEFT b1\nCONNECTION b2", "received other news"),
    ("< PRICE 9 b1 00:00.1 1\n< COUNTDOWN 1\n> #w2", "< COUNTDOWN 1\n> #w2", "received other news"),
    ("< JOINED b1\nCONNECTION b2", "< JOINED b1\n< PRICE 5 b2 00:00.1 1\nCONNECTION b2", "received other news"),
    ("< 3 PRICE 9 b1", "< 9 PRICE 9 b1", "events that there are not"),
    ("room=blue (type help)\n< LOT 1 lot-1\n", "room=blue (type help)\n< LOT 1 lot-1\n< PRICE 5 b2 00:00.1 1\n",
     "its snapshot was never true|received other news"),
    ("< OK #w3 join main\n", "< OK #w3 join main\n< PRICE 9 b1 00:00.1 1\n", "received other news"),
    ("< COUNTDOWN 1\n< OK #w3", "< COUNTDOWN 1\n< LEFT b2\n< OK #w3", "received other news"),
    ("room=blue (type", "room=red (type", "for which it did not ask"),
    (f"#a3 open blue {BLUE}", f"#a3 open blue {RED}", "with another key"),
    ("#a3 open blue seconds=1", "#a3 open blue seconds=1 step=5", "with other options"),
    ("< OK #w1 join blue", "< OK #w1 join main", "in another room than blue"),
    ("> #w2 join green", "> #w2 join blue", "was opened, and is not there"),
    ("< ok #a5 rooms 2", "< ok #a5 rooms 3", "rooms 3 after"),
    ("#a5 rooms 2", "#a5 rooms 2\n> #a6 bid 9\n< error #a6 closed", "never true"),
    ("< ok #a3", "< error #a3", "."),
)
