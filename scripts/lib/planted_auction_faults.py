"""A small auction in a journal of two segments, in connections and for an observer; and its faults."""

ALICE, BOB, OTHER = "a" * 32, "b" * 32, "c" * 32
SEGMENTS = {
    "000000000001.journal": f"""\
- JOURNAL auction/4 first=1 after=00000000 state=0\t*
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
- JOURNAL auction/4 first=11 after=00000000 state=6\t*
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
"""Without check sums, which are not looked at."""
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
CONNECTION w-1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 2 Vase
< PRICE 5 b1 00:00.1 1
< LEFT b1
> #w2 status
< LOT 2 Vase
< PRICE 5 b1 00:00.1 1
< OK #w2 status
> #w3 who
< WHO b2
> #w4 ping
< OK #w3 who 1
< OK #w4 ping
< COUNTDOWN 1
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
CONNECTION w-1
< LEFT b2
< JOINED b1
< JOINED b2
< PRICE 7 b2 00:00.3 2
> #w6 laps
< LAP 1 5 b1 00:00.1
< LAP 2 7 b2 00:00.3
< OK #w6 laps 2
"""
"""What is in JSON stands here as `ok #TAG CONTENT`, `error #TAG CODE [FACT=N]` or `NUMBER WORDS`.
A connection may continue later."""
OBSERVER = """\
1 LOT lot-1 lot=1
2 JOINED b1
3 JOINED b2
4 PRICE 1 b1 lot=1 bid=1 ms=150
5 COUNTDOWN 1 ms=150
6 PRICE 3 b2 lot=1 bid=2 ms=210
7 COUNTDOWN 0 ms=1210
8 WINNER b2 3 ms=1210
"""
"""What another connection received from the first event on; `ms` is also when it came, unless there is `at`."""
RESULTS = [{"type": "winner", "lot": 1, "title": "lot-1", "bidder": "b2", "amount": 3}]

JOURNAL_EDITS = (
    ("5 COUNTDOWN 1\n", "", "event 4 is not followed by 5"),
    ("13 LEFT", "14 LEFT", "event 12 is not followed by 13"),
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
    ("7 COUNTDOWN 0\t*", "7 VOIDED 1 b1 1", "not the last bid"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 3 b2 2", "not the bid that leads again"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 3 b2 2 2 b1 00:00.1 1\t150", "not the bid that leads again"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 3 b2 2 1 b1 00:00.1 1\t160", "not the bid that leads again"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 3 b2 2 1 b1 00:00.1 1\t150", "not the last bidder"),
    ("6 PRICE 3 b2 00:00.2 2\t210", "6 VOIDED 1 b1 1 1 b1 00:00.1 1\t150", "no bid can lead again"),
    ("11 LEFT b1", "11 KICKED b9 why", "somebody is kicked who was never there"),
    ("7 COUNTDOWN 0\t*", "7 LOT 2 Vase", "cannot open now"),
    ("\n9 LOT 2 Vase", "\n9 COUNTDOWN 1", "a countdown where none runs"),
    ("\n9 LOT 2 Vase", "\n9 LOT 3 Vase", "cannot open now"),
    ("11 LEFT b1", "11 OVER 3", "there were 2 lots"),
    ("13 LEFT b2", "13 LEFT b1", "an absent bidder leaves"),
    ("11 LEFT b1", "11 JOINED b1", "a present bidder joins"),
    (f"- NAME b2 {BOB}\n3", f"- NAME b3 {BOB}\n3", "nobody owns this name"),
    ("1 LOT 1 lot-1", "1 COUNTDOWN 1", "a countdown where none runs"),
    (f"NAME b2 {BOB} bid", f"NAME b2 {OTHER} bid", "the name changes its owner"),
    ("5 COUNTDOWN 1", "5 COUNTDOWN 2", "a countdown above the 1 full seconds"),
    ("5 COUNTDOWN 1", "5 COUNTUP 1", "words that no journal has"),
)
"""Changes of the journal, and the complaint that each must cause."""

LINE_EDITS = (
    # No fault: the answers to a name and to the bid after it are lost.
    (f"< ok #r1b2n2 name b2 {BOB}\n", "", ""),
    ("r2b2n2 bid 7", "r2b2n2 bid 8", "a bid that nobody made"),
    ("r1b2n3 bid 3", "r1b1n3 bid 3", "this tag was used before"),
    ("error #r1b1n4", "error #r1b1n5", "the answer to another command"),
    ("ok #r1b1n3 bid 1", "ok #r1b1n3 bid 2", "the answer to another bid"),
    ("n4 leading", "n4 unavailable", "refused for a reason that this command cannot have"),
    ("ok #r1b1n3 bid 1\n", "error #r1b1n3 too-low minimum=2\n", "refused for a reason that was never true"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 6\n< ok #r2b1n4 bid 6", "not the next event"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 5 lot=2\n< ok #r2b1n4 bid 5", ""),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 5 lot=1\n< ok #r2b1n4 bid 5", "for one lot was accepted on another"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 5 lot=2\n< error #r2b1n4 other-lot lot=2", "never true"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 5 lot=1\n< error #r2b1n4 too-low minimum=6", "never true"),
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
    ("< PRICE 5 b1 00:00.1 1\n< COUNTDOWN", "< PRICE 4 b1 00:00.1 1\n< COUNTDOWN",
     "its snapshot was never true|was due it received other news"),
    ("< LEFT b2\n< OK", "< LEFT b1\n< OK", "was due it received other news"),
    ("< 14 JOINED b1\n", "", "a bid of an absent bidder"),
    (f"ok #r2b1n3 name b1 {ALICE}", f"ok #r2b1n3 name b1 {OTHER}", "a token that the journal"),
    ("error #r2b1n2 wrong-token", f"ok #r2b1n2 name b2 {BOB}", "a name with a bid was given away"),
    (f"ok #r2b1n3 name b1 {ALICE}", "error #r2b1n3 wrong-token", "refused for a reason that was never true"),
    ("< 6 PRICE 3 b2", "< 7 PRICE 3 b2", "it received other news"),
    ("< ok #r1b1n3 bid 1\n< 4 PRICE 1 b1 lot=1 bid=1 ms=150\n",
     "< 4 PRICE 1 b1 lot=1 bid=1 ms=150\n< ok #r1b1n3 bid 1\n", "a bid that nobody made"),
    ("error #r1b1n4 leading price=1", "ok #r1b1n4 bid 2", "not the next event"),
    ("n4 leading price=1", "n4 leading price=2", "refused for a reason that was never true"),
    ("< OK #w4 ping\n", "< OK #w4 ping\n< OK #w4 ping\n", "the answer to another command"),
    ("< OK #w6 laps 2\n", "", "no answer to"),
    ("< JOINED b1\n< JOINED b2\n", "< JOINED b2\n< JOINED b1\n", "was due it received other news"),
    ("< JOINED b1\n< JOINED b2\n", "< JOINED b1\n", "was due it received other news"),
    ("ping\n< COUNTDOWN 1\n", "ping\n< COUNTDOWN 1\n< COUNTDOWN 1\n", "it received other news"),
    ("< LAP 2 7 b2 00:00.3\n< OK #w6 laps 2", "< OK #w6 laps 1", "there never were such laps"),
    ("< LAP 2 7 b2", "< LAP 2 7 b1", "there never were such laps"),
    ("< WHO b2\n> #w4 ping\n< OK #w3 who 1", "> #w4 ping\n< OK #w3 who 0", "never were exactly these present"),
    ("< PRICE 5 b1 00:00.1 1\n< OK #w2 status", "< PRICE 6 b1 00:00.1 1\n< OK #w2 status",
     "there never was such a state"),
)
"""Changes of what the connections sent and received."""

OBSERVER_EDITS = (
    ("4 PRICE 1 b1", "4 PRICE 2 b1", "event 4 is another one in the journal"),
    ("bid=2 ms=210", "bid=2 ms=220", "event 6 has another time in the journal"),
    ("5 COUNTDOWN 1", "6 COUNTDOWN 1", "event 4 was followed by 6"),
    ("7 COUNTDOWN 0 ms=1210", "7 COUNTDOWN 0 ms=1610", "COUNTDOWN 0 came 400 ms after its time"),
    ("WINNER b2 3 ms=1210", "WINNER b2 3 ms=1210 at=1610", "lot-1 came 400 ms after its time"),
)

RESULT_EDITS = (
    ("bidder", "b1", "another winner"), ("amount", 4, "another winner"),
    ("lot", 2, "another winner"), ("title", "Vase", "another winner"),
    ("type", "passed", "1 lots were sold, the results list 0"),
)
