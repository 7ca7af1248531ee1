"""A journal's folder: a killed server continues; a second server, damage and a full disk have their exit codes."""

import os
import re
import stat
import subprocess

from checks import check
from journal import Journal, hash_of
from programs import HOST
from protocol import news_of

TITLE = "a killed server continues; a second server, a damaged journal and a full disk are reported"
NEEDS = ("prlimit",)
SEGMENT = "000000000001.journal"
LARGEST_FILE, LIMIT_SIGNAL = 1 << 16, "trap '' XFSZ"
"""A write beyond this many bytes fails, once the signal is ignored that would kill the process instead."""
BIDS_AT_ONCE = 500


def play(testbed):
    folder = os.path.join(testbed.folder, "journal")
    token = bid_and_kill(testbed, folder)
    check_modes(folder)
    check_secrecy(folder, token)
    continue_and_refuse_a_second_server(testbed, folder, token)
    refuse_damage(testbed, folder)
    fill_the_disk(testbed, os.path.join(testbed.folder, "full"))


def bid_and_kill(testbed, folder):
    server = testbed.serve("--data", folder, "--seconds", "60", "--lot", "Vase")
    alice, bob = testbed.connect("alice"), testbed.connect("bob")
    token = alice.request("name alice", r"OK name .+").split()[-1]
    bob.request("name bob", r"OK name .+")
    for peer, amount in ((alice, 100), (bob, 110), (alice, 120)):
        peer.request(f"bid {amount}", rf"OK bid {amount}")
    server.kill()
    return token


def check_modes(folder):
    """Only the owner may read the journal."""
    for path, expected in ((folder, 0o700), (f"{folder}/lock", 0o600), (f"{folder}/{SEGMENT}", 0o600)):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        check(mode == expected, f"the mode of {path} is {mode:o}, not {expected:o}")


def check_secrecy(folder, token):
    """Who reads the journal cannot take a name: it has the hash of a token, and not the token."""
    with open(f"{folder}/{SEGMENT}", encoding="utf-8") as file:
        lines = file.read()
    check(token not in lines and f" NAME alice {hash_of(token)}" in lines, "the journal has the token, or not its hash", lines)


def continue_and_refuse_a_second_server(testbed, folder, token):
    server = testbed.serve("--data", folder, "--seconds", "60", "--lot", "Vase")
    check(any("lot 1 open at 120 by alice, 3 bids" in line for line in server.errors.lines),
          f"at the start it printed {server.errors.lines}")
    alice = testbed.connect("alice again")
    alice.request(f"name alice {token}", rf"OK name alice {token}")
    alice.request("bid 120", r"OK bid 120")
    before = contents(folder)
    printed = run(testbed, 2, "--host", HOST, "--port", "0", "--data", folder)
    check(len(printed) == 1 and re.search(rf"\b{server.process.pid}\b", printed[0]),
          f"a second server printed {printed}, without the number {server.process.pid}")
    check(contents(folder) == before, "a second server changed the folder")
    server.kill()


def refuse_damage(testbed, folder):
    """A flipped bit far from the end: exit code 1, one line that names the place, and nothing is changed."""
    sound = contents(folder)[SEGMENT]
    place = sound.index(b" PRICE 110 bob ") + len(b" PRICE 1")
    with open(os.path.join(folder, SEGMENT), "wb") as file:
        file.write(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1:])
    before = contents(folder)
    line = sound.count(b"\n", 0, place) + 1
    for flags in (("--host", HOST, "--port", "0", "--data", folder), ("--check", folder), ("--results", folder)):
        printed = run(testbed, 1, *flags)
        check(len(printed) == 1 and re.search(rf"{SEGMENT}, byte \d+, line {line}\b", printed[0]),
              f"of damage in line {line} {flags[0]} printed {printed}")
    check(contents(folder) == before, "a damaged journal was changed")


def fill_the_disk(testbed, folder):
    """Where a write fails, the server exits 4, and no client received an event that is not in the journal."""
    without_signal = ("sh", "-c", f'{LIMIT_SIGNAL}; exec "$@"', "sh")
    server = testbed.serve("--seconds", "60", "--self-raise", "allow", "--data", folder, through=without_signal)
    # Limited only once it runs, because under a sanitizer it maps a larger file as it starts.
    subprocess.run(["prlimit", f"--pid={server.process.pid}", f"--fsize={LARGEST_FILE}:{LARGEST_FILE}"], check=True)
    observer, alice = testbed.connect("observer"), testbed.connect("alice")
    alice.request("name alice", r"OK name .+")
    amount = 0
    while not alice.has_ended:
        alice.send_lines(*(f"bid {amount + step}" for step in range(1, BIDS_AT_ONCE + 1)), f"#{amount} ping")
        answer = f"OK #{amount} ping"
        testbed.wait(lambda: alice.has_ended or answer in alice.lines, "bids are not answered")
        amount += BIDS_AT_ONCE
        check(amount < LARGEST_FILE, "the journal never reaches its limit")
    server.check_exit(4)
    server.errors.expect(r".* level=error event=journal .*(File too large|only \d+ of \d+ bytes).*")
    stored = Journal(folder).read().history.words
    for peer in (observer, alice):
        peer.expect_end()
        check(peer.lines[-1] == "BYE journal", f"{peer.name}: the last line is {peer.lines[-1]!r}")
        news = news_of(peer.lines)
        check(news == stored[:len(news)], f"{peer.name}: received what is not in the journal", *set(news) - set(stored))
    accepted = sum(line.startswith("OK bid ") for line in alice.lines)
    check(accepted <= sum(words.startswith("PRICE ") for words in stored), "an accepted bid is not in the journal")


def run(testbed, expected, *flags):
    """What the server prints on standard error; fails unless it has this exit code."""
    server = testbed.run_server(*flags)
    server.check_exit(expected)
    return server.errors.lines


def contents(folder):
    """The bytes of every file but the lock, which names its last holder."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name != "lock":
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = file.read()
    return found
