"""auction-client by its command line: output, exit codes, kept tokens, pipes."""

import json
import os
import socket
import stat

from news import Record, news, word
from peer import check
from room import HOST

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


def play(room):
    sell_two_lots(room)
    pipe(room)
    kick(room)
    keep_a_token_for_each_game(room)
    refuse(room)


def call(room, name, *arguments, **environment):
    return room.spawn(name, room.client_path, "--host", HOST, "--port", str(room.port), *arguments, **environment)


def bid(room, name, amount, *flags, **environment):
    return call(room, name, "--name", name, *flags, "bid", str(amount), **environment)


def check_exit(peer, expected):
    code = peer.exit_code()
    check(code == expected, f"{peer.name}: exit code {code}, not {expected}: {peer.errors.lines}")


def objects(peer):
    """Every printed line, as the JSON object it must be."""
    try:
        return [json.loads(line) for line in peer.lines]
    except ValueError:
        return check(False, f"{peer.name}: printed lines that are not JSON: {peer.lines}")


def sell_two_lots(room):
    server = room.serve("--seconds", "2", "--pause", "0.2", "--lot", "Vase", "--lot", "Clock")
    observer = room.connect("observer")
    observer.expect(r"LOT 1 Vase")
    watchers = [call(room, "watch", "watch"), call(room, "watch-json", "--json", "watch"),
                call(room, "watch-color", "--color", "always", "watch")]
    room.wait(lambda: all(watcher.lines for watcher in watchers), "watch prints nothing")
    wait_for_the_hammer(room, observer)
    observer.expect(r"LOT 2 Clock")
    do_not_wait(room)
    observer.expect(r"WINNER bob 15 .+")
    observer.expect(r"OVER 2")
    server.stop()
    for watcher in watchers:
        check_exit(watcher, 3)
    record = Record(observer.lines)
    record.check_game()
    check_watched(record, *watchers)


def wait_for_the_hammer(room, observer):
    """Exit code 0 for the winner, 1 for those who were outbid or refused."""
    alice = bid(room, "alice", 100)
    observer.expect(r"PRICE 100 alice .+")
    dave = bid(room, "dave", 50)
    check_exit(dave, 1)
    check(dave.lines[-1].startswith("ERROR too-low"), f"a refused bid printed {dave.lines}")
    carol = bid(room, "carol", 120, "--json")
    winner = observer.expect(r"WINNER carol 120 .+")
    check_exit(carol, 0)
    check_exit(alice, 1)
    check(winner in alice.lines, "the loser does not see who won")
    check(objects(carol)[-1]["type"] == "winner", "the winner's last line is not the winner")


def do_not_wait(room):
    """The kept token is used again; another user's client does not have it."""
    check_exit(bid(room, "alice", 10, "--no-wait"), 0)
    check_exit(bid(room, "bob", 10, "--no-wait"), 1)
    check_exit(bid(room, "alice", 10, "--no-wait"), 0)
    check_exit(bid(room, "alice", 20, "--no-wait", XDG_STATE_HOME=os.path.join(room.folder, "other")), 1)
    taken = call(room, "taken", "--name", "alice", "play", XDG_STATE_HOME=os.path.join(room.folder, "other"))
    check_exit(taken, 1)
    check(taken.lines[-1].startswith("ERROR name-taken"), f"printed {taken.lines}")
    check_exit(bid(room, "bob", 15, "--no-wait"), 0)
    check_private(os.path.join(room.folder, "state", "auction"))
    for arguments, wanted in ((["laps"], "alice"), (["status"], "Clock"), (["who"], ""), (["send", "ping"], "OK ping")):
        peer = call(room, arguments[0], *arguments)
        check_exit(peer, 0)
        check(wanted in "\n".join(peer.lines), f"{arguments}: printed {peer.lines}")
        in_json = call(room, arguments[0], "--json", *arguments)
        check_exit(in_json, 0)
        objects(in_json)
    full = room.spawn("full", "sh", "-c", '"$0" "$@" >/dev/full', room.client_path, "--port", str(room.port), "status")
    check_exit(full, 4)
    check("cannot write to standard output" in full.errors.lines[0], f"printed {full.errors.lines}")


