"""A small game in a journal and in connections, with three formats, maximum bids, purses and values; and its faults."""

ALICE, BOB = "a" * 32, "b" * 32
GAME_SEGMENTS = {
    "000000000001.journal": f"""\
- JOURNAL auction/3 first=1 after=00000000 state=0\t*
- TIME 2026-11-21T10:00:00.000Z
- GAME k3v9
- PLAY purse=1000 worth=50..150 seed=7
- PLAN format=english seconds=1 start=10 step=5 reserve=60 buy=500
1 LOT 1 Vase
2 TERMS format=english seconds=1 start=10 step=5 reserve=yes buy=500
- NAME b1 {ALICE}\t*
3 JOINED b1
- WORTH b1 143
- NAME b2 {BOB}
4 JOINED b2
- WORTH b2 77
- MAX b1 100
5 PRICE 60 b1 00:00.1 1\t100
6 COUNTDOWN 1
7 RESERVE met
8 PRICE 70 b2 00:00.2 2\t200
9 PRICE 75 b1 00:00.2 3\t200
- MAX b2 90
10 PRICE 90 b2 00:00.3 4\t300
11 PRICE 95 b1 00:00.3 5\t300
12 PRICE 100 b1 00:00.4 6\t400
13 COUNTDOWN 0
14 WINNER b1 100 00:01.4 Vase\t1400
15 SAID b2 well done
- PLAN format=dutch seconds=1 start=30 step=10 reserve=15
16 LOT 2 Clock
17 TERMS format=dutch seconds=1 start=30 step=10 reserve=yes
- WORTH b1 60
- WORTH b2 61
18 COUNTDOWN 1
19 ASK 20
20 ASK 15
21 PRICE 15 b2 00:00.7 1\t700
22 WINNER b2 15 00:00.7 Clock\t700
- PLAN format=vickrey seconds=1 start=1 step=1
23 LOT 3 Lamp
24 TERMS format=vickrey seconds=1 start=1 step=1
- WORTH b1 100
- WORTH b2 90
25 COUNTDOWN 1
- BID b1 80\t100
26 SEALED 1
- BID b2 80\t200
27 SEALED 2
- BID b1 99\t300
28 COUNTDOWN 0
29 REVEALED 99 b1\t300
30 REVEALED 80 b2\t200
31 WINNER b1 80 00:01.0 Lamp\t1000
32 OVER 3
33 CHAMPION b1 63
- MUTE b2
34 SAID b1 again
"""
}

GAME_LINES = f"""\
CONNECTION b2-1
> #b1 name b2
> #b2 bid 70
> #b3 max 90
> #b4 max 100
> #b5 say well done
> #b6 bid 80
> #b7 take
CONNECTION b2-2
> #c1 name b2 {BOB}
CONNECTION b1-1
> #a1 name b1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 Vase
< TERMS format=english seconds=1 start=10 step=5 reserve=yes buy=500
< OK #a1 name b1 {ALICE}
< JOINED b1
< PURSE 1000
< WORTH 143
> #a2 max 100
< JOINED b2
< OK #a2 max 100
< PURSE 900
< PRICE 60 b1 00:00.1 1
< COUNTDOWN 1
< RESERVE met
< PRICE 70 b2 00:00.2 2
< PRICE 75 b1 00:00.2 3
< PRICE 90 b2 00:00.3 4
< PRICE 95 b1 00:00.3 5
> #a3 status
< LOT 1 Vase
< TERMS format=english seconds=1 start=10 step=5 reserve=yes buy=500
< PRICE 95 b1 00:00.3 5
< COUNTDOWN 1
< RESERVE met
< MAX 100
< OK #a3 status
< PRICE 100 b1 00:00.4 6
< COUNTDOWN 0
< WINNER b1 100 00:01.4 Vase
< SAID b2 well done
< LOT 2 Clock
< TERMS format=dutch seconds=1 start=30 step=10 reserve=yes
< WORTH 60
< COUNTDOWN 1
< ASK 20
< ASK 15
< PRICE 15 b2 00:00.7 1
> #a4 take
< WINNER b2 15 00:00.7 Clock
< ERROR #a4 closed no lot is open
> #a5 standings
< LOT 3 Lamp
< TERMS format=vickrey seconds=1 start=1 step=1
< WORTH 100
< STANDING 1 b2 lots=1 spent=15 left=985
< STANDING 2 b1 lots=1 spent=100 left=900
< OK #a5 standings 2
< COUNTDOWN 1
> #a6 bid 80
< OK #a6 bid 80
< PURSE 820
< SEALED 1
< SEALED 2
> #a7 bid 99
> #a8 bid 901
< OK #a7 bid 99
< PURSE 801
< ERROR #a8 over-purse left=900 you can bid at most 900
< COUNTDOWN 0
< REVEALED 99 b1
< REVEALED 80 b2
< WINNER b1 80 00:01.0 Lamp
< OVER 3
< CHAMPION b1 63
> #a9 say again
< OK #a9 say
< SAID b1 again
CONNECTION b2-1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 Vase
< TERMS format=english seconds=1 start=10 step=5 reserve=yes buy=500
< JOINED b1
< OK #b1 name b2 {BOB}
< JOINED b2
< PURSE 1000
< WORTH 77
< PRICE 60 b1 00:00.1 1
< COUNTDOWN 1
< RESERVE met
< OK #b2 bid 70
< PRICE 70 b2 00:00.2 2
< PRICE 75 b1 00:00.2 3
< OK #b3 max 90
< PRICE 90 b2 00:00.3 4
< PRICE 95 b1 00:00.3 5
< PRICE 100 b1 00:00.4 6
< ERROR #b4 outbid minimum=105 another bid is as high, bid at least 105
< COUNTDOWN 0
< WINNER b1 100 00:01.4 Vase
< OK #b5 say
< SAID b2 well done
< LOT 2 Clock
CONNECTION w-1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 3 Lamp
< TERMS format=vickrey seconds=1 start=1 step=1
< SEALED 1
< COUNTDOWN 1
< SEALED 2
CONNECTION b2-2
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 3 Lamp
< TERMS format=vickrey seconds=1 start=1 step=1
< SEALED 2
< COUNTDOWN 1
< OK #c1 name b2 {BOB}
< PURSE 905
< WORTH 90
< YOURS 80
< COUNTDOWN 0
"""
"""What the second bidder sends stands first, because the answers must be true of what was known by then."""

