"""Sealed bids without a journal, of a bidder who leaves, and at an unknown moment; and their faults."""

ALICE, BOB = "a" * 32, "b" * 32
UNKNOWN = f"""\
CONNECTION b1-1
> #s1 name b1
> #s2 bid 80
> #s3 bid 99
CONNECTION o-1
< 1 LOT lot-1 lot=1
< 2 TERMS sealed seconds=1 start=1 step=1
< 3 JOINED b1
< 4 COUNTDOWN 1
< 5 SEALED 1
< 6 COUNTDOWN 0
< 7 REVEALED 99 b1
< 8 WINNER b1 99 ms=1000
CONNECTION b1-1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 lot-1
< TERMS format=sealed seconds=1 start=1 step=1
< OK #s1 name b1 {ALICE}
< WORTH 100
< JOINED b1
< COUNTDOWN 1
< OK #s2 bid 80
< SEALED 1
< OK #s3 bid 99
< COUNTDOWN 0
"""
"""A sealed bid where there is no journal: an observer knows the events, and no secret."""
UNKNOWN_EDITS = (
    ("bid 99\nCONNECTION o", "bid 98\nCONNECTION o", "the answer to another bid"),
    ("< 7 REVEALED 99 b1\n< 8 WINNER b1 99", "< 7 REVEALED 98 b1\n< 8 WINNER b1 98", "another sealed bid than the bidder's"),
    ("< 7 REVEALED 99 b1\n< 8 WINNER b1 99", "< 7 REVEALED 99 b1\n< 8 WINNER b1 98", "the price is not 99"),
    ("< 5 SEALED 1\n< 6 COUNTDOWN 0\n", "< 5 COUNTDOWN 0\n< 6 SEALED 2\n", "more than|before all sealed"),
    ("< WORTH 100\n", "< WORTH 100\n< WORTH 101\n", "the worth of lot 1 was another"),
)

KEPT_SEGMENTS = {
    "000000000001.journal": f"""\
- JOURNAL auction/3 first=1 after=00000000 state=0\t*
- TIME 2026-11-21T10:00:00.000Z
- GAME k3v9
- PLAN format=sealed seconds=1 start=1 step=1
1 LOT 1 lot-1
2 TERMS format=sealed seconds=1 start=1 step=1
- NAME b1 {ALICE}
3 JOINED b1
4 COUNTDOWN 1
- BID b1 80\t100
5 SEALED 1
6 LEFT b1
- NAME b2 {BOB}
7 JOINED b2
8 KICKED b2 enough
9 LEFT b2
"""
}
KEPT = f"""\
CONNECTION b2-1
CONNECTION o-1
< 1 LOT lot-1 lot=1
< 2 TERMS sealed seconds=1 start=1 step=1
CONNECTION w-1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 lot-1
< TERMS format=sealed seconds=1 start=1 step=1
> #k0 ping
< OK #k0 ping
CONNECTION b1-1
> #k1 name b1
CONNECTION w-1
< JOINED b1
CONNECTION b1-1
> #k2 bid 80
CONNECTION o-1
< 3 JOINED b1
< 4 COUNTDOWN 1
< 5 SEALED 1
< 6 LEFT b1
CONNECTION b2-1
> #k3 name b1
> #k4 name b1 {BOB}
> #k5 name b2
> #k6 name b1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 lot-1
< TERMS format=sealed seconds=1 start=1 step=1
< SEALED 1
< COUNTDOWN 1
< LEFT b1
< ERROR #k3 name-taken choose another name
< ERROR #k4 wrong-token this is not the token of the name
< OK #k5 name b2 {BOB}
< JOINED b2
< ERROR #k6 already-named you are b2 here
CONNECTION a-1
> #k8 kick b2 enough
CONNECTION o-1
< 7 JOINED b2
< 8 KICKED b2 enough
< 9 LEFT b2
CONNECTION b2-2
> #k7 name b2
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 lot-1
< TERMS format=sealed seconds=1 start=1 step=1
< SEALED 1
< COUNTDOWN 1
< ERROR #k7 kicked seconds=600 try again in 600 s
CONNECTION b1-1
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 lot-1
< TERMS format=sealed seconds=1 start=1 step=1
< OK #k1 name b1 {ALICE}
< JOINED b1
< COUNTDOWN 1
< OK #k2 bid 80
"""
"""A bidder leaves after a sealed bid, which keeps the name owned. It is judged with a journal and without.

The connection that is refused the name stands before the one that made the bid, so that it is judged first.
"""
KEPT_JOURNAL_EDITS = (
    ("7 JOINED b2", f"- NAME b1 {BOB}\n7 JOINED b2", "the name changes its owner"),
)
KEPT_EDITS = (
    ("> #k0 ping\n< OK #k0 ping", "> #k0 name b1\n< ERROR #k0 name-taken choose another name",
     "a name was refused that nobody had"),
    ("> #k0 ping\n< OK #k0 ping", f"> #k0 name b1 {BOB}\n< ERROR #k0 wrong-token this is not the token of the name",
     "a name was refused that nobody had"),
    ("> #k0 ping\n< OK #k0 ping", "> #k0 name b3\n< ERROR #k0 name-taken choose another name",
     "a name was refused that nobody had"),
    ("> #k0 ping\n< OK #k0 ping", "> #k0 name b2\n< ERROR #k0 kicked seconds=600 try again in 600 s", "never true"),
    ("> #k0 ping\n< OK #k0 ping", "> #k0 name b2\n< ERROR #k0 already-named you are b1 here", "never true"),
    ("< ERROR #k3 name-taken choose another name", f"< OK #k3 name b1 {ALICE}",
     "a name with a bid was given away|the next event is not that it joined"),
)

UNPLACED_SEGMENTS = {
    "000000000001.journal": f"""\
- JOURNAL auction/3 first=1 after=00000000 state=0\t*
- TIME 2026-11-21T10:00:00.000Z
- GAME k3v9
- PLAN format=sealed seconds=1 start=1 step=1
1 LOT 1 lot-1
2 TERMS format=sealed seconds=1 start=1 step=1
- NAME b1 {ALICE}
3 JOINED b1
4 COUNTDOWN 1
- BID b1 80\t100
5 SEALED 1
- BID b1 90\t200
- NAME b2 {BOB}
6 JOINED b2
7 LEFT b2
"""
}
UNPLACED = f"""\
CONNECTION b1-1
> #u1 name b1
> #u2 bid 80
CONNECTION b2-1
> #u3 name b2
CONNECTION b1-2
> #u4 name b1 {ALICE}
> #u5 bid 90
< HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)
< LOT 1 lot-1
< TERMS format=sealed seconds=1 start=1 step=1
< SEALED 1
< COUNTDOWN 1
< OK #u4 name b1 {ALICE}
< OK #u5 bid 90
"""
"""A connection bids that may have begun after any of three events, because it received no news."""
UNPLACED_EDITS = (
    ("> #u5 bid 90\n", "> #u5 bid 91\n", "the answer to another bid"),
    ("< OK #u5 bid 90", "< OK #u5 bid 91", "the answer to another bid"),
    ("< OK #u5 bid 90\n", "< ERROR #u5 closed no lot is open\n", "never true"),
    ("> #u2 bid 80\n", "", "a sealed bid that nobody sent"),
)
