"""A whole game with purses and values over four formats: a page, nc, auction-client and bots, to the champion.

The journal and the table of results must have what was received.
"""

import contextlib
import os
import re

import webdriver
from checks import check
from history import compare, history_of_observer
from journal import Journal, check_with_server, run_server
from judge import Judge
from page import AuctionPage
from programs import HOST

TITLE = "a game over four formats with a page, nc, a client and bots; its champion, standings and table of results"
PROGRAMS = ("client",)
NEEDS = (*webdriver.NEEDS, "nc -N")
LOTS = """\
Blue vase   seconds=3 reserve=20 buy=400 longest=3
Lamp        format=vickrey seconds=4
Chair       format=dutch start=200 step=20 seconds=4
Clock       format=sealed seconds=4 reserve=10
"""
PURSE = 1000
BOTS = ("bots", "3", "--strategy", "truthful,jumper,shader", "--seed", "1", "--delay", "0")


def play(testbed):
    folder, path = os.path.join(testbed.folder, "data"), os.path.join(testbed.folder, "lots")
    with open(path, "w", encoding="ascii") as file:
        file.write(LOTS)
    server = testbed.serve("--data", folder, "--lots-file", path, "--purse", str(PURSE), "--worth", "50..150",
                           "--pause", "1")
    observer = testbed.connect("observer")
    observer.send_lines("format json", "status")
    carol = testbed.spawn("carol", "nc", HOST, str(testbed.port))
    carol.request("name carol", r"OK name carol .+")
    dave = testbed.client("dave", "--name", "dave", "play")
    alice = AuctionPage(testbed, "alice").enter()
    bots = testbed.client("bots", *BOTS)
    bid(carol, dave, alice)
    carol.expect(r"OVER 4")
    champion = carol.expect(r"CHAMPION \S+ -?\d+")
    carol.request("standings", r"OK standings \d")
    check(champion.split()[1] in alice.run("return document.body.innerText"), "the page does not show the champion")
    alice.check_clean()
    with contextlib.suppress(BrokenPipeError):
        dave.send_lines("quit")
    server.stop()
    bots.exit_code()
    judge(testbed, folder, observer, carol)


def bid(carol, dave, alice):
    """Each of the three bids in the ways of the format."""
    carol.request("bid 20", r"OK bid 20|ERROR (too-low|outbid) .+")
    dave.request("max 90", r"OK max 90|ERROR (too-low|outbid) .+")
    carol.request("say good luck", r"OK say")
    carol.expect(r"LOT 2 Lamp")
    carol.expect(r"WORTH \d+")
    carol.request("bid 60", r"OK bid 60")
    dave.request("bid 80", r"OK bid 80")
    alice.expect("#lot", "Lamp")
    alice.bid(75)
    carol.request("max 90", r"ERROR wrong-format .+")
    carol.expect(r"REVEALED 60 carol")
    carol.expect(r"LOT 3 Chair")
    carol.request("bid 1", r"ERROR too-low minimum=\d+ .+")
    carol.expect(r"ASK \d+|WINNER .+")
    dave.request("take", r"OK take \d+|ERROR closed .+")
    carol.expect(r"LOT 4 Clock")
    carol.request(f"bid {PURSE + 1}", r"ERROR over-purse left=\d+ .+")
    carol.request("bid 70", r"OK bid 70")
    dave.request("bid 65", r"OK bid 65")


def judge(testbed, folder, observer, carol):
    journal = Journal(folder).read()
    history = journal.history
    compare(history, history_of_observer(observer.connection))
    Judge(journal.rooms, {"carol"}).judge([observer.connection, carol.connection], {})
    formats = re.findall(r"^TERMS format=(\w+)", "\n".join(history.words), re.MULTILINE)
    check(formats == ["english", "vickrey", "dutch", "sealed"], f"the lots were {formats}")
    bidders = {words.split()[2] for words in history.words if re.match(r"PRICE|REVEALED", words)}
    check(len(bidders) > 3, f"only {bidders} have bid")
    check_with_server(testbed.server_path, folder, history)
    rows = [row.split(",")[:2] for row in run_server(testbed.server_path, "--results", folder, "--csv").splitlines()]
    lots = [lot for kind, lot in rows if kind == "lot"]
    check(lots == ["1", "2", "3", "4"], f"the table has the lots {lots}")
