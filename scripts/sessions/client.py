"""The same game with auction-client: what it prints, keeps and exits with."""

import json
import os
import socket
import stat

from news import Record, news, word
from peer import check
from room import HOST

TITLE = "three bidders and a watcher with auction-client"
PROGRAMS = ("client",)
USAGE_ERRORS = (
    [], ["frobnicate"], ["--frobnicate", "watch"], ["--name", "eve", "bid"],
    ["--name", "eve", "bid", "5", "6"], ["--port", "http", "watch"], ["--port"],
    ["--color", "sometimes", "watch"], ["send"], ["watch", "closely"],
    ["--socket", "/x", "--host", "h", "who"], ["--name", "-x", "play"],
    ["--name", "eve", "play", "on"], ["--name", "eve", "--no-wait", "play"],
    ["--plain", "who"], ["--plain", "--name", "eve", "bid", "5"], ["--name", "eve", "watch"],
)


def play(room):
    server = room.serve("--seconds", "2", "--pause", "0.2", "--lot", "Vase", "--lot", "Clock")
    witness = room.connect("witness")
    witness.expect(r"LOT 1 Vase")
    watchers = [call(room, "watch", "watch"), call(room, "watch-json", "--json", "watch"),
                call(room, "watch-color", "--color", "always", "watch")]
    room.wait(lambda: watchers[0].lines, "watch: says nothing")
    first_lot(room, witness)
    witness.expect(r"LOT 2 Clock")
    second_lot(room, witness)
    witness.expect(r"OVER 2")
    server.stop()
    for watcher in watchers:
        check_exit(watcher, 3)
    record = Record(witness.lines)
    record.check_game()
    check_news(record, *watchers)
    check_tokens_at_home(room)
    check_games(room)
    check_usage(room)


def call(room, name, *arguments, **environment):
    return room.spawn(name, room.client_path, "--host", HOST, "--port", str(room.port),
                      *arguments, **environment)


def bid(room, name, amount, *flags, **environment):
    return call(room, name, "--name", name, *flags, "bid", str(amount), **environment)


def check_exit(peer, expected):
    code = peer.exit_code()
    check(code == expected, f"{peer.name}: exited {code}, not {expected}: {peer.errors.lines}")


def first_lot(room, witness):
    """The hammer decides: 0 for the winner, 1 for who was outbid or refused."""
    alice = bid(room, "alice", 100)
    witness.expect(r"PRICE 100 alice .+")
    bob = bid(room, "bob", 110)
    witness.expect(r"PRICE 110 bob .+")
    dave = bid(room, "dave", 50)
    check_exit(dave, 1)
    check(dave.lines[-1].startswith("ERROR too-low"), f"a refused bid printed {dave.lines}")
    carol = bid(room, "carol", 120, "--json")
    witness.expect(r"PRICE 120 carol .+")
    winner = witness.expect(r"WINNER carol 120 .+")
    for bidder, code in ((carol, 0), (alice, 1), (bob, 1)):
        check_exit(bidder, code)
    check(winner in alice.lines and winner in bob.lines, "the losers do not hear who won")
    check(objects(carol)[-1]["type"] == "winner", "the winner's last line is another")


def second_lot(room, witness):
    """Calls that end at once; the second alice is the first one, a stranger's alice is not."""
    check_exit(bid(room, "alice", 10, "--no-wait"), 0)
    check_exit(bid(room, "bob", 10, "--no-wait"), 1)
    check_exit(bid(room, "alice", 10, "--no-wait"), 0)
    check_exit(bid(room, "bob", 15, "--no-wait"), 0)
    stranger = os.path.join(room.folder, "stranger")
    check_exit(bid(room, "alice", 20, "--no-wait", XDG_STATE_HOME=stranger), 1)
    check_kept(os.path.join(room.folder, "state", "auction"))
    for arguments, wanted in ((["laps"], "alice"), (["status"], "Clock"), (["who"], ""),
                              (["send", "ping"], "OK ping")):
        peer = call(room, arguments[0], *arguments)
        check_exit(peer, 0)
        check(wanted in "\n".join(peer.lines), f"{arguments}: printed {peer.lines}")
        in_json = call(room, arguments[0], "--json", *arguments)
        check_exit(in_json, 0)
        objects(in_json)
    full = room.spawn("full", "sh", "-c", '"$0" "$@" >/dev/full', room.client_path, "--port",
                      str(room.port), "status")
    check_exit(full, 4)
    check("cannot write to standard output" in full.errors.lines[0], f"told {full.errors.lines}")
    witness.expect(r"WINNER bob 15 .+")


def check_news(record, plain, in_json, colored):
    """Fails unless all of the news was printed: as it is, as objects, and in color."""
    check(record.place_after(news(plain.lines)) is not None,
          f"watch printed other news: {plain.lines}")
    check(not any("\x1b" in line for line in plain.lines), "colors in a pipe")
    check(any("\x1b[" in line for line in colored.lines), "no colors with --color always")
    prices = [fields["content"] for fields in objects(in_json) if fields["type"] == "price"]
    told = [line.split()[1] for line in record.lines if word(line) == "PRICE"]
    check(prices and prices == told[-len(prices):],
          f"watch --json printed the prices {prices}, not {told}")


def objects(peer):
    """Every line that was printed, as the JSON object it must be."""
    try:
        return [json.loads(line) for line in peer.lines]
    except ValueError:
        check(False, f"{peer.name}: prints lines that are no JSON: {peer.lines}")
        return None


def check_kept(folder):
    """Fails unless tokens are kept there, for their owner's eyes only."""
    check(os.path.isdir(folder), f"no tokens in {folder}")
    check(stat.S_IMODE(os.stat(folder).st_mode) == 0o700, f"others may look into {folder}")
    files = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    check(files, f"{folder} is empty")
    for file in files:
        check(stat.S_IMODE(os.stat(file).st_mode) == 0o600, f"others may read {file}")


def check_tokens_at_home(room):
    """Without XDG_STATE_HOME the tokens go below the home folder."""
    server = room.serve("--seconds", "60")
    check_exit(bid(room, "alice", 5, "--no-wait", XDG_STATE_HOME=None), 0)
    check_kept(os.path.join(room.folder, ".local", "state", "auction"))
    server.stop()


def check_games(room):
    """Two games behind one address, one after the other, each have a token of their own."""
    folders = [os.path.join(room.folder, name) for name in ("first", "second", "first")]
    port = room.free_port()
    for amount, folder in enumerate(folders, 5):
        server = room.serve("--seconds", "60", "--data", folder, port=port)
        peer = bid(room, "sam", amount, "--no-wait")
        code = peer.exit_code()
        # Who leads already is refused a raise, but as sam.
        check(code == 0 or peer.lines[-1].startswith("ERROR leading"), f"sam heard {peer.lines}")
        server.stop()


def check_usage(room):
    for arguments in USAGE_ERRORS:
        check_exit(room.spawn(" ".join(arguments), room.client_path, *arguments), 2)
    check_exit(room.spawn("mute", "sh", "-c", '"$0" --help >&-', room.client_path), 4)
    with socket.create_server((HOST, 0)) as listener:
        room.port = listener.getsockname()[1]
    for arguments in (["watch"], ["who"], ["--name", "alice", "bid", "5"],
                      ["--name", "alice", "play"], ["--plain", "watch"]):
        check_exit(call(room, " ".join(arguments), *arguments), 3)
