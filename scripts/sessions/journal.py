"""A server that is killed goes on where it was; its journal can be checked, listed and trusted."""

import json
import os
import re
import signal
import stat

from peer import check
from room import HOST

TITLE = "a killed server goes on, and its journal is checked, listed and guarded"
SEGMENT = "000000000001.journal"
LOTS = ("--seconds", "3", "--pause", "60", "--lot", "Vase", "--lot", "Clock")


def play(room):
    folder = os.path.join(room.folder, "journal")
    tokens, price = bid_and_be_killed(room, folder)
    winner = go_on(room, folder, tokens, price)
    look(room, folder, winner)
    check_times(folder)
    refuse_a_second_server(room, folder)
    cut_an_unfinished_line(room, folder)
    refuse_a_damaged_journal(room, folder)


def serve(room, folder, said):
    """Starts a server in the folder, which first says what it found there."""
    server = room.serve("--data", folder, *LOTS)
    heard = server.errors.lines
    check(any(re.fullmatch(said, line) for line in heard), f"at the start no {said!r}: {heard}")
    return server


def kill(server):
    server.process.kill()
    code = server.exit_code()
    check(code == -signal.SIGKILL, f"the server exited {code} before it was killed")


def bid_and_be_killed(room, folder):
    """The tokens of alice and carol, and the last price that was told."""
    server = serve(room, folder, r".* event=new-journal folder=.+")
    check_modes(folder)
    alice, bob, carol = (room.connect(name) for name in ("alice", "bob", "carol"))
    tokens = [peer.demand(f"name {peer.name}", r"OK name .+").split()[-1]
              for peer in (alice, bob, carol)]
    alice.demand("bid 100", r"OK bid 100")
    bob.demand("bid 110", r"OK bid 110")
    alice.demand("bid 120", r"OK bid 120")
    price = alice.expect(r"PRICE 120 alice \S+ 3")
    kill(server)
    for peer in (alice, bob, carol):
        peer.expect_end()
    return tokens, price


def check_modes(folder):
    """Fails unless nobody but its owner can look into the folder."""
    paths = [os.path.join(folder, name) for name in ("lock", SEGMENT)]
    for path, expected in ((folder, 0o700), *((path, 0o600) for path in paths)):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        check(mode == expected, f"the mode of {path} is {mode:o}, not {expected:o}")


def check_times(folder):
    """Fails unless the journal tells the time of day again whenever a second has passed."""
    with open(os.path.join(folder, SEGMENT), encoding="utf-8") as lines:
        times = [line.split()[3] for line in lines if " TIME " in line]
    check(len(times) >= 4 and times == sorted(set(times)), f"the times are {times}")


def go_on(room, folder, tokens, price):
    """The lot that was open goes on to its hammer; the line of its winner."""
    server = serve(room, folder, r".* event=recovered .*\blot 1 open at 120 by alice, "
                                 r"3 bids\" milliseconds=\d+")
    alice, bob, carol = (room.connect(name) for name in ("alice again", "bob again", "carol again"))
    alice.demand("ping", r"OK ping")
    check(alice.lines[1:4] == ["LOT 1 Vase", price, "COUNTDOWN 3"],
          f"a newcomer is told {alice.lines[1:4]}")
    alice.demand("name alice", r"ERROR name-taken .+")
    alice.demand(f"name alice {tokens[1]}", r"ERROR wrong-token .+")
    alice.demand(f"name alice {tokens[0]}", rf"OK name alice {tokens[0]}")
    alice.demand("bid 120", r"OK bid 120")
    alice.demand("bid 121", r"ERROR leading price=120 .+")
    bob.demand(f"name bob {tokens[1]}", rf"OK name bob {tokens[1]}")
    fresh = carol.demand("name carol", r"OK name carol .+").split()[-1]
    check(fresh != tokens[2], "a name without a bid has kept its token")
    bob.demand("bid 130", r"OK bid 130")
    bob.demand("laps", r"OK laps 4")
    winner = alice.expect(r"WINNER bob 130 \d\d:\d\d\.\d Vase")
    server.stop()
    return winner


def look(room, folder, winner):
    """What can be learnt from the folder while no server is at work there."""
    before = contents(folder)
    summary = ask(room, "--check", folder)
    check(len(summary) == 1, f"--check says {summary}")
    time = winner.split()[3]
    table = ask(room, "--results", folder)
    check(len(table) == 2 and table[1].split() == ["1", "bob", "130", time, "Vase"],
          f"--results says {table}")
    lines = [json.loads(line) for line in ask(room, "--results", folder, "--json")]
    expected = {"type": "winner", "lot": 1, "bidder": "bob", "amount": 130, "title": "Vase"}
    check(len(lines) == 1 and {**lines[0], **expected} == lines[0], f"--results says {lines}")
    check(contents(folder) == before, "a look at the folder changed it")


def ask(room, *flags, expected=0):
    """What the server says to these flags: on standard error if it should fail."""
    server = room.run_server(*flags)
    code = server.exit_code()
    check(code == expected, f"{flags}: exited {code}: {server.lines + server.errors.lines}")
    return server.errors.lines if expected else server.lines


def refuse_a_second_server(room, folder):
    server = serve(room, folder, r".* event=recovered .* summary=\"1 lot\b.* milliseconds=\d+")
    watcher = room.connect("watcher")
    watcher.demand("ping", r"OK ping")
    before = contents(folder)
    said = start_in_vain(room, folder, 2)
    check(len(said) == 1 and re.search(rf"\b{server.process.pid}\b", said[0]),
          f"a second server said {said}, which lacks {server.process.pid}")
    check(contents(folder) == before, "a second server changed the folder")
    watcher.demand("ping", r"OK ping")
    kill(server)


def cut_an_unfinished_line(room, folder):
    with open(os.path.join(folder, SEGMENT), "ab") as file:
        file.write(b"99 0badcafe PRI")
    before = contents(folder)
    ask(room, "--check", folder)
    check(contents(folder) == before, "--check cut the unfinished line")
    kill(serve(room, folder, rf".* level=warning event=cut bytes=15 file=.*{SEGMENT}"))
    check(b"0badcafe" not in contents(folder)[SEGMENT], "the unfinished line is still there")


def refuse_a_damaged_journal(room, folder):
    """Fails unless a flipped bit far from the end stops the server, which then changes nothing."""
    path = os.path.join(folder, SEGMENT)
    sound = contents(folder)[SEGMENT]
    place = sound.index(b" PRICE 110 bob ") + len(b" PRICE 1")
    overwrite(path, sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1:])
    before = contents(folder)
    for said in (start_in_vain(room, folder, 1), ask(room, "--check", folder, expected=1),
                 ask(room, "--results", folder, expected=1)):
        named = re.search(rf"{SEGMENT}, byte (\d+), line (\d+)", said[0])
        check(len(said) == 1 and named, f"of a damaged journal it said {said}")
        line = sound.count(b"\n", 0, place) + 1
        start = sound.rfind(b"\n", 0, place) + 1
        check(int(named[2]) == line and start <= int(named[1]) <= place,
              f"the damage is in byte {place}, line {line}: {said}")
    check(contents(folder) == before, "a damaged journal was changed")
    overwrite(path, sound)
    kill(serve(room, folder, r".* event=recovered .+"))


def start_in_vain(room, folder, expected):
    return ask(room, "--host", HOST, "--port", "0", "--data", folder, expected=expected)


def overwrite(path, data):
    with open(path, "wb") as file:
        file.write(data)


def contents(folder):
    """The bytes of every file but the lock, which says who looked last."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name != "lock":
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = file.read()
    return found
