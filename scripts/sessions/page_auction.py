"""Two pages, nc and auction-client in one sale; a killed server, pages that sleep, an auctioneer, a stranger."""

import os
import re
import signal
import time

import webdriver
from checks import check
from page import AuctionPage
from programs import HOST
from webdriver import Chromium, Files, serving

TITLE = "two pages, nc and a client to the hammer; a killed server, sleeping pages, an auctioneer, another origin"
PROGRAMS = ("client",)
NEEDS = (*webdriver.NEEDS, "nc -N")
LOTS = ("--lot", "Blue vase", "--lot", "Clock")
TOKEN = "0123456789abcdef" * 2
LOST = r"ERR_CONNECTION|Connection closed|Page entered Back-Forward Cache|ERR_SOCKET_NOT_CONNECTED"
"""What Chromium itself writes into the console when a connection is lost or refused."""
WAKE_SECONDS, TRIES = 1.0, 3
"""How much later than a page that is awake one that slept is right; a busy machine may make the first tries late."""


def play(testbed):
    folder = os.path.join(testbed.folder, "journal")
    flags = ("--data", folder, "--pause", "4", *LOTS, "--auctioneer-token-file", testbed.secret("key", TOKEN))
    server = testbed.serve("--seconds", "8", *flags, port=testbed.free_port())
    carol = testbed.spawn("carol", "nc", HOST, str(testbed.port))
    carol.request("name carol", r"OK name carol .+")
    dave = testbed.client("dave", "--name", "dave", "play")
    dave.expect("LOT 1 Blue vase")
    alice, bob = (AuctionPage(testbed, name).enter() for name in ("alice", "bob"))
    sell(carol, dave, alice, bob)
    server = kill(testbed, server, flags, alice, bob)
    stand_still(server, alice, bob)
    for sleep, wake in (close_lid, open_lid), (AuctionPage.hide, AuctionPage.show), (AuctionPage.freeze, AuctionPage.thaw):
        check_waking(alice, bob, sleep, wake)
    open_second_tab(testbed, alice)
    command(alice, bob)
    for page in (alice, bob):
        page.check_clean(LOST)
    refuse_another_origin(testbed)


def sell(carol, dave, alice, bob):
    """Bids of two pages, nc and the client: both pages show the same price and who leads, to the hammer."""
    alice.bid(100)
    expect_leader("alice", 100, alice, bob)
    bob.bid(50)
    bob.expect("#answer", r"at least 101")
    bob.raise_by_one_tap()
    expect_leader("bob", 101, alice, bob)
    carol.request("bid 200", r"OK bid 200")
    expect_leader("carol", 200, alice, bob)
    dave.request("bid 210", r"OK bid 210")
    expect_leader("dave", 210, alice, bob)
    alice.bid(1220)
    expect_leader("alice", 1220, alice, bob)
    bob.expect("#call", "going once")
    bob.expect("#call", "going twice")
    alice.expect_standing("^yours for 1,220")
    bob.expect_standing("alice won it")
    for peer in (carol, dave):
        peer.expect(r"WINNER alice 1220 .+ Blue vase")


def expect_leader(name, price, *pages):
    """Each page shows the price, and whether its own bidder leads or was outbid."""
    for page in pages:
        page.expect_price(price)
        page.expect_standing("you lead" if page.name == name else f"outbid|{name} leads")


def kill(testbed, server, flags, alice, bob):
    """Each page finds the new server by itself: no news is missing or doubled, and it has its name again."""
    for page in (alice, bob):
        page.expect("#lot", "Clock")
    alice.bid(10)
    expect_leader("alice", 10, alice, bob)
    bob.bid(20)
    expect_leader("bob", 20, alice, bob)
    server.kill()
    for page in (alice, bob):
        page.expect_phase("lost")
        check_stillness(page)
    server = testbed.serve("--seconds", "60", *flags, port=testbed.port)
    zoe = testbed.bidder("zoe")
    zoe.request("bid 30", r"OK bid 30")
    for page in (alice, bob):
        page.expect_phase("live")
        page.expect_price(30)
        page.expect("#me", rf"^{page.name}$")
    alice.bid(40)
    expect_leader("alice", 40, alice, bob)
    for page in (alice, bob):
        page.check_continuity()
    check(alice.laps() == bob.laps() and len(alice.laps()) == 4, f"alice sees {alice.laps()}, bob {bob.laps()}")
    return server


