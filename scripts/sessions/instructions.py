"""How many instructions a bid and a delivery take."""

from callgrind import NEEDS, CountedServer, compare, lacking

TITLE = "a bid and a delivery take as many instructions as expected"
BURST = 512
WITHIN = 0.10


def play(bed):
    server = CountedServer(bed, "--data", "none")
    costs = {
        "a bid alone in its turn": server.cost_of_bid(),
        f"a bid among {BURST} in one turn": server.cost_of_bid_among(BURST),
        "one more observer of a bid": server.cost_of_delivery(),
    }
    server.stop()
    compare("instructions", {name: round(cost.instructions) for name, cost in costs.items()},
            lambda count, expected: abs(count - expected) <= WITHIN * expected)