def check_watched(record, plain, in_json, colored):
    check(record.place_after(news(plain.lines)) is not None, f"watch printed other news: {plain.lines}")
    check(not any("\x1b" in line for line in plain.lines), "colors in a pipe")
    check(any("\x1b[" in line for line in colored.lines), "no colors with --color always")
    prices = [fields["content"] for fields in objects(in_json) if fields["type"] == "price"]
    announced = [line.split()[1] for line in record.lines if word(line) == "PRICE"]
    check(prices and prices == announced[-len(prices):], f"watch --json printed the prices {prices}, not {announced}")


def check_private(folder):
    """Only the owner may read the kept tokens."""
    check(stat.S_IMODE(os.stat(folder).st_mode) == 0o700, f"others may look into {folder}")
    files = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    check(files and all(stat.S_IMODE(os.stat(file).st_mode) == 0o600 for file in files), f"others may read {files}")


def pipe(room):
    """What comes from a pipe, a file or nothing is answered to its end, also at a limited rate."""
    server = room.serve("--seconds", "60", limits=("--line-rate", str(RATE), "--line-burst", str(BURST)))
    for number, (script, answers) in enumerate(PIPES):
        peer = room.spawn(f"pipe {number}", "sh", "-c", script, room.client_path, "--port", str(room.port),
                          "--name", f"pipe-{number}", "play")
        check_exit(peer, 0)
        printed = [line for line in peer.lines if line.startswith(("OK ", "ERROR ", "BYE "))]
        check(len(printed) == len(answers) and all(map(str.startswith, printed, answers)),
              f"{script}: printed {printed}, not {answers}")
    player = call(room, "player", "--name", "player", "play")
    player.send(b"x" * 1024 + b"\n" + b"".join(b"#%d ping\n" % number for number in range(LINES)))
    player.finish()
    check_exit(player, 0)
    check(player.answers() == [f"OK #{number} ping" for number in range(LINES)], "answers are missing, or out of order")
    check("1023 bytes" in player.errors.lines[0], f"of a long line it printed {player.errors.lines}")
    folder = room.spawn("folder", "sh", "-c", '"$0" "$@" <.', room.client_path, "--port", str(room.port),
                        "--name", "folder", "play")
    check_exit(folder, 2)
    lost = call(room, "lost", "--name", "lost", "play")
    lost.expect(r"JOINED lost")
    server.stop()
    check_exit(lost, 3)
    check(lost.lines[-1] == "BYE shutdown", f"the last line is {lost.lines[-1]!r}")


def kick(room):
    """A kicked player is told why."""
    key = os.path.join(room.folder, "key")
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
        file.write(TOKEN)
    server = room.serve("--data", "none", "--auctioneer-token-file", key)
    auctioneer = room.connect("auctioneer")
    auctioneer.demand(f"auctioneer {TOKEN}", r"OK auctioneer")
    player = call(room, "player", "--name", "dora", "play", "--plain")
    auctioneer.expect(r"JOINED dora")
    auctioneer.demand("kick dora no shouting", r"OK kick")
    player.expect(r"KICKED dora no shouting")
    check_exit(player, 1)
    check(any("kicked" in line for line in player.errors.lines), f"a kicked player sees {player.errors.lines}")
    auctioneer.demand("stop", r"OK stop")
    check_exit(server, 0)


def keep_a_token_for_each_game(room):
    """Two games at one address, one after the other, have tokens of their own; here below HOME."""
    port = room.free_port()
    for amount, game in enumerate(("first", "second", "first"), 5):
        server = room.serve("--seconds", "60", "--data", os.path.join(room.folder, game), port=port)
        peer = bid(room, "sam", amount, "--no-wait", XDG_STATE_HOME=None)
        code = peer.exit_code()
        # A leader is refused a raise, but as sam.
        check(code == 0 or peer.lines[-1].startswith("ERROR leading"), f"sam received {peer.lines}")
        server.stop()
    check_private(os.path.join(room.folder, ".local", "state", "auction"))


def refuse(room):
    """A wrong command line is exit code 2, no server 3, a closed output 4."""
    for arguments in USAGE_ERRORS:
        check_exit(room.spawn(" ".join(arguments), room.client_path, *arguments), 2)
    check_exit(room.spawn("mute", "sh", "-c", '"$0" --help >&-', room.client_path), 4)
    with socket.create_server((HOST, 0)) as listener:
        room.port = listener.getsockname()[1]
    for arguments in (["watch"], ["--name", "alice", "bid", "5"], ["--name", "alice", "play"]):
        check_exit(call(room, " ".join(arguments), *arguments), 3)
