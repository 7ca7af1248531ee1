"""Rooms on the page: opened there, entered by a link, left with the history; their keys, limits and ends."""

import webdriver
from checks import check
from page import AuctionPage
from programs import UNLIMITED
from relay import Relay

TITLE = "a room is opened on the page, entered by its link, left and found again; two rooms at once, keys, limits"
NEEDS = webdriver.NEEDS
REFUSED = r"Unexpected response code: 404|status of 404|ERR_CONNECTION|ERR_INVALID_HTTP_RESPONSE"
"""What Chromium itself writes into the console when a room or the server is gone.

On a busy machine a request can be sent so long after its connection was made that the server has greeted in text.
"""
RARE = {"step", "reserve", "buy", "pause", "longest", "low", "high", "noise"}
"""The options that are shown on demand."""
MOST = 3
"""How many rooms the address of the pages may open."""


class RoomPage(AuctionPage):
    """A page that goes from room to room."""

    def show_rooms(self):
        if not self.run("return document.querySelector('#rooms').open"):
            self.click("#room")

    def close_rooms(self):
        self.click("#rooms form[method=dialog] button")

    def open_room(self, **options):
        """Fills the form, and sends it."""
        self.show_rooms()
        if RARE.intersection(options) and not self.run("return document.querySelector('#open details').open"):
            self.click("#open summary")
        for option, text in options.items():
            self.type(f"#open [name={option}]", str(text))
        self.press("Enter")

    def enter_room(self, name):
        """Takes the link in the list."""
        self.show_rooms()
        self.expect("#rooms-list", rf"(^| ){name} ")
        self.click(f"#rooms-list a[href='{path_of(name)}']")
        self.expect_room(name)

    def expect_room(self, name):
        self.wait("return auction.model.room === arguments[0] && location.pathname === arguments[1]",
                  f"the page is not in {name}", name, path_of(name))
        self.expect("#room-name", f"^{name}$")
        self.expect_phase("live")

    def expect_auctioneer(self, is_one=True):
        self.wait("return auction.connection.isAuctioneer === arguments[0]", "the wrong page is the auctioneer", is_one)

    def link(self, field):
        """The link in a field of the dialog."""
        self.show_rooms()
        return self.wait("return document.getElementById(arguments[0]).value", f"no {field}", field)


def path_of(room):
    return "/" if room == "main" else f"/rooms/{room}"


def play(testbed):
    flags = ("--seconds", "60", "--lot", "Vase", "--data", "none")
    limits = (*UNLIMITED, "--rooms-per-address", str(MOST))
    server = testbed.serve(*flags, port=testbed.free_port(), limits=limits)
    zoe = testbed.connect("zoe")
    zoe.request("name zoe", r"OK name zoe .+")
    alice, bob = (RoomPage(testbed, name).enter() for name in ("alice", "bob"))
    link, secret = open_room(alice)
    bid_in_two_rooms(zoe, alice, bob, link)
    wander(alice, bob)
    prove_key(testbed, alice, secret)
    reach_limits(alice)
    lose_room(testbed, server, flags, alice, bob)
    for page in (alice, bob):
        page.check_clean(REFUSED)
        page.close()
    outlive_rooms(testbed)


def open_room(alice):
    """What is wrong is said beside its field; then the page is in its room. Returns its links."""
    for field, wrong, complaint in (("name", "!", "a name has"), ("name", "main", "open already"), ("seconds", "0", "seconds"),
                                    ("lots", "many", "lots"), ("purse", "-1", "purse"), ("from", "9", "two whole")):
        alice.open_room(**{"name": "blue", field: wrong})
        alice.expect(f"label:has([name={field}]) .note", complaint)
        check(alice.run("return document.activeElement.name") == field, f"{field}: the focus is elsewhere")
        alice.run("document.querySelector('#open').reset()")
    refuse_more_options(alice)
    alice.open_room(name="Blue room", seconds=40, lots=2, purse="1,000", to=150, **{"from": 50})
    alice.expect("#rooms-note", "blue-room is open")
    alice.expect_room("blue-room")
    alice.expect_auctioneer()
    links = [alice.link(field) for field in ("room-link", "key-link")]
    check(links[0].endswith("/rooms/blue-room") and links[1].startswith(f"{links[0]}#key="), f"the links are {links}")
    alice.close_rooms()
    alice.expect("#me", "^alice$")
    alice.expect("#purse", "1,000 left")
    alice.expect("#value", r"value: \d+")
    return links