GAME_JOURNAL_EDITS = (
    ("5 PRICE 60 b1", "5 PRICE 10 b1", "where the maximum of b1 bids 60"),
    ("9 PRICE 75 b1", "9 PRICE 80 b1", "where the maximum of b1 bids 75"),
    ("11 PRICE 95 b1 00:00.3 5\t300\n12 PRICE 100 b1 00:00.4 6\t400\n13", "11", "a maximum does not bid"),
    ("- MAX b1 100\n", "- MAX b1 69\n", "where the maximum of b2 bids|the bid of a leader"),
    ("12 PRICE 100 b1", "12 PRICE 101 b1", "a maximum pays more than the least"),
    ("- MAX b1 100\n", "- MAX b1 1001\n", "may pay 1001 more with a purse of 1000"),
    ("6 COUNTDOWN 1\n7 RESERVE met", "6 RESERVE met\n7 RESERVE met", "a reserve cannot be met here"),
    ("reserve=60 buy", "reserve=61 buy", "where the maximum of b1 bids 61"),
    ("2 TERMS format=english", "2 TERMS format=sealed", "other terms than the lot has"),
    ("- PLAN format=dutch seconds=1 start=30 step=10 reserve=15\n", "", "other terms than the lot has"),
    ("14 WINNER b1 100 00:01.4 Vase", "14 PASSED 1 reserve-not-met Vase", "no reserve can be missed"),
    ("20 ASK 15", "20 ASK 10", "another ask than 15"),
    ("19 ASK 20", "19 ASK 25", "another ask than 20"),
    ("21 PRICE 15 b2", "21 PRICE 16 b2", "another amount than the ask 15"),
    ("20 ASK 15\n21 PRICE 15 b2 00:00.7 1\t700\n22 WINNER b2 15 00:00.7 Clock\t700",
     "20 PRICE 20 b2 00:00.7 1\t700\n21 ASK 15\n22 WINNER b2 20 00:00.7 Clock\t700", "nothing is asked"),
    ("22 WINNER b2 15 00:00.7 Clock\t700", "22 PASSED 2 no-bids Clock", "a lot passes that was won"),
    ("26 SEALED 1", "26 SEALED 2", "1 have bid"),
    ("28 COUNTDOWN 0\n", "28 GOING once\n", "a fair warning where there is none"),
    ("28 COUNTDOWN 0\n29 REVEALED 99 b1", "28 REVEALED 99 b1\t300\n29 REVEALED 99 b1", "revealed before the end"),
    ("29 REVEALED 99 b1\t300\n30 REVEALED 80 b2", "29 REVEALED 80 b2\t200\n30 REVEALED 99 b1", "99 b1 is revealed next"),
    ("30 REVEALED 80 b2\t200\n31 WINNER b1 80", "30 WINNER b1 80", "before all sealed bids were revealed"),
    ("30 REVEALED 80 b2", "30 REVEALED 79 b2", "80 b2 is revealed next"),
    ("31 WINNER b1 80", "31 WINNER b1 99", "the price is not 80"),
    ("31 WINNER b1 80", "31 WINNER b2 80", "not the highest bidder"),
    ("31 WINNER b1 80 00:01.0 Lamp\t1000", "31 PASSED 3 reserve-not-met Lamp", "no reserve can be missed"),
    ("31 WINNER b1 80 00:01.0 Lamp\t1000", "31 PASSED 3 no-bids Lamp", "a lot with a bid passes"),
    ("33 CHAMPION b1 63", "33 CHAMPION b1 62", "another champion"),
    ("33 CHAMPION b1 63", "33 CHAMPION b2 46", "another champion"),
    ("33 CHAMPION b1 63", "33 VALUE 100\n34 CHAMPION b1 63", "another value|not followed|34"),
    ("34 SAID b1", "34 SAID b2", "a muted bidder talks"),
    ("34 SAID b1", "34 SAID b3", "an absent bidder talks"),
    ("- WORTH b1 100\n", "- WORTH b1 100\n- WORTH b1 101\n", "the worth of lot 3 to b1 changes"),
    ("- WORTH b1 143", "- WORTH b1 151", "a worth out of"),
    ("- WORTH b1 143", "- WORTH b1 about 143", "an estimate where values are private"),
    ("purse=1000", "purse=179", "may pay 80 more with a purse of 179"),
)

