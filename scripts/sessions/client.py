"""auction-client by its command line: output, exit codes, kept tokens, pipes."""

import json
import os
import socket
import stat

from checks import check
from game import game_of
from places import check_received
from programs import HOST

TITLE = "auction-client: exit codes, tokens, JSON, colours, pipes"
PROGRAMS = ("client",)
USAGE_ERRORS = ([], ["frobnicate"], ["--name", "eve", "bid"], ["--port", "http", "watch"], ["send"],
                ["--socket", "/x", "--host", "h", "who"], ["--name", "eve", "--no-wait", "play"],
                ["--plain", "who"], ["--name", "eve", "watch"])
PIPES = (('printf "bid 5\\nbid 6\\n" | "$0" "$@"', ["OK bid 5", "ERROR leading"]),
         ('printf "ping\\n\\n#1 ping" >in; "$0" "$@" <in', ["OK ping", "OK #1 ping"]),
         ('"$0" "$@" </dev/null', []), ('"$0" "$@" <&-', []),
         ('printf "quit\\nping\\n" | "$0" "$@"', ["OK quit", "BYE quit"]))
RATE, BURST, LINES = 100, 10, 100
TOKEN = "0123456789abcdef" * 2


def play(bed):
    sell_two_lots(bed)
    pipe(bed)
    kick(bed)
    keep_a_token_for_each_game(bed)
    refuse(bed)


def bid(bed, name, amount, *flags, **environment):
    return bed.client(name, "--name", name, *flags, "bid", str(amount), **environment)


def objects(peer):
    """Every printed line, as the JSON object it must be."""
    try:
        return [json.loads(line) for line in peer.lines]
    except ValueError:
        return check(False, f"{peer.name}: printed lines that are not JSON: {peer.lines}")


def sell_two_lots(bed):
    server = bed.serve("--seconds", "2", "--pause", "0.2", "--lot", "Vase", "--lot", "Clock")
    observer = bed.connect("observer")
    observer.expect(r"LOT 1 Vase")
    watchers = [bed.client("watch", "watch"), bed.client("watch-json", "--json", "watch"),
                bed.client("watch-color", "--color", "always", "watch")]
    bed.wait(lambda: all(watcher.lines for watcher in watchers), "watch prints nothing")
    wait_for_the_hammer(bed, observer)
    observer.expect(r"LOT 2 Clock")
    do_not_wait(bed)
    observer.expect(r"WINNER bob 15 .+")
    observer.expect(r"OVER 2")
    server.stop()
    for watcher in watchers:
        watcher.check_exit(3)
    check_watched(game_of(observer.lines, 2), *watchers)


def wait_for_the_hammer(bed, observer):
    """Exit code 0 for the winner, 1 for those who were outbid or refused."""
    alice = bid(bed, "alice", 100)
    observer.expect(r"PRICE 100 alice .+")
    dave = bid(bed, "dave", 50)
    dave.check_exit(1)
    check(dave.lines[-1].startswith("ERROR too-low"), f"a refused bid printed {dave.lines}")
    carol = bid(bed, "carol", 120, "--json")
    winner = observer.expect(r"WINNER carol 120 .+")
    carol.check_exit(0)
    alice.check_exit(1)
    check(winner in alice.lines, "the loser does not see who won")
    check(objects(carol)[-1]["type"] == "winner", "the winner's last line is not the winner")


def do_not_wait(bed):
    """The kept token is used again; another user's client does not have it."""
    bid(bed, "alice", 10, "--no-wait").check_exit(0)
    bid(bed, "bob", 10, "--no-wait").check_exit(1)
    bid(bed, "alice", 10, "--no-wait").check_exit(0)
    bid(bed, "alice", 20, "--no-wait", XDG_STATE_HOME=os.path.join(bed.folder, "other")).check_exit(1)
    taken = bed.client("taken", "--name", "alice", "play", XDG_STATE_HOME=os.path.join(bed.folder, "other"))
    taken.check_exit(1)
    check(taken.lines[-1].startswith("ERROR name-taken"), f"printed {taken.lines}")
    bid(bed, "bob", 15, "--no-wait").check_exit(0)
    check_private(os.path.join(bed.folder, "state", "auction"))
    for arguments, wanted in ((["laps"], "alice"), (["status"], "Clock"), (["who"], ""), (["send", "ping"], "OK ping")):
        peer = bed.client(arguments[0], *arguments)
        peer.check_exit(0)
        check(wanted in "\n".join(peer.lines), f"{arguments}: printed {peer.lines}")
        in_json = bed.client(arguments[0], "--json", *arguments)
        in_json.check_exit(0)
        objects(in_json)
    full = bed.spawn("full", "sh", "-c", '"$0" "$@" >/dev/full', bed.client_path, "--port", str(bed.port), "status")
    full.check_exit(4)
    check("cannot write to standard output" in full.errors.lines[0], f"printed {full.errors.lines}")