def refuse_more_options(alice):
    """The rarer options are not in the way; one that is wrong is shown with what is wrong."""
    alice.show_rooms()
    check(not alice.run("return document.querySelector('#open [name=reserve]').checkVisibility()"), "all options are shown")
    alice.run("document.querySelector('#open [name=name]').value = 'blue';"
              "document.querySelector('#open select').value = 'dutch';"
              "document.querySelector('#open [name=start]').value = '100000';")
    alice.type("#open [name=seconds]", "10")
    alice.press("Enter")
    alice.expect("label:has([name=step]) .note", "a step of at least")
    for option, wrong, complaint in (("step", "0", "whole number"), ("reserve", "x", "whole number"), ("buy", "5", "no buy"),
                                     ("pause", "3601", "0 to 3600"), ("longest", "0", "1 to 86,400"), ("low", "9", "two whole"),
                                     ("noise", "5", "noise needs common")):
        alice.open_room(name="blue", **{option: wrong})
        alice.expect(f"label:has([name={option}]) .note", complaint)
        check(alice.run("return document.activeElement.name") == option, f"{option}: the focus is elsewhere")
        alice.run("document.querySelector(`#open [name=${arguments[0]}]`).value = ''", option)
    alice.run("document.querySelector('#open').reset();")


def bid_in_two_rooms(zoe, alice, bob, link):
    """A second browser comes by the link; what happens in one room does not happen in the other."""
    bob.open(link)
    bob.expect_room("blue-room")
    bob.expect("#me", "^bob$")
    bob.expect_auctioneer(False)
    bob.bid(20)
    alice.expect_price(20)
    zoe.request("bid 7", r"OK bid 7")
    alice.bid(30)
    bob.expect_standing("outbid by alice at 30")
    for page in (alice, bob):
        page.expect("#people", "^alice bob$|^bob alice$")
        check([lap[1:3] for lap in page.laps()] == [["alice", "30"], ["bob", "20"]], f"{page.name} sees {page.laps()}")
    bob.show_rooms()
    bob.expect("#rooms-list", r"^main 1 here · english · 1. Vase blue-room 2 here · english")


def wander(alice, bob):
    """By the list and by the history; the name comes along, and each room is as it was left."""
    bob.enter_room("main")
    bob.expect_price(7)
    bob.expect("#me", "^bob$")
    alice.expect("#people", "^alice$")
    bob.bid(8)
    bob.expect_standing("you lead with 8")
    bob.run("history.back()")
    bob.expect_room("blue-room")
    bob.expect_standing("outbid by alice at 30")
    bob.run("history.forward()")
    bob.expect_room("main")
    bob.expect_standing("you lead with 8")
    bob.run("history.back()")
    bob.expect_room("blue-room")
    check(bob.run("return wire.sent.at(-1).filter(line => / (name|resume) /.test(line)).length") <= 1,
          "the name was taken again in another room")
    turn_back(bob)


