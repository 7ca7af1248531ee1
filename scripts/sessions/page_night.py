"""A game night in browsers: a big screen, four phones, two bots and a bidder of lines, over a killed server to a rematch."""

import importlib.util
import os
import sys

import webdriver
from checks import check
from page import AuctionPage
from programs import ROOT
from room_page import REFUSED

sys.path.append(os.path.join(ROOT, ".build", "tools"))

TITLE = "a night on a big screen: QR code, four phones, bots, a killed server, a reaction, the podium, a rematch"
NEEDS = webdriver.NEEDS
TOKEN = "0123456789abcdef" * 2
PHONES = ("alice", "bob", "zoe", "max")
PEOPLE = len(PHONES) + 3
"""With the bidder of lines and two bots."""
LOTS = 3
PURSE = 90 * LOTS // PEOPLE
"""The purse that `auto` makes of values of 100 on average."""
TIME_OF_NIGHT = 120
"""Seconds that three lots with their bids and a restart may take."""


def missing_requirement(_):
    """What is missing, in words; empty if nothing."""
    return "" if importlib.util.find_spec("cv2") else "no OpenCV in .build/tools: scripts/test fetches it"


def play(testbed):
    flags = ("--night", "--lots", str(LOTS), "--seconds", "4", "--pause", "3", "--seed", "1",
             "--data", os.path.join(testbed.folder, "journal"), "--auctioneer-token-file", testbed.secret("key", TOKEN))
    server = testbed.serve(*flags, port=testbed.free_port())
    screen = open_screen(testbed)
    nina = testbed.bidder("nina")
    nina.request("display Nína", "OK display Nína")
    link = scan(screen)
    phones = [enter(testbed, name, link) for name in PHONES]
    testbed.client("bots", "bots", "2", "--delay", "0.3")
    screen.expect("#here", f"^{PEOPLE} bidders are here$")
    screen.expect("#faces", "Nína")
    screen.screenshot("night-lobby")
    set_up(phones[0])
    bid_and_react(screen, nina)
    lose_server(testbed, server, flags, screen, phones)
    end(screen)
    command(testbed, "rematch")
    screen.wait("return auction.model.state.games === 2 && document.body.dataset.view === 'play'",
                "the rematch does not begin")
    screen.expect("#place", "Lot 1 of 3 · Game 2")
    for page in (screen, *phones):
        page.check_clean(REFUSED)


def open_screen(testbed):
    """The screen waits for bidders without any input."""
    screen = AuctionPage(testbed, "screen", is_watched=False)
    screen.resize(1920, 1080)
    screen.open("/screen")
    expect_view(screen, "lobby")
    screen.expect("#here", "nobody is here yet")
    return screen


def scan(screen):
    """The address that a phone reads off the screen."""
    import cv2

    screen.wait("const image = document.querySelector('#lobby .code');"
                "return image.complete && image.naturalWidth > 0", "no QR code")
    link, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.imread(screen.screenshot("night-code")))
    check(link.startswith("http://"), f"the QR code says {link!r}")
    return link


def enter(testbed, name, link):
    """A phone that opens the link of the QR code, and takes its name."""
    phone = AuctionPage(testbed, name, is_watched=False)
    phone.resize(360, 740)
    phone.open(link)
    phone.expect_phase("live")
    phone.type("#name", name)
    phone.press("Enter")
    phone.expect("#me", f"^{name}$")
    return phone


def set_up(host):
    """The host's phone gives a lot a title, and starts the game."""
    host.sign_in(TOKEN)
    host.type("#titles li:nth-child(2) input", "Blue vase")
    host.press("Tab")
    host.expect("#answer", "lot 2 is now Blue vase")
    host.wait("return auction.model.state.next[1] === 'Blue vase'", "the lot has another title")
    host.click("#begin")


def command(testbed, word):
    """The host of the night, on a connection of its own."""
    host = testbed.connect("host", waits=False)
    host.request(f"auctioneer {TOKEN}", "OK auctioneer")
    host.request(word, f"OK {word}")


def bid_and_react(screen, nina):
    """A bid of `nc` leads on the screen under the bidder's own name, and a reaction floats over it.

    It is the whole purse, so that nobody can bid more.
    """
    expect_view(screen, "play")
    nina.request(f"bid {PURSE}", f"OK bid {PURSE}")
    nina.request("react 👏", "OK react 👏")
    screen.wait("return document.querySelector('#floats i')?.textContent.includes('👏')", "no reaction floats")
    screen.expect("#bids", f"{PURSE} Nína")
    screen.screenshot("night-play")


def lose_server(testbed, server, flags, screen, phones):
    """Without its server the screen counts nothing down; then everybody is back alone."""
    server.kill()
    screen.expect("#notice", "connection lost|connecting")
    check(screen.run("return document.querySelector('#seconds').textContent") == "", "the screen counts on")
    testbed.serve(*flags, port=testbed.port)
    for page in (screen, *phones):
        page.expect_phase("live")


def end(screen):
    """At the end three stand on the podium, and the awards are read out below."""
    screen.wait("return document.body.dataset.view === 'podium'", "no podium", seconds=TIME_OF_NIGHT)
    screen.expect("#champion", "champion|wins|best")
    screen.expect("#places", ".")
    screen.expect("#awards", "bargain|closest|dear|overpa")
    screen.screenshot("night-podium")


def expect_view(screen, view):
    screen.wait("return document.body.dataset.view === arguments[0]", f"the screen does not show {view}", view)