def check_stillness(page):
    """Without a connection nothing looks live: no seconds run, and the strip says when the page tries again."""
    page.expect_standing("connection lost reconnecting")
    page.expect("#seconds", "^–$")
    page.wait("return !document.querySelector('#call').textContent.trim()", "the page says that time runs")
    moves = page.run("return document.getAnimations().filter(each => each.effect.target.id === 'bar').length")
    check(not moves, "the bar runs on without a connection")
    page.expect("#standing", "in [0-9]+ s try now")


def stand_still(server, alice, bob):
    """A server that stands still is missed after the second that it has promised, and found when it goes on."""
    server.process.send_signal(signal.SIGSTOP)
    for page in (alice, bob):
        page.expect("#link-text", "silent")
    server.process.send_signal(signal.SIGCONT)
    for page in (alice, bob):
        page.expect_phase("live")
    bob.raise_by_one_tap()
    expect_leader("bob", 41, alice, bob)
    for page in (alice, bob):
        page.check_continuity()


def check_waking(alice, bob, sleep, wake):
    """A page that slept while others bid is right a second after it wakes.

    How long a page that is awake takes is measured with each try, because it depends on the machine.
    """
    for _ in range(TRIES):
        start = time.monotonic()
        alice.raise_by_one_tap()
        bob.expect_standing("outbid")
        awake = time.monotonic() - start
        sleep(alice)
        bob.raise_by_one_tap()
        bob.expect_standing("you lead")
        wake(alice)
        start = time.monotonic()
        alice.expect_standing("outbid")
        alice.expect_phase("live")
        took = time.monotonic() - start
        alice.check_continuity()
        if took <= WAKE_SECONDS + awake:
            return
    check(False, f"after {sleep.__name__} a page is right only {took:.1f} s after it wakes, and {awake:.1f} s if it is awake")


def close_lid(page):
    page.send_signal(signal.SIGSTOP)


def open_lid(page):
    page.send_signal(signal.SIGCONT)


def open_second_tab(testbed, alice):
    """A second tab of a browser takes the name, and the first one watches until it is asked to join again."""
    count = alice.run("return wire.sent.length")
    alice.devtools("Target.createTarget", url=f"http://{HOST}:{testbed.port}/", background=True)
    alice.expect("#name-note", "another window")
    # The server closes the connection behind the message: the next one takes the name.
    alice.wait("return wire.sent.length > arguments[0]", "it does not connect again", count)
    alice.expect_phase("live")
    alice.click("#join")
    alice.expect("#me", "^alice$")


def command(alice, bob):
    """An auctioneer signs in on the page, pauses, resumes and hammers, which the other page shows."""
    bob.sign_in(TOKEN)
    bob.command("pause")
    check(not bob.run("return document.querySelector('#orders [value=end]').checkVisibility()"), "main can be ended")
    alice.expect("#call", "paused")
    bob.command("resume")
    alice.expect("#seconds", r"\d")
    bob.command("hammer")
    alice.expect_standing("won it")
    kick(alice, bob)


def kick(alice, bob):
    """A bidder who was removed reads why, and how long that holds: the seconds count down."""
    bob.type("#kick-name", "alice")
    bob.type("#kick-reason", "two names")
    bob.click("[value=kick]")
    bob.click("#confirm-yes")
    alice.expect("#name-note", "removed: two names")
    alice.expect_phase("live")
    alice.click("#join")
    left = int(re.search(r"wait (\d+) seconds", alice.expect("#name-note", "wait [0-9]+ seconds"))[1])
    alice.wait("return Number(/wait (\\d+)/.exec(document.querySelector('#name-note').textContent)[1]) < arguments[0]",
               "the seconds do not count down", left)


def refuse_another_origin(testbed):
    """A page of another server can neither connect nor show this page in a frame."""
    with serving(Blank) as port:
        page = Chromium(testbed, "stranger")
        page.open(f"http://{HOST}:{port}/")
        outcomes = page.run_until_done("""
            const [socket, frame] = [new WebSocket(`ws://${arguments[0]}/ws`), document.createElement("iframe")];
            const outcome = new Promise((resolve) => {
                socket.onopen = () => resolve("open");
                socket.onerror = () => resolve("refused");
            });
            const loaded = new Promise((resolve) => frame.onload = resolve);
            frame.src = `http://${arguments[0]}/`;
            document.body.append(frame);
            await loaded;
            return await outcome;""", f"{HOST}:{testbed.port}")
        check(outcomes == "refused", f"a connection from another origin is {outcomes}")
        complaints = "\n".join(page.complaints())
        check("frame-ancestors" in complaints, f"in a frame of another origin: {complaints}")


class Blank(Files):
    """An empty page, whatever is asked for."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "0")
        self.end_headers()
