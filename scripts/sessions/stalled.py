"""A watcher who does not read costs the others nothing, and later learns what it missed."""

from news import Record, check_answers, news, word
from peer import check

TITLE = "a watcher who never reads, and then does"
WIRINGS = ((), ("--threads", "2"))
FLOOD_BYTES = 9 << 20
"""More news than a ring of 4 MiB and all the kernel's buffers of one connection hold."""
PATIENCE = ("--stall-seconds", "none", "--user-timeout", "none")
"""However slow the machine is, nobody is closed for what they have not read."""
ROUND = 1000
START = 100_000_000_000
NAMES = ("bidder-with-long-names-a", "bidder-with-long-names-b")


def play(room):
    server = room.serve("--seconds", "60", "--lot", "Vase", "--self-raise", "allow",
                        "--start", str(START), *PATIENCE)
    watcher = room.connect("watcher")
    watcher.expect(r"LOT 1 Vase")
    stalled = room.connect("stalled", receive_bytes=4096)
    stalled.expect(r"LOT 1 Vase")
    stalled.pause()
    leaver = room.connect("leaver", receive_bytes=4096)
    leaver.expect(r"LOT 1 Vase")
    leaver.pause()
    bidders = [room.connect(name) for name in NAMES]
    for bidder in bidders:
        bidder.demand(f"name {bidder.name}", r"OK name .+")
    price = flood(bidders, watcher)

    leave(leaver, watcher)
    stalled.resume()
    stalled.expect(r"SKIPPED [1-9]\d*")
    bidders[0].demand(f"bid {price + 1}", rf"OK bid {price + 1}")
    stalled.expect(rf"PRICE {price + 1} .+")
    server.stop()
    for peer in (watcher, stalled, *bidders):
        peer.expect(r"BYE shutdown")
        peer.expect_end()
    check_all(watcher, stalled, bidders)


def flood(bidders, watcher):
    """Bids in rounds, all of a round at once from both, until the news are many; the last price.

    Of each amount one bid is heard first and accepted, the other comes too late.
    """
    price, size = START - 1, 0
    while size < FLOOD_BYTES:
        first = len(watcher.lines)
        commands = "".join(f"bid {price + step}\n" for step in range(1, ROUND + 1)).encode()
        for bidder in bidders:
            bidder.commands += ROUND
            bidder.send(commands)
        price += ROUND
        for bidder in bidders:
            for _ in range(ROUND):
                bidder.answer()
        watcher.expect(rf"PRICE {price} .+")
        size += sum(len(line) + 1 for line in watcher.lines[first:])
    return price


def leave(leaver, watcher):
    """One who leaves without having read is told how much it will not hear, and then goodbye."""
    leaver.send(b"quit\n")
    leaver.resume()
    leaver.expect(r"BYE quit")
    leaver.expect_end()
    told, heard = news(watcher.lines), news(leaver.lines)
    check(word(heard[-1]) == "SKIPPED", f"the last news was {heard[-1]!r}")
    missed = int(heard.pop().split()[1])
    check(heard == told[:len(heard)], "news differ before the gap")
    check(len(heard) + missed == len(told), f"{missed} missed and {len(heard)} heard of {len(told)}")


def check_all(watcher, stalled, bidders):
    record = Record(watcher.lines)
    record.check_game()
    for bidder in bidders:
        check_answers(bidder)
        record.check_heard(bidder)
    check_skipped(record.lines, stalled)


def check_skipped(told, stalled):
    """Fails unless what was heard before, what was missed and what was heard after is all of it."""
    heard = news(stalled.lines)
    place = 0
    while (skip := next_skip(heard)) is not None:
        check(heard[:skip] == told[place:place + skip], "news differ before the gap")
        missed = int(heard[skip].split()[1])
        place += skip + missed
        heard = heard[skip + 1:]
        rest = Record(told[:place])
        length = next((count for count in (1, 2, 3, 4)
                       if rest.place_after(heard[:count]) == place), None)
        check(length, f"{missed} missed is not what lacks before {heard[:4]}")
        heard = heard[length:]
    check(heard == told[place:], f"news differ after the gap: {heard[:4]}, {told[place:][:4]}")


def next_skip(heard):
    return next((place for place, line in enumerate(heard) if word(line) == "SKIPPED"), None)
