"""A journal's folder and the programs that meet there: one server at a time, and none if it is damaged."""

import os
import re
import stat

from checks import check
from programs import HOST

TITLE = "a killed server goes on; a second server and a damaged journal are refused"
SEGMENT = "000000000001.journal"


def play(bed):
    folder = os.path.join(bed.folder, "journal")
    token = bid_and_kill(bed, folder)
    check_private(folder)
    go_on(bed, folder, token)
    refuse_a_second_server(bed, folder)
    refuse_damage(bed, folder)


def bid_and_kill(bed, folder):
    server = bed.serve("--data", folder, "--seconds", "60", "--lot", "Vase")
    alice, bob = bed.connect("alice"), bed.connect("bob")
    token = alice.demand("name alice", r"OK name .+").split()[-1]
    bob.demand("name bob", r"OK name .+")
    for peer, amount in ((alice, 100), (bob, 110), (alice, 120)):
        peer.demand(f"bid {amount}", rf"OK bid {amount}")
    server.process.kill()
    server.exit_code()
    return token


def check_private(folder):
    """Only the owner may read the journal."""
    for path, expected in ((folder, 0o700), (f"{folder}/lock", 0o600), (f"{folder}/{SEGMENT}", 0o600)):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        check(mode == expected, f"the mode of {path} is {mode:o}, not {expected:o}")


def go_on(bed, folder, token):
    server = bed.serve("--data", folder, "--seconds", "60", "--lot", "Vase")
    check(any("lot 1 open at 120 by alice, 3 bids" in line for line in server.errors.lines),
          f"at the start it printed {server.errors.lines}")
    alice = bed.connect("alice again")
    alice.demand(f"name alice {token}", rf"OK name alice {token}")
    alice.demand("bid 120", r"OK bid 120")
    server.process.kill()
    server.exit_code()


def refuse_a_second_server(bed, folder):
    server = bed.serve("--data", folder)
    # By the first reply the first turn is in the journal.
    bed.connect("carol").demand("ping", "OK ping")
    before = contents(folder)
    printed = run(bed, 2, "--host", HOST, "--port", "0", "--data", folder)
    check(len(printed) == 1 and re.search(rf"\b{server.process.pid}\b", printed[0]),
          f"a second server printed {printed}, without the number {server.process.pid}")
    check(contents(folder) == before, "a second server changed the folder")
    server.process.kill()
    server.exit_code()


def refuse_damage(bed, folder):
    """A flipped bit far from the end: exit code 1, one line that names the place, and nothing is changed."""
    sound = contents(folder)[SEGMENT]
    place = sound.index(b" PRICE 110 bob ") + len(b" PRICE 1")
    with open(os.path.join(folder, SEGMENT), "wb") as file:
        file.write(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1:])
    before = contents(folder)
    line = sound.count(b"\n", 0, place) + 1
    for flags in (("--host", HOST, "--port", "0", "--data", folder), ("--check", folder), ("--results", folder)):
        printed = run(bed, 1, *flags)
        check(len(printed) == 1 and re.search(rf"{SEGMENT}, byte \d+, line {line}\b", printed[0]),
              f"of damage in line {line} {flags[0]} printed {printed}")
    check(contents(folder) == before, "a damaged journal was changed")


def run(bed, expected, *flags):
    """What the server prints on standard error; fails unless it has this exit code."""
    server = bed.run_server(*flags)
    code = server.exit_code()
    check(code == expected, f"{flags}: exit code {code}: {server.lines + server.errors.lines}")
    return server.errors.lines


def contents(folder):
    """The bytes of every file but the lock, which names its last holder."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name != "lock":
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = file.read()
    return found
