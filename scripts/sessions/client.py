"""auction-client by its command line: exit codes, kept tokens, JSON, colours."""

import json
import os
import socket

from checks import check
from programs import HOST

TITLE = "auction-client: exit codes, tokens, JSON, colours"
PROGRAMS = ("client",)


def play(testbed):
    sell_a_lot(testbed)
    keep_tokens(testbed)
    fail(testbed)


def bid(testbed, name, amount, *flags, **environment):
    return testbed.client(name, "--name", name, *flags, "bid", str(amount), **environment)


def objects(peer):
    """Every printed line, as the JSON object it must be."""
    try:
        return [json.loads(line) for line in peer.lines]
    except ValueError:
        return check(False, f"{peer.name}: printed lines that are not JSON: {peer.lines}")


def sell_a_lot(testbed):
    """Exit code 0 for the winner, 1 for bidders who were outbid or refused, 3 when the server ends."""
    server = testbed.serve("--seconds", "2", "--pause", "60", "--lot", "Vase", "--lot", "Clock")
    plain, in_json, colored = watchers = [
        testbed.client("watch", "watch"), testbed.client("watch-json", "--json", "watch"),
        testbed.client("watch-color", "--color", "always", "watch")]
    testbed.wait(lambda: all(watcher.lines for watcher in watchers), "watch prints nothing")
    observer = testbed.connect("observer")
    alice = bid(testbed, "alice", 100)
    observer.expect(r"PRICE 100 alice .+")
    dave = bid(testbed, "dave", 50)
    dave.check_exit(1)
    check(dave.lines[-1].startswith("ERROR too-low"), f"a refused bid printed {dave.lines}")
    carol = bid(testbed, "carol", 120, "--json")
    winner = observer.expect(r"WINNER carol 120 .+")
    carol.check_exit(0)
    alice.check_exit(1)
    check(winner in alice.lines, "the loser does not see who won")
    check(objects(carol)[-1]["type"] == "winner", "the winner's last line is not the winner")
    server.stop()
    for watcher in watchers:
        watcher.check_exit(3)
    check(winner in plain.lines and not any("\x1b" in line for line in plain.lines), f"watch printed {plain.lines}")
    check(any("\x1b[" in line for line in colored.lines), "no colors with --color always")
    prices = [fields["content"] for fields in objects(in_json) if fields["type"] == "price"]
    check(prices == ["100", "120"], f"watch --json printed the prices {prices}")


def keep_tokens(testbed):
    """A kept token is used again, also below HOME; another user's client does not have it."""
    testbed.serve("--seconds", "60")
    bid(testbed, "alice", 10, "--no-wait").check_exit(0)
    bid(testbed, "bob", 12, "--no-wait", XDG_STATE_HOME=None).check_exit(0)
    bid(testbed, "alice", 14, "--no-wait").check_exit(0)
    bid(testbed, "bob", 16, "--no-wait", XDG_STATE_HOME=None).check_exit(0)
    stranger = bid(testbed, "alice", 20, "--no-wait", XDG_STATE_HOME=os.path.join(testbed.folder, "other"))
    stranger.check_exit(1)
    check(stranger.lines[-1].startswith("ERROR name-taken"), f"printed {stranger.lines}")
    for words, printed in ((["laps"], "alice"), (["status"], "lot-1"), (["who"], ""), (["send", "ping"], "OK ping")):
        peer = testbed.client(words[0], *words)
        peer.check_exit(0)
        check(printed in "\n".join(peer.lines), f"{words}: printed {peer.lines}")
        in_json = testbed.client(words[0], "--json", *words)
        in_json.check_exit(0)
        objects(in_json)


def fail(testbed):
    """A wrong command line is exit code 2, no server 3, a closed output 4."""
    for arguments in ([], ["frobnicate"], ["--name", "eve", "bid"]):
        testbed.spawn(" ".join(arguments), testbed.client_path, *arguments).check_exit(2)
    full = testbed.spawn("full", "sh", "-c", '"$0" "$@" >/dev/full', testbed.client_path,
                         "--port", str(testbed.port), "status")
    full.check_exit(4)
    check("cannot write to standard output" in full.errors.lines[0], f"printed {full.errors.lines}")
    with socket.create_server((HOST, 0)) as listener:
        testbed.port = listener.getsockname()[1]
    for arguments in (["watch"], ["--name", "alice", "bid", "5"], ["--name", "alice", "play"]):
        testbed.client(" ".join(arguments), *arguments).check_exit(3)
