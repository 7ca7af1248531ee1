"""Violations of each kind: what is changed in the sample, and the complaint it must bring."""

from __future__ import annotations

from sample import ALICE, BOB, OTHER

JOURNAL_EDITS = (
    ("5 COUNTDOWN 1\n", "", "event 4 is not followed by 5"),
    ("12 LEFT", "13 LEFT", "event 11 is not followed by 12"),
    ("=9 LOT 2 Vase", "=11 LOT 2 Vase", "cannot be state"),
    ("=9 LOT 2 Vase", "=9 LOT 3 Vase", "restates what was not told"),
    ("state=5", "state=6", "cannot be state"),
    ("first=11 after=AFTER", "first=11 after=0badcafe", "the header should say"),
    ("first=11", "first=12", "the header should say"),
    ("- TIME", "TIME", "no line of a journal"),
    ("COUNTDOWN 0\t*", "COUNTDOWN 0\t* 7", "no line of a journal"),
    ("COUNTDOWN 0", "COUNTUP 0", "words that no journal has"),
    ("COUNTDOWN 0\t*", "COUNTDOWN 0\t77 *", "a time where none belongs"),
    ("1\t150 *", "1\t250 *", "the time is not 00:00.2"),
    ("00:00.2 2\t210", "00:00.1 2\t110", "runs backwards"),
    ("PRICE 3 b2", "PRICE 1 b2", "the price does not rise"),
    ("00:00.2 2", "00:00.2 3", "this is bid 2 of the lot"),
    ("WINNER b2 3", "WINNER b1 3", "not the last bidder"),
    ("WINNER b2 3", "WINNER b2 1", "not the last bidder"),
    ("00:01.2 lot-1", "00:01.2 Vase", "not the last bidder"),
    ("7 COUNTDOWN 0\t*", "7 WINNER b2 3 00:01.2 lot-1\t1210", "a lot ends twice"),
    ("7 COUNTDOWN 0\t*", "7 PASSED 1 no-bids lot-1", "did not pass so"),
    ("7 COUNTDOWN 0\t*", "7 PAUSED", "while the sale is paused"),
    ("7 COUNTDOWN 0\t*", "7 RESUMED", "the end of none"),
    ("5 COUNTDOWN 1", "5 PAUSED", "a bid while the sale is paused"),
    ("4 PRICE 1 b1 00:00.1 1\t150 *", "4 PAUSED", "runs while the sale is paused"),
    ("4 PRICE 1 b1 00:00.1 1\t150 *", "4 HAMMERED", "nobody to fall for"),
    ("5 COUNTDOWN 1", "5 HAMMERED", "a bid after the hammer"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 1 b1", "not the last bid"),
    ("7 COUNTDOWN 0\t*", "7 VOIDED 3 b2", "while nobody leads"),
    ("8 WINNER b2 3 00:01.2 lot-1\t1210", "8 VOIDED 3 b2", "before the one before is done"),
    ("11 LEFT b1", "11 KICKED b9 why", "who is not there is sent away"),
    ("7 COUNTDOWN 0\t*", "7 LOT 2 Vase", "before the one before is done"),
    ("\n9 LOT 2 Vase", "\n9 COUNTDOWN 1", "a bid after the hammer"),
    ("\n9 LOT 2 Vase", "\n9 LOT 3 Vase", "this is lot 2"),
    ("11 LEFT b1", "11 OVER 3", "there were 2 lots"),
    ("12 LEFT b2", "12 LEFT b1", "who is not there goes"),
    ("11 LEFT b1", "11 JOINED b1", "who is there comes"),
    (f"- NAME b2 {BOB}\n3", f"- NAME b3 {BOB}\n3", "nobody owns this name"),
    ("1 LOT 1 lot-1", "1 COUNTDOWN 1", "no lot was opened"),
    (f"NAME b2 {BOB} bid", f"NAME b2 {OTHER} bid", "the name changes its owner"),
)
"""Changes of the journal before it gets its sums."""

LOG_EDITS = (
    ("r2b2n1 bid 7", "r2b2n1 bid 8", "a bid that nobody made"),
    ("r1b2n3 bid 3", "r1b1n3 bid 3", "this tag was used before"),
    ("error #r1b1n4", "error #r1b1n5", "an answer out of turn"),
    ("ok #r1b1n3 bid 1", "ok #r1b1n3 bid 2", "the answer to another command"),
    ("n4 leading", "n4 unavailable", "refused for no reason"),
    ("ok #r1b1n3 bid 1\n< 4 PRICE 1 b1 lot=1 bid=1 ms=150",
     "error #r1b1n3 too-low\n< 4 PRICE 1 b1 lot=1 bid=1 ms=150", "or that was refused"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5", "n4 bid 6\n< ok #r2b1n4 bid 6", "not in the journal where"),
    ("n4 bid 5\n< ok #r2b1n4 bid 5",
     "n4 bid 5\n> #r2b1n5 bid 5\n< ok #r2b1n4 bid 5\n< ok #r2b1n5 bid 5", "acknowledged twice"),
    ("< 3 JOINED b2\n", "", "not in the journal where"),
    ("< 3 JOINED b2\n< ok #r1b1n3 bid 1\n", "", "after event 2 was told 4"),
    ("lot=1 bid=1", "lot=2 bid=1", "another lot"),
    ("ms=150", "ms=151", "another event than the journal has"),
    ("< 5 COUNTDOWN 1", "< 5 COUNTDOWN 2", "another event than the journal has"),
    ("< 5 COUNTDOWN 1", "< 15 COUNTDOWN 1", "which the journal does not have"),
    ("< 5 COUNTDOWN 1", "< 3 JOINED b2", "after event 4 was told 3"),
    ("< 2 JOINED b1\n", "", "did not hear of that next"),
    ("< PRICE 5 b1", "< PRICE 4 b1", "the snapshot does not lead"),
    ("< LEFT b2", "< LEFT b1", "the snapshot does not lead"),
    ("< 13 JOINED b1\n", "", "whose JOINED was never told"),
    (f"ok #r2b1n3 name b1 {ALICE}", f"ok #r2b1n3 name b1 {OTHER}", "a token that the journal"),
    ("error #r2b1n2 wrong-token", f"ok #r2b1n2 name b2 {OTHER}", "the name of b2, who had bid"),
    (f"ok #r2b1n3 name b1 {ALICE}", "error #r2b1n3 wrong-token", "does not open its name"),
)
"""Changes of the logs."""

RESULT_EDITS = (
    ("bidder", "b1", "another winner"), ("amount", 4, "another winner"),
    ("lot", 2, "another winner"), ("title", "Vase", "another winner"),
    ("type", "passed", "1 lots were sold, the results list 0"),
)
