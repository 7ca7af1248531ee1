"""Three bidders and an observer, each in an nc of their own; and a whole visit in one pipe."""

from checks import check
from game import game_of
from places import check_received
from programs import HOST

TITLE = "three bidders and an observer in nc, and printf 'name eve\\nbid 5\\n' | nc -N"
NEEDS = ("nc -N",)
PIPE = 'printf "$1" | nc -N "$2" "$3"'


def play(bed):
    server = bed.serve("--seconds", "2", "--pause", "0.2", "--lot", "Vase", "--lot", "Clock")
    observer, alice, bob, carol = everybody = [enter(bed, name) for name in ("observer", "alice", "bob", "carol")]
    for bidder in (alice, bob, carol):
        bidder.demand(f"name {bidder.name}", rf"OK name {bidder.name} \S+")
    alice.demand("bid 100", r"OK bid 100")
    bob.demand("bid 90", r"ERROR too-low minimum=101 .+")
    bob.demand("bid 120", r"OK bid 120")
    carol.demand("150", r"OK bid 150")
    observer.expect(r"WINNER carol 150 \d\d:\d\d\.\d Vase")
    observer.expect(r"LOT 2 Clock")
    visit(bed, "eve", r"name eve\nbid 5\n", ["OK name eve", "OK bid 5"])
    visit(bed, "fay", r"name fay\nbid 3\nbid 6", ["OK name fay", "ERROR too-low", "OK bid 6"])
    visit(bed, "gil", r"ping\n" * 500 + "ping", ["OK ping"] * 501)
    observer.expect(r"WINNER fay 6 .+ Clock")
    observer.expect(r"OVER 2")
    server.stop()
    observer.expect(r"BYE shutdown")
    game = game_of(observer.lines, 2)
    for peer in everybody:
        if peer is not observer:
            peer.expect(r"BYE shutdown")
        peer.finish()
        peer.expect_end()
        check_received(game, peer.connection)
        peer.check_answered()


def enter(bed, name):
    peer = bed.spawn(name, "nc", HOST, str(bed.port))
    peer.expect(r"LOT 1 Vase")
    return peer


def visit(bed, name, text, answers):
    """Pipes the text into nc; all answers must come before the connection ends."""
    peer = bed.spawn(name, "sh", "-c", PIPE, "sh", text, HOST, str(bed.port))
    peer.check_exit(0)
    check(peer.rest == b"", f"{name}: the last line has no end: {peer.rest!r}")
    heard = peer.answers()
    check(len(heard) == len(answers) and all(map(str.startswith, heard, answers)), f"{name}: answered {heard}")
