"""How often a bid and a delivery ask for memory."""

import callgrind
import counts
from checks import check

TITLE = "a delivery asks for no memory, and a bid as often as it did"
NEEDS, lacking = callgrind.NEEDS, callgrind.lacking
NONE = 0.01
"""An array that grows once in hundreds of bids counts as none."""
WITHIN = 0.25
"""The journal now and then needs a turn more, or less."""


def play(bed):
    counted = {}
    for keeper, flags in ("without a journal", ("--data", "none")), ("with the journal", ()):
        server = callgrind.CountedServer(bed, *flags)
        bid = server.cost_of_bid()
        delivery = server.cost_of_delivery()
        server.stop()
        check(abs(delivery.allocations) < NONE, f"{keeper}: {delivery.allocations:.3f} for each delivery")
        counted[f"a bid alone in its turn, {keeper}"] = round(bid.allocations, 1)
    counts.hold("allocations", counted, is_close)


def is_close(count, kept):
    return abs(count - kept) <= WITHIN
