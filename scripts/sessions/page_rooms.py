"""Rooms on the page: opened there, entered by a link, left with the history; their keys, and how many there may be."""

import webdriver
from checks import check
from programs import UNLIMITED
from room_page import REFUSED, RoomPage, path_of

TITLE = "a room is opened on the page, entered by its link, left and found again; two rooms at once, keys, limits"
NEEDS = webdriver.NEEDS
MOST = 3
"""How many rooms the address of the pages may open."""


def play(testbed):
    flags = ("--seconds", "60", "--lot", "Vase", "--data", "none")
    limits = (*UNLIMITED, "--rooms-per-address", str(MOST))
    server = testbed.serve(*flags, port=testbed.free_port(), limits=limits)
    zoe = testbed.bidder("zoe")
    alice, bob = (RoomPage(testbed, name).enter() for name in ("alice", "bob"))
    link, secret = open_room(alice)
    share_link(testbed)
    bid_in_two_rooms(zoe, alice, bob, link)
    wander(alice, bob)
    prove_key(testbed, alice, secret)
    reach_limits(alice)
    lose_room(testbed, server, flags, alice, bob)
    for page in (alice, bob):
        page.check_clean(REFUSED)
        page.close()


def open_room(alice):
    """What is wrong is said beside its field; then the page is in its room. Returns its links."""
    for field, wrong, complaint in (("name", "!", "a name has"), ("name", "main", "open already"), ("seconds", "0", "seconds"),
                                    ("lots", "many", "lots"), ("purse", "-1", "purse"), ("worth", "9", "two whole")):
        alice.open_room(**{"name": "blue", field: wrong})
        alice.expect(f"label:has([name={field}]) .note", complaint)
        check(alice.run("return document.activeElement.name") == field, f"{field}: the focus is elsewhere")
        alice.run("document.querySelector('#open').reset()")
    refuse_more_options(alice)
    alice.open_room(name="Blue room", seconds=40, lots=2, purse="1,000", worth="50 to 150")
    alice.expect("#rooms-note", "blue-room is open")
    alice.expect_room("blue-room")
    alice.expect_auctioneer()
    alice.expect("#link-note", "only this computer can open this link")
    links = [alice.link(field) for field in ("room-link", "key-link")]
    check(links[0].endswith("/rooms/blue-room") and links[1].startswith(f"{links[0]}#key="), f"the links are {links}")
    alice.close_rooms()
    alice.expect("#me", "^alice$")
    alice.expect("[data-kind=purse]", "1,000")
    alice.expect("[data-kind=value]", r"worth \d+")
    return links


def share_link(testbed):
    """Of a server that other machines reach, the link to share is the address by which they do."""
    page = RoomPage(testbed, "host", is_watched=False)
    page.run_first("window.fetch = async () => new Response('{\"isOpen\":true,\"url\":\"http://192.168.1.5:7777/\"}');")
    page.open(path_of("blue-room"))
    page.expect_room("blue-room")
    page.show_rooms()
    page.wait("return document.querySelector('#room-link').value === 'http://192.168.1.5:7777/rooms/blue-room'",
              "the link is of use on this machine only")
    check(not page.run("return document.querySelector('#link-note').checkVisibility()"), "a good link has a warning")
    page.close()


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
    carol.type("#name", "bob")
    carol.press("Enter")
    carol.expect("#name-note", "taken")
    carol.click("#other-name")
    carol.expect("#me", "^bob2$")
    carol.open(path_of("blue-room"))
    carol.expect_auctioneer()
    carol.click("#auctioneer summary")
    check(not carol.run("return document.querySelector('#orders [value=stop]').checkVisibility()"),
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
