"""An observer who does not read costs the others nothing, and later learns how much it missed."""

from checks import check
from game import game_of
from places import LONGEST_SNAPSHOT
from protocol import parse

TITLE = "an observer that does not read, and then does"
WIRINGS = ((), ("--threads", "2"))
FLOOD_BYTES = 6 << 20
"""More news than a ring of 4 MiB and all the kernel's buffers of one connection hold."""
NO_PATIENCE = ("--stall-seconds", "none", "--user-timeout", "none")
"""However slow the machine is, nobody is closed for what they have not read."""
ROUND = 1000
START = 100_000_000_000
NAMES = ("bidder-with-long-names-a", "bidder-with-long-names-b")


def play(bed):
    server = bed.serve("--seconds", "60", "--lot", "Vase", "--self-raise", "allow", "--start", str(START), *NO_PATIENCE)
    observer = bed.connect("observer")
    stalled, leaver = (bed.connect(name, receive_bytes=4096) for name in ("stalled", "leaver"))
    for peer in (observer, stalled, leaver):
        peer.expect(r"LOT 1 Vase")
    stalled.pause()
    leaver.pause()
    bidders = [bed.connect(name) for name in NAMES]
    for bidder in bidders:
        bidder.demand(f"name {bidder.name}", r"OK name .+")
    price = flood(bidders, observer)

    least = len(news_of(observer))
    leaver.send(b"quit\n")
    leaver.resume()
    leaver.expect(r"BYE quit")
    leaver.expect_end()
    stalled.resume()
    stalled.expect(r"SKIPPED [1-9]\d*")
    bidders[0].demand(f"bid {price + 1}", rf"OK bid {price + 1}")
    stalled.expect(rf"PRICE {price + 1} .+")
    server.stop()
    for peer in (observer, stalled, *bidders):
        peer.expect(r"BYE shutdown")
        peer.expect_end()
    game = game_of(observer.lines, 60, self_raise=True)
    for bidder in bidders:
        bidder.check_answered()
    last, _ = check_skipped(game, stalled)
    check(last == game.last, f"the news end at event {last} of {game.last}")
    # One that leaves without having read receives how much it missed, and no snapshot.
    last, rest = check_skipped(game, leaver)
    check(rest == 0 and least <= last <= game.last, f"one that leaves received {rest} lines up to event {last}")


def flood(bidders, observer):
    """Bids in rounds, all of a round at once from both, until there is much news; returns the last price.

    Of each amount one bid is accepted, and the other comes too late.
    """
    price, size = START - 1, 0
    while size < FLOOD_BYTES:
        first = len(observer.lines)
        for bidder in bidders:
            bidder.say(*(f"bid {price + step}" for step in range(1, ROUND + 1)))
        price += ROUND
        for bidder in bidders:
            for _ in range(ROUND):
                bidder.answer()
        observer.expect(rf"PRICE {price} .+")
        size += sum(len(line) + 1 for line in observer.lines[first:])
    return price


def check_skipped(game, peer):
    """Fails unless what came before each gap, what was missed and what came after is all of the news.

    Returns the last event that was received or missed, and how many lines came after the last gap.
    """
    news = news_of(peer)
    check(news.pop(0).words == game.event(1), f"{peer.name}: the first line is not the lot")
    place, rest = 1, []
    while news:
        message = news.pop(0)
        if message.kind == "news":
            place += 1
            check(message.words == game.event(place), f"{message.words} came where {game.event(place)} was due")
            rest.append(message)
            continue
        place += int(message.words)
        snapshot, following = game.state(place).snapshot(), [each.words for each in news[:LONGEST_SNAPSHOT]]
        check(following[:len(snapshot)] in ([], snapshot), f"{message.words} were missed before {following}")
        del news[:len(snapshot)]
        rest = []
    return place, len(rest)


def news_of(peer):
    return [message for message in map(parse, peer.lines) if message.kind in ("news", "skipped")]
