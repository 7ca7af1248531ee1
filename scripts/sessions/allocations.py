"""How often a bid and a delivery allocate memory."""

from callgrind import NEEDS, CountedServer, compare, lacking
from checks import check

TITLE = "a delivery allocates no memory, and a bid as often as expected"
NONE = 0.01
"""An array that grows once in hundreds of bids counts as none."""
WITHIN = 0.25
"""The journal now and then needs a turn more, or less."""


def play(bed):
    counted = {}
    for name, flags in ("without a journal", ("--data", "none")), ("with the journal", ()):
        server = CountedServer(bed, *flags)
        bid, delivery = server.cost_of_bid(), server.cost_of_delivery()
        server.stop()
        check(abs(delivery.allocations) < NONE, f"{name}: {delivery.allocations:.3f} for each delivery")
        counted[f"a bid alone in its turn, {name}"] = round(bid.allocations, 1)
    compare("allocations", counted, lambda count, expected: abs(count - expected) <= WITHIN)
