"""Limits that are small enough to be met, and everybody within them goes on."""

import os
import time

from peer import check

TITLE = "a rate of lines, names, tokens, connections, lines without an end, readers who stop, few files"
WIRINGS = ((), ("--threads", "2"))
PROGRAMS = ("client",)
RATE, BURST, LINES = 100, 10, 150
SMALL = ("--line-rate", str(RATE), "--line-burst", str(BURST), "--connections", "10",
         "--claims-per-minute", "6", "--wrong-tokens-per-minute", "2",
         "--line-seconds", "1", "--stall-seconds", "1", "--reserve", "0")
FILES = 64


def play(room):
    server = room.serve("--seconds", "60", "--lot", "Vase", limits=SMALL)
    eve = room.connect("eve")
    flood(room, eve)
    play_with_a_pipe(room)
    take_names(room, eve)
    say_half_a_line(room, server, eve)
    stop_reading(room, server, eve)
    fill(room, server, eve)
    server.stop()
    eve.expect(r"BYE shutdown")
    run_out_of_files(room)


def flood(room, eve):
    """All of a flood is answered, in order and when it is due, and eve does not wait for it."""
    flooder = room.connect("flooder")
    flooder.expect(r"LOT 1 Vase")
    start = time.monotonic()
    flooder.send(b"".join(b"#%d ping\n" % number for number in range(LINES)))
    for _ in range(5):
        eve.demand("ping", r"OK ping")
    check(len(flooder.answers()) < LINES, "the flood was heard before eve")
    flooder.expect(rf"OK #{LINES - 1} ping")
    seconds = time.monotonic() - start
    check(flooder.answers() == [f"OK #{number} ping" for number in range(LINES)], "answers lack, or are out of order")
    least = (LINES - BURST - 1) / RATE
    check(seconds > least, f"{LINES} lines were heard in {seconds:.2f} s, and not in {least:.2f} s at least")
    flooder.quit()


def take_names(room, eve):
    """The names that one address takes and the wrong tokens that it says are counted together."""
    bidders = [room.connect(f"bidder-{number}") for number in range(6)]
    slow = r"ERROR slow-down seconds=\d+ too many {} from your address, wait so long before the next"
    eve.demand("name eve", r"OK name eve \S+")
    eve.demand("bid 5", r"OK bid 5")
    for bidder in bidders[:4]:
        token = bidder.demand(f"name {bidder.name}", rf"OK name {bidder.name} \S+").split()[-1]
    bidders[4].demand("name late", slow.format("new names"))
    eve.demand("name eve", r"OK name eve \S+")
    for bidder in bidders[4:]:
        bidder.demand(f"name eve {'0' * 32}", r"ERROR wrong-token .+")
    bidders[4].demand(f"name eve {'0' * 32}", slow.format("wrong tokens"))
    bidders[5].demand(f"name {bidders[3].name} {token}", rf"OK name {bidders[3].name} {token}")
    bidders.pop(3).expect(r"BYE replaced")
    for bidder in bidders:
        bidder.quit()


def say_half_a_line(room, server, eve):
    """Of a line without an end not even much of it helps; who says nothing may stay."""
    silent = room.connect("silent")
    slow = room.connect("slow")
    long = room.connect("long")
    slow.send(b"bid 1")
    long.send(b"x" * 5000)
    for peer in (slow, long):
        peer.expect(r"BYE idle")
        peer.expect_end()
    server.errors.expect(r".*event=closed reason=idle .*")
    silent.demand("ping", r"OK ping")
    silent.quit()
    eve.demand("ping", r"OK ping")


def stop_reading(room, server, eve):
    """One who asks and does not read is closed, once the kernel takes no more for it."""
    deaf = room.connect("deaf", receive_bytes=4096)
    deaf.expect(r"LOT 1 Vase")
    deaf.pause()
    deaf.send(b"help\n" * 2000)
    server.errors.expect(r".*event=closed reason=stalled .*", seconds=60)
    eve.demand("ping", r"OK ping")
    deaf.close()


def play_with_a_pipe(room):
    """The client says more than is heard at once, and has it all answered in its time."""
    player = room.spawn("player", room.client_path, "--port", str(room.port), "--name", "player", "play")
    player.send(b"".join(b"#%d ping\n" % number for number in range(LINES)))
    player.finish()
    code = player.exit_code()
    check(code == 0, f"the client exited {code}")
    check([line for line in player.answers() if "ping" in line] == [f"OK #{number} ping" for number in range(LINES)],
          "the client was not told all the answers")


def fill(room, server, eve):
    """Past the limit a newcomer hears why, and nothing else; there is room again when one goes."""
    others = [room.connect(f"other-{number}") for number in range(9)]
    for other in others:
        other.demand("ping", r"OK ping")
    for number in range(3):
        late = room.connect(f"late-{number}", waits=False)
        late.expect_end()
        check(late.lines == ["ERROR full too many are connected, try again later", "BYE full"],
              f"a newcomer heard {late.lines}")
        check(not late.was_reset, "the connection was reset, not closed")
    server.errors.expect(r".*event=refused reason=full count=\d+")
    client = room.spawn("client", room.client_path, "--port", str(room.port), "send", "ping")
    check(client.exit_code() == 3, "the client was let in")
    client.expect(r"ERROR full too many are connected, try again later")
    others.pop().quit()
    room.connect("next").quit()
    for other in others:
        other.quit()
    eve.demand("ping", r"OK ping")


def run_out_of_files(room):
    """With few files half of them are connections; whoever is too many is told so, and no file is taken."""
    server = room.serve("--seconds", "60", "--lot", "Vase", "--data", os.path.join(room.folder, "few"), limits=("--reserve", "0"),
                        through=("sh", "-c", f"ulimit -n {FILES}; exec \"$0\" \"$@\""))
    peers = [room.connect(f"peer-{number}") for number in range(FILES // 2)]
    for peer in peers:
        peer.demand("ping", r"OK ping")
    refused = [room.connect(f"refused-{number}", waits=False) for number in range(100)]
    for peer in refused:
        peer.expect_end()
        check(peer.lines == ["ERROR full too many are connected, try again later", "BYE full"],
              f"a newcomer heard {peer.lines}")
    peers[0].demand("name alice", r"OK name alice \S+")
    peers[0].demand("bid 5", r"OK bid 5")
    for peer in peers:
        peer.expect(r"PRICE 5 alice .+")
    peers.pop().quit()
    room.wait(lambda: can_join(room), "nobody was let in again")
    server.stop()


def can_join(room):
    """Whether a newcomer is greeted."""
    peer = room.connect("newcomer", waits=False)
    room.wait(lambda: peer.lines, "no word")
    return peer.lines[0].startswith("HELLO")