GAME_LINE_EDITS = (
    ("< WORTH 143\n", "< WORTH 144\n", "may be told"),
    ("< WORTH 143\n", "< WORTH about 143\n", "may be told"),
    ("< SEALED 1\n< COUNTDOWN 1\n< SEALED 2", "< SEALED 1\n< COUNTDOWN 1\n< SEALED 2\n< WORTH 90",
     "a private line for nobody"),
    ("< WORTH 77\n", "< WORTH 77\n< WORTH 143\n", "may be told"),
    ("< WORTH 77\n", "< WORTH 77\n< MAX 100\n", "may be told"),
    ("< PURSE 905\n", "< PURSE 904\n", "may be told"),
    ("< YOURS 80\n", "< YOURS 99\n", "may be told"),
    ("< PURSE 820\n", "< PURSE 900\n< PURSE 1000\n", "may be told"),
    ("#a7 bid 99\n< PURSE", "#a7 bid 98\n< PURSE", "the answer to another bid"),
    ("> #a7 bid 99\n> #a8 bid 901\n< OK #a7 bid 99", "> #a7 bid 98\n> #a8 bid 901\n< OK #a7 bid 98",
     "a sealed bid was accepted that the journal does not have"),
    ("> #a2 max 100\n< JOINED b2\n< OK #a2 max 100", "> #a2 max 101\n< JOINED b2\n< OK #a2 max 101",
     "a maximum was accepted that the journal does not have"),
    ("> #b6 bid 80\n", "> #b6 bid 15\n", "a sealed bid that nobody sent"),
    ("over-purse left=900", "over-purse left=899", "never true"),
    ("#b4 outbid minimum=105", "#b4 outbid minimum=106", "never true"),
    ("< PRICE 95 b1 00:00.3 5\n< PRICE 100 b1 00:00.4 6\n< ERROR #b4 outbid minimum=105 another bid is as high",
     "< PRICE 95 b1 00:00.3 5\n< ERROR #b4 outbid minimum=105 another bid is as high\n< PRICE 100 b1 00:00.4 6",
     "never true|other news"),
    ("lots=1 spent=15 left=985", "lots=1 spent=15 left=984", "another purse left"),
    ("lots=1 spent=15 left=985", "lots=1 spent=15 left=985 profit=46", "has a profit"),
    ("STANDING 1 b2", "STANDING 2 b2", "has rank 1"),
    ("< STANDING 2 b1 lots=1 spent=100 left=900\n< OK #a5 standings 2", "< OK #a5 standings 1",
     "listed wrongly or not at all"),
    ("> #a9 say again\n< OK", "> #a9 say more\n< OK", "not the next event|words that nobody said"),
    ("> #a9 say again\n< OK #a9 say\n", "", "words that nobody said"),
    ("> #b6 bid 80\n> #b7 take\n", "", "a bid that nobody made"),
    ("< SEALED 1\n< COUNTDOWN 1\n< SEALED 2", "< COUNTDOWN 1\n< SEALED 2", "its snapshot was never true|received other news"),
    ("< RESERVE met\n< MAX 100\n", "< MAX 100\n", "there never was such a state"),
    ("#a4 closed", "#a4 wrong-format", "never true"),
)

FALLS = """\
1 LOT lot-1 lot=1
2 TERMS dutch seconds=1 start=30 step=10
3 JOINED b1
4 COUNTDOWN 1 ms=100
5 ASK 20 ms=350
6 ASK 10 ms=600
7 PRICE 10 b1 lot=1 bid=1 ms=700
8 WINNER b1 10 ms=700
"""
"""What a connection received of a Dutch lot; its asks are 30, 20, 10 and 1, each for a quarter of the second."""
FALL_EDITS = (
    ("5 ASK 20 ms=350", "5 ASK 20 ms=350 at=750", "ASK 20 came 400 ms after its time"),
    ("6 ASK 10 ms=600", "6 ASK 1 ms=600", "another ask than 10"),
    ("4 COUNTDOWN 1", "4 COUNTDOWN 0", "last 1 s"),
)
