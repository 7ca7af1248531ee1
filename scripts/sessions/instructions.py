"""How many instructions a bid and a delivery take."""

import callgrind
import counts

TITLE = "a bid and a delivery take as many instructions as they did"
NEEDS, lacking = callgrind.NEEDS, callgrind.lacking
BURST = 512
WITHIN = 0.10


def play(bed):
    server = callgrind.CountedServer(bed, "--data", "none")
    costs = {
        "a bid alone in its turn": server.cost_of_bid(),
        f"a bid among {BURST} in one turn": server.cost_of_bid_among(BURST),
        "one more observer of a bid": server.cost_of_delivery(),
    }
    server.stop()
    counts.hold("instructions", {name: round(cost.instructions) for name, cost in costs.items()}, is_close)


def is_close(count, kept):
    return abs(count - kept) <= WITHIN * kept