def turn_back(bob):
    """Of steps that follow each other faster than the server answers the last counts; on the way nothing can be bid."""
    entries, bids = (bob.run(f"return {figure}") for figure in ("history.length", "auction.model.series.count"))
    seen = bob.run_until_done("""
        const seen = [];
        onpopstate = (former => event => {
            former(event);
            seen.push(auction.connection.destination, auction.bidding.obstacle);
            auction.bidding.place(500);
            if (seen.length === 2) history.back();
        })(onpopstate);
        history.forward();
        while (seen.length < 4) await new Promise(resolve => setTimeout(resolve, 10));
        return seen;""")
    check(seen == ["main", "Changing rooms", "blue-room", "Changing rooms"], f"on the way the page showed {seen}")
    bob.expect_room("blue-room")
    bob.expect_standing("outbid by alice at 30")
    check(bob.run("return history.length") == entries, "a step through the history has added to it")
    check(bob.run("return auction.model.series.count") == bids, "a bid on the way was accepted")


def prove_key(testbed, alice, secret):
    """A page that is loaded again is still the auctioneer; another device is it by the secret link."""
    alice.open(path_of("blue-room"))
    alice.expect_room("blue-room")
    alice.expect_auctioneer()
    carol = RoomPage(testbed, "carol")
    carol.open(secret)
    carol.expect_room("blue-room")
    carol.expect_auctioneer()
    check("key" not in carol.run("return location.href"), "the key stays in the address")
    carol.open(path_of("blue-room"))
    carol.expect_auctioneer()
    carol.click("#auctioneer summary")
    check(not carol.run("return document.querySelector('[data-command=stop]').checkVisibility()"),
          "the auctioneer of a room is offered to stop the server")
    carol.command("pause")
    alice.expect("#call", "paused")
    carol.command("resume")
    carol.enter_room("main")
    carol.expect_auctioneer(False)
    carol.check_clean()
    carol.close()


def reach_limits(alice):
    """The address has all its rooms."""
    for number in range(1, MOST):
        alice.open_room(name=f"more-{number}")
        alice.expect_room(f"more-{number}")
        alice.close_rooms()
    alice.open_room(name="one-too-many")
    alice.expect("#open-note", "room")
    check(alice.run("return auction.model.room") == f"more-{MOST - 1}", "a room was opened over the limit")
    alice.enter_room("blue-room")


def lose_room(testbed, server, flags, alice, bob):
    """A room that is gone is said in one sentence, with the ways to others; a link to one changes nothing."""
    server.kill()
    for page in (alice, bob):
        page.expect_phase("lost")
    testbed.serve(*flags, port=testbed.port)
    for page in (alice, bob):
        page.expect("#gone", "there is no room blue-room")
    alice.click("#gone a")
    alice.expect_room("main")
    bob.click("#gone-rooms")
    bob.expect("#rooms-list", "^main ")
    bob.expect_room("main")
    bob.close_rooms()
    bob.run("history.back()")
    bob.expect("#rooms-note", "room")
    bob.expect_room("main")
    bob.open(path_of("blue-room"))
    bob.expect("#gone", "there is no room blue-room")


def outlive_rooms(testbed):
    """A page whose network is cut while its room ends, and one that shows rooms which have ended."""
    server = testbed.serve("--seconds", "60", "--lot", "Vase", "--data", "none", "--room-idle", "1")
    rooms = RoomWatcher(testbed)
    network = Relay(testbed, testbed.port)
    testbed.port = network.port
    dave = RoomPage(testbed, "dave").enter()
    lose_ended_room(network, rooms, dave)
    find_other_room(network, rooms, dave)
    list_ended_room(rooms, dave)
    open_while_lost(network, rooms, dave)
    dave.check_clean(REFUSED)
    server.stop()


class RoomWatcher:
    """A connection that opens rooms, and sees which ones there are."""

    def __init__(self, testbed):
        self._testbed, self._peer = testbed, testbed.connect("carol")
        self._peer.request("name carol", "OK name carol .+")

    def open(self, name, *options):
        self._peer.request(" ".join(["open", name, *options]), rf"OK open {name} .+")

    def bid(self, amount):
        self._peer.request(f"bid {amount}", rf"OK bid {amount}")

    def leave(self):
        self._peer.request("join main", "OK join main")

    def expect_end(self, name):
        self._testbed.wait(lambda: name not in self._names(), f"the room {name} does not end", interval=0.1)

    def _names(self):
        before = len(self._peer.lines)
        self._peer.request("rooms", r"OK rooms \d+")
        return [line.split(" ")[1] for line in self._peer.lines[before:] if line.startswith("ROOM ")]


