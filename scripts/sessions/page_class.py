"""A class in the browser: what a student reads, answers and plays, and what the teacher sees and orders at the desk."""

import os

import webdriver
from checks import check
from page import AuctionPage
from page_view import check_access, check_width
from webdriver import Chromium

TITLE = "a class: instructions, a question, rounds in groups, the desk with its charts, the projector, links of a roster"
NEEDS = webdriver.NEEDS
TOKEN = "0123456789abcdef" * 2
FILE = """
title Prices and values
groups 2
rounds 1 practice, 2 sealed
seconds 4
pause 3
show instructions, standings after each round
"""
NAMES = ("bob", "carol", "dan", "eve")
ROSTER = "alice\nbob  # late\nzoe Zoë Müller\n"
PHONES = ((320, 568), (360, 740))


def play(testbed):
    testbed.serve("--class", write(testbed, "class.txt", FILE), "--auctioneer-token-file", testbed.secret("token", TOKEN), "--data", "none")
    alice, desk = AuctionPage(testbed, "alice"), Chromium(testbed, "desk")
    open_desk(desk)
    alice.prefer(reduced_motion="reduce")
    alice.open("/class")
    alice.type("#name", "alice")
    alice.press("Enter")
    alice.expect("#me", "^alice$")
    peers = [join(testbed, name) for name in NAMES]
    desk.expect("#students-title", "^5 students here$")
    remove(desk, peers.pop())
    check(enabled_orders(desk) == ["start"], "other orders than start can be given before the class begins")
    desk.click("#orders [value=start]")
    read(alice, peers, desk)
    play_round(alice, peers, 1)
    play_round(alice, peers, 2)
    see_data(desk)
    play_round(alice, peers, 3)
    alice.expect("#standing-text", "champion")
    desk.expect("#detail", "is over: 4 students took part")
    project(desk)
    alice.check_clean()
    desk.check_clean()
    open_links(testbed)