def check_watched(game, plain, in_json, colored):
    check_received(game, plain.connection)
    check(not any("\x1b" in line for line in plain.lines), "colors in a pipe")
    check(any("\x1b[" in line for line in colored.lines), "no colors with --color always")
    prices = [fields["content"] for fields in objects(in_json) if fields["type"] == "price"]
    announced = [line.split()[1] for line in game.words if line.startswith("PRICE ")]
    check(prices and prices == announced[-len(prices):], f"watch --json printed the prices {prices}, not {announced}")


def check_private(folder):
    """Only the owner may read the kept tokens."""
    check(stat.S_IMODE(os.stat(folder).st_mode) == 0o700, f"others may look into {folder}")
    files = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    check(files and all(stat.S_IMODE(os.stat(file).st_mode) == 0o600 for file in files), f"others may read {files}")


def pipe(bed):
    """What comes from a pipe, a file or nothing is answered to its end, also at a limited rate."""
    server = bed.serve("--seconds", "60", limits=("--line-rate", str(RATE), "--line-burst", str(BURST)))
    for number, (script, answers) in enumerate(PIPES):
        peer = bed.spawn(f"pipe {number}", "sh", "-c", script, bed.client_path, "--port", str(bed.port),
                          "--name", f"pipe-{number}", "play")
        peer.check_exit(0)
        printed = [line for line in peer.lines if line.startswith(("OK ", "ERROR ", "BYE "))]
        check(len(printed) == len(answers) and all(map(str.startswith, printed, answers)),
              f"{script}: printed {printed}, not {answers}")
    player = bed.client("player", "--name", "player", "play")
    player.send(b"x" * 1024 + b"\n" + b"".join(b"#%d ping\n" % number for number in range(LINES)))
    player.finish()
    player.check_exit(0)
    check(player.answers() == [f"OK #{number} ping" for number in range(LINES)], "answers are missing, or out of order")
    check("1023 bytes" in player.errors.lines[0], f"of a long line it printed {player.errors.lines}")
    folder = bed.spawn("folder", "sh", "-c", '"$0" "$@" <.', bed.client_path, "--port", str(bed.port),
                        "--name", "folder", "play")
    folder.check_exit(2)
    lost = bed.client("lost", "--name", "lost", "play")
    lost.expect(r"JOINED lost")
    server.stop()
    lost.check_exit(3)
    check(lost.lines[-1] == "BYE shutdown", f"the last line is {lost.lines[-1]!r}")


def kick(bed):
    """A kicked player is told why."""
    server = bed.serve("--data", "none", "--auctioneer-token-file", bed.secret("key", TOKEN))
    auctioneer = bed.connect("auctioneer")
    auctioneer.demand(f"auctioneer {TOKEN}", r"OK auctioneer")
    player = bed.client("player", "--name", "dora", "play", "--plain")
    auctioneer.expect(r"JOINED dora")
    auctioneer.demand("kick dora no shouting", r"OK kick")
    player.expect(r"KICKED dora no shouting")
    player.check_exit(1)
    check(any("kicked" in line for line in player.errors.lines), f"a kicked player sees {player.errors.lines}")
    auctioneer.demand("stop", r"OK stop")
    server.check_exit(0)


def keep_a_token_for_each_game(bed):
    """Two games at one address, one after the other, have tokens of their own; here below HOME."""
    port = bed.free_port()
    for amount, game in enumerate(("first", "second", "first"), 5):
        server = bed.serve("--seconds", "60", "--data", os.path.join(bed.folder, game), port=port)
        peer = bid(bed, "sam", amount, "--no-wait", XDG_STATE_HOME=None)
        code = peer.exit_code()
        # A leader is refused a raise, but as sam.
        check(code == 0 or peer.lines[-1].startswith("ERROR leading"), f"sam received {peer.lines}")
        server.stop()
    check_private(os.path.join(bed.folder, ".local", "state", "auction"))


def refuse(bed):
    """A wrong command line is exit code 2, no server 3, a closed output 4."""
    for arguments in USAGE_ERRORS:
        bed.spawn(" ".join(arguments), bed.client_path, *arguments).check_exit(2)
    bed.spawn("mute", "sh", "-c", '"$0" --help >&-', bed.client_path).check_exit(4)
    with socket.create_server((HOST, 0)) as listener:
        bed.port = listener.getsockname()[1]
    for arguments in (["watch"], ["--name", "alice", "bid", "5"], ["--name", "alice", "play"]):
        bed.client(" ".join(arguments), *arguments).check_exit(3)