def lose_ended_room(network, rooms, dave):
    """The room ends while the page is away: one sentence says so, and there are two ways on."""
    dave.open_room(name="den")
    dave.expect_room("den")
    dave.close_rooms()
    network.cut()
    dave.expect_phase("lost")
    rooms.expect_end("den")
    come_back(network, dave)
    dave.expect("#gone", "there is no room den")
    dave.click("#gone-rooms")
    dave.expect_room("main")
    dave.expect("#rooms-note", "there is no room den")
    dave.expect("#rooms-list", "^main ")
    dave.close_rooms()
    check(not dave.run("return document.querySelector('#gone').checkVisibility()"), "the page says that it is still gone")


def find_other_room(network, rooms, dave):
    """While the page is away its room ends, and somebody else opens one with the same name."""
    dave.open_room(name="den", seconds=1, pause=60, low=50, high=150, noise=20, purse=500)
    dave.expect_room("den")
    dave.expect_auctioneer()
    dave.close_rooms()
    dave.expect("#value", "estimate: about")
    dave.type("#chat-text", "farewell")
    dave.press("Enter")
    dave.bid(77)
    dave.expect("#lots", "dave")
    dave.expect("#standings", "dave")
    dave.expect("#ticker", "farewell")
    network.cut()
    dave.expect_phase("lost")
    rooms.expect_end("den")
    rooms.open("den")
    rooms.bid(19)
    come_back(network, dave)
    dave.expect_room("den")
    dave.expect_price(19)
    dave.expect("#me", "^dave$")
    dave.expect_auctioneer(False)
    dave.expect("#ticker", "was opened again")
    check(dave.laps()[0][1:3] == ["carol", "19"], f"the page shows {dave.laps()}")
    left = dave.run("return ['#stage', '#ticker', '#lots', '#standings-panel', '#laps', '#chart-text', '#auctioneer-note', '#purse']"
                    ".filter(each => /dave leads|dave.*77|77|farewell|estimate|500|You are the auctioneer/"
                    ".test(document.querySelector(each).textContent))")
    check(not left, f"of the room that has ended there is still something in {left}")
    rooms.leave()
    dave.enter_room("main")


def come_back(network, dave):
    """The page tries at once."""
    network.restore()
    dave.run("auction.connection.tryNow()")


def list_ended_room(rooms, dave):
    """A room in the list has ended: by itself it goes from the list, and before that the page says so."""
    rooms.open("hut")
    dave.show_rooms()
    dave.expect("#rooms-list", "hut 1 here")
    dave.run("window.reload = auction.loads.rooms.load; auction.loads.rooms.load = () => {};")
    rooms.leave()
    rooms.expect_end("hut")
    dave.click("#rooms-list a[href='/rooms/hut']")
    dave.expect("#rooms-note", "there is no room hut")
    dave.run("auction.loads.rooms.load = window.reload;")
    dave.wait("return !/hut/.test(document.querySelector('#rooms-list').innerText)", "the list shows what has ended")
    dave.expect_room("main")
    dave.close_rooms()


def open_while_lost(network, rooms, dave):
    """The room ends while its page has the form open: what is typed stays, and is enough to open another."""
    dave.open_room(name="shed")
    dave.expect_room("shed")
    dave.type("#open [name=name]", "nest")
    network.cut()
    dave.expect_phase("lost")
    dave.press("Enter")
    dave.expect("#open-note", "no connection")
    rooms.expect_end("shed")
    come_back(network, dave)
    dave.expect("#rooms-note", "there is no room shed")
    dave.expect_room("main")
    dave.click("#open .main")
    dave.expect_room("nest")
