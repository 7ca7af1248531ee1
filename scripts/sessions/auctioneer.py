"""The auctioneer: every order, heard by everybody, through a kill and a restart, up to the end."""

import json
import os
import signal

from ledger import Ledger
from news import Record, check_answers, news
from peer import check
from room import HOST
from segments import JournalReader

TITLE = "an auctioneer pauses, hammers, voids, kicks, closes and stops, through a restart"
WIRINGS = ((), ("--threads", "2"))
TOKEN = "0123456789abcdef" * 2
LOTS = ("--seconds", "60", "--pause", "0.2", "--lot", "Vase", "--lot", "Clock", "--lot", "Lamp")
ORDERS = ("pause", "resume", "hammer", "void", "kick alice why", "close", "stop")


def play(room):
    refuse_bad_files(room)
    without_a_token(room)
    file = token_file(room, TOKEN + "\n")
    folder = os.path.join(room.folder, "journal")
    token = first_life(room, folder, file)
    second_life(room, folder, file, token)
    check_journal(folder)
    look(room, folder)
    kicked_player(room, file)


def token_file(room, text, mode=0o600, name="token"):
    path = os.path.join(room.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def refuse_bad_files(room):
    """A token that is none, or that others could read, is one line that says what to do."""
    for text, mode, advice in (("", 0o600, "urandom"), (" \n", 0o600, "urandom"),
                               (TOKEN[1:], 0o600, "urandom"), (f"{TOKEN} x", 0o600, "urandom"),
                               (TOKEN, 0o640, "chmod 600"), (TOKEN, 0o602, "chmod 600")):
        refuse(room, token_file(room, text, mode, "bad"), advice)
    refuse(room, os.path.join(room.folder, "missing"), "urandom")
    refuse(room, room.folder, "urandom")


def refuse(room, path, advice):
    data = os.path.join(room.folder, "unborn")
    server = room.run_server("--host", HOST, "--port", "0", "--data", data,
                             "--auctioneer-token-file", path)
    code, said = server.exit_code(), server.errors.lines
    check(code == 2, f"with a bad token file the server exited {code}")
    check(len(said) == 1 and path in said[0] and advice in said[0], f"of {path} it said {said}")
    check(not os.path.exists(data), "a server that did not start left a journal")


def without_a_token(room):
    """Where no token is configured none is right."""
    server = room.serve("--data", "none")
    boss = room.connect("boss")
    boss.demand(f"auctioneer {TOKEN}", r"ERROR wrong-token .+")
    for order in ORDERS:
        boss.demand(f"#1 {order}", r"ERROR #1 not-auctioneer say first: auctioneer TOKEN")
    server.stop()


def serve(room, folder, file):
    server = room.serve("--data", folder, "--auctioneer-token-file", file, *LOTS)
    names = ("boss", "alice", "bob", "watcher")
    peers = [room.connect(f"{name} of {server.process.pid}") for name in names]
    for peer in peers:
        peer.demand("ping", r"OK ping")
    boss = peers[0]
    boss.demand(f"auctioneer {TOKEN[:-1]}", r"ERROR wrong-token .+")
    boss.demand("void", r"ERROR not-auctioneer .+")
    boss.demand(f"auctioneer {TOKEN}", r"OK auctioneer")
    return server, peers


def first_life(room, folder, file):
    """A lot that is interrupted; the server is killed while it is paused. Bob's token."""
    server, (boss, alice, bob, watcher) = serve(room, folder, file)
    alice.demand("name alice", r"OK name .+")
    token = bob.demand("name bob", r"OK name .+").split()[-1]
    boss.demand("hammer", r"ERROR no-bids .+")
    boss.demand("void", r"ERROR no-bids .+")
    alice.demand("bid 100", r"OK bid 100")
    told = watcher.expect(r"PRICE 100 alice \S+ 1")
    bob.demand("bid 120", r"OK bid 120")
    boss.demand("void", r"OK void")
    hears(watcher, "VOIDED 120 bob", told, "COUNTDOWN 60")
    alice.demand("laps", r"OK laps 1")
    bob.demand("bid 110", r"OK bid 110")
    watcher.expect(r"PRICE 110 bob \S+ 2")
    boss.demand("pause", r"OK pause")
    hears(watcher, "PAUSED")
    server.process.send_signal(signal.SIGHUP)
    server.errors.expect(r".* event=state lot=1 stage=open paused=true price=110 leader=bob .*")
    boss.demand("#p pause", r"OK #p pause")
    alice.demand("bid 130", r"ERROR paused wait for RESUMED")
    bob.demand("bid 110", r"OK bid 110")
    check_same(watcher, boss, alice, bob)
    Record(watcher.lines).check_game()
    server.process.kill()
    code = server.exit_code()
    check(code == -signal.SIGKILL, f"the server exited {code} before it was killed")
    return token


def second_life(room, folder, file, token):
    """It is paused still; every other order, up to the end that the auctioneer makes."""
    server, (boss, alice, bob, watcher) = serve(room, folder, file)
    check(any(', 2 bids, paused"' in line for line in server.errors.lines),
          f"at the start it said {server.errors.lines}")
    check([line.split()[0] for line in news(watcher.lines)]
          == ["LOT", "PRICE", "COUNTDOWN", "PAUSED"], f"a newcomer hears {watcher.lines}")
    alice.demand("name alice", r"ERROR name-taken .+")
    bob.demand(f"name bob {token}", rf"OK name bob {token}")
    alice.demand("name eve", r"OK name eve .+")
    alice.demand("bid 130", r"ERROR paused .+")
    boss.demand("resume", r"OK resume")
    hears(watcher, "RESUMED", "COUNTDOWN 60")
    boss.demand("resume", r"OK resume")
    boss.demand("hammer", r"OK hammer")
    hears(watcher, "HAMMERED", "COUNTDOWN 0", r"WINNER bob 110 \S+ Vase", "LOT 2 Clock")
    alice.demand("bid 5", r"OK bid 5")
    hears(watcher, r"PRICE 5 eve \S+ 1", "COUNTDOWN 60")
    boss.demand("close", r"OK close")
    hears(watcher, "PASSED 2 closed Clock", "LOT 3 Lamp")
    alice.demand("bid 7", r"OK bid 7")
    boss.demand("kick eve", r"ERROR bad-arguments .+")
    boss.demand("kick nobody at all", r"ERROR not-here .+")
    boss.demand("kick Eve two names, one bidder", r"OK kick")
    hears(watcher, r"PRICE 7 eve .+", "COUNTDOWN 60", "KICKED eve two names, one bidder",
          "LEFT eve")
    alice.expect(r"BYE kicked")
    alice.expect_end()
    boss.demand("stop", r"OK stop")
    for peer in (boss, bob, watcher):
        peer.expect(r"STOPPED")
        peer.expect(r"BYE shutdown")
        peer.expect_end()
    code = server.exit_code()
    check(code == 0, f"the server exited {code} after stop")
    check_same(watcher, boss, alice, bob)


def hears(peer, *patterns):
    """Fails unless just these are the next lines of news."""
    first = None
    for pattern in patterns:
        peer.expect(pattern)
        first = first or peer._expected
    heard = peer.lines[first - 1:peer._expected]
    check(len(heard) == len(patterns), f"{peer.name}: heard {heard}, not {patterns}")


def check_same(watcher, *others):
    """Fails unless all heard one order of news."""
    record = Record(watcher.lines)
    for peer in others:
        record.check_heard(peer, is_complete=False)
        check_answers(peer)


def check_journal(folder):
    """Fails unless a reader of its own finds the journal by the rules."""
    ledger = Ledger()
    for line in JournalReader(folder).read():
        ledger.take(line)
    words = [line.words.split()[0] for line in ledger.events]
    check({"PAUSED", "RESUMED", "HAMMERED", "VOIDED", "KICKED", "STOPPED"} <= set(words),
          f"the journal has {words}")


def look(room, folder):
    """The server finds its journal sound, and lists how the lots ended."""
    server = room.run_server("--check", folder)
    check(server.exit_code() == 0 and server.lines[0].startswith("sound: "),
          f"--check says {server.lines + server.errors.lines}")
    server = room.run_server("--results", folder)
    check(server.exit_code() == 0, f"--results says {server.errors.lines}")
    rows = [line.split() for line in server.lines[1:]]
    check([row[:3] for row in rows] == [["1", "bob", "110"], ["2", "-", "closed"]],
          f"--results says {server.lines}")
    server = room.run_server("--results", folder, "--json")
    check(server.exit_code() == 0, f"--results --json says {server.errors.lines}")
    passed = json.loads(server.lines[1])
    check(passed["type"] == "passed" and passed["reason"] == "closed", f"it says {passed}")


def kicked_player(room, file):
    """The client says to a player who is kicked why, and exits 1."""
    server = room.serve("--data", "none", "--auctioneer-token-file", file)
    boss = room.connect("chief")
    boss.demand(f"auctioneer {TOKEN}", r"OK auctioneer")
    player = room.spawn("player", room.client_path, "--host", HOST, "--port", str(room.port),
                        "--name", "dora", "play", "--plain")
    boss.expect(r"JOINED dora")
    boss.demand("pause", r"OK pause")
    player.expect(r"PAUSED")
    player.send(b"bid 5\n")
    player.expect(r"ERROR paused .+")
    boss.demand("kick dora no shouting", r"OK kick")
    player.expect(r"KICKED dora no shouting")
    code = player.exit_code()
    check(code == 1, f"a kicked player exited {code}")
    check(any("kicked" in line for line in player.errors.lines),
          f"a kicked player is told {player.errors.lines}")
    server.stop()