def write(testbed, name, text):
    """The path of a file with this text."""
    path = os.path.join(testbed.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def open_desk(desk):
    """The link's key leaves the address, and signs the teacher in."""
    desk.resize(1366, 768)
    desk.open(f"/class/desk#key={TOKEN}")
    desk.wait("return auction.connection.isAuctioneer", "the key does not sign in")
    check(desk.run("return location.hash") == "", "the key stays in the address")
    desk.expect("#headline", "^Prices and values$")
    desk.expect("#detail", "nobody is here yet")
    desk.run("location.hash = 'key=' + '0'.repeat(32)")
    desk.expect("#desk-note", "^this key is wrong or old: ")
    desk.run(f"location.hash = 'key={TOKEN}'")
    desk.wait("return location.hash === '' && document.querySelector('#desk-note').dataset.kind === ''", "a pasted link does not sign in")


def enabled_orders(desk):
    return desk.run("return [...document.querySelectorAll('#orders button:enabled')].map(each => each.value)")


def join(testbed, name):
    peer = testbed.connect(name)
    peer.request("join class", "OK join class")
    peer.request(f"name {name}", rf"OK name {name} .+")
    return peer


def remove(desk, peer):
    desk.click("#people li:last-child button")
    desk.expect("#confirm-text", f"remove {peer.name}")
    desk.click("#confirm [value=yes]")
    peer.expect("BYE kicked")
    desk.expect("#students-title", "^4 students here$")


def read(alice, peers, desk):
    """A wrong answer may be followed by another one; the round waits until all are ready."""
    alice.expect("#lesson", "first price .* value .* how much do you earn")
    show(alice, "lesson", *PHONES)
    right = alice.run("return auction.model.round.instructions.right")
    answers = [f"#answers button:nth-child({index + 1})" for index in range(3)]
    alice.click(answers[(right + 1) % 3])
    alice.expect("#answer", "^not quite: ")
    alice.click(answers[right])
    alice.expect("#lesson", r"ready\. The round begins when all are\.$")
    desk.expect("#detail", "1 of 4 have read the instructions")
    desk.expect("#people", "bob reads .* alice ready")
    show(alice, "ready", *PHONES)
    for peer in peers:
        peer.request("ready", "OK ready")


def play_round(alice, peers, number):
    """All meet in their groups, also after a lost connection, and come back."""
    practice = "practice · " if number == 1 else ""
    alice.expect("#standing-text", rf"^round {number} of 3 · {practice}Prices and values sealed bids\. Groups of 2\.$")
    alice.expect("#lot-number", rf"^round {number} of 3 · {practice}group \d of 2, 2 bidders · ")
    if number == 2:
        alice.run("auction.connection.reconnect()")
        alice.expect("#lot-number", r"group \d of 2")
    check(alice.run("return location.pathname") == "/rooms/class", "the address is that of a group")
    alice.press_button("#bid")
    for peer in peers:
        peer.request("bid 60", "OK bid 60")
    alice.expect("#standing-text", "won|yours")


def see_data(desk):
    """After a round that is no practice its bids are drawn; a table can be saved."""
    desk.wait("return document.querySelectorAll('#scatter circle').length === 4", "the desk does not draw 4 bids")
    chosen = desk.run("return document.querySelector('#treatment').selectedOptions[0].textContent")
    check(chosen == "1. Sealed bids", f"the bids of {chosen!r} are drawn")
    texts = desk.run("return [...document.querySelectorAll('svg')].map(each => each.getAttribute('aria-label'))")
    check(len(texts) == 3 and "in equilibrium" in texts[1], f"the charts say {texts}")
    links = desk.run("return [...document.querySelectorAll('#tables a')].map(each => each.href.split(':')[0])")
    check(links == ["blob", "blob"], f"the tables are at {links}")
    show(desk, "desk", (1366, 768))


def project(desk):
    """The projector shows neither names nor buttons."""
    desk.open("/class/screen")
    desk.wait("return document.querySelectorAll('#scatter circle').length === 8", "the projector does not draw 8 bids")
    desk.expect("#detail", "took part")
    desk.expect("#students-title", "^4 students here$")
    shown = desk.run("return [...document.querySelectorAll('button, a, input, select, #people li')]"
                     ".filter(each => each.checkVisibility()).map(each => each.outerHTML)")
    check(not shown, f"the projector shows {shown}")
    show(desk, "projector", (1366, 768), (1920, 1080))


def open_links(testbed):
    """Who opens a link of the roster has its name; all together begin the class. A killed server has the same links."""
    flags = ("--class", write(testbed, "class.txt", FILE), "--roster", write(testbed, "names.txt", ROSTER),
             "--data", os.path.join(testbed.folder, "data"))
    server = testbed.serve(*flags)
    links = links_of(server)
    zoe = AuctionPage(testbed, "zoe")
    zoe.open("/class#name=bob&token=" + "0" * 32)
    zoe.expect("#name-note", "^this link is incomplete or old: ")
    zoe.open(links["zoe"])
    zoe.expect("#me", "^Zoë Müller$")
    address = zoe.run("return location.pathname + location.hash")
    check(address == "/rooms/class", f"the link leaves {address} in the address")
    come(testbed, "bob", links)
    server.kill()
    server = testbed.serve(*flags, port=testbed.port)
    check(links_of(server) == links, "the links are others after a restart")
    zoe.expect_phase("live")
    zoe.expect("#me", "^Zoë Müller$")
    come(testbed, "bob", links)
    zoe.expect("#standing-text", "waiting")
    come(testbed, "alice", links)
    zoe.expect("#lesson", "first price")
    log = [line for line in server.errors.lines if any(link.split("=")[-1] in line for link in links.values())]
    check(not log, "the log has a token", *log)


def links_of(server):
    """The links that a server prints, by the names of the roster."""
    server.expect("zoe .+")
    return dict(line.split() for line in server.lines if "#name=" in line)


def come(testbed, name, links):
    """Takes a name of the roster by hand, which needs the token of its link."""
    peer = testbed.connect(name)
    peer.request("join class", "OK join class")
    peer.request(f"name {name}", "ERROR name-taken .+")
    token = links[name].split("=")[-1]
    peer.request(f"name {name} {token}", f"OK name {name} {token}")


def show(page, name, *sizes):
    for width, height in sizes:
        page.resize(width, height)
        page.screenshot(f"class-{name}-{width}")
        check_width(page, width)
        check_access(page, width, name)
