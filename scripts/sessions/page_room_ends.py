"""Rooms that end on the page: while its network is cut, while it lists them or opens another, and by order."""

import webdriver
from checks import check
from relay import Relay
from room_page import REFUSED, RoomPage

TITLE = "a page whose network is cut while its room ends, and one that shows rooms which have ended"
NEEDS = webdriver.NEEDS


def play(testbed):
    server = testbed.serve("--seconds", "60", "--lot", "Vase", "--data", "none", "--room-idle", "1")
    rooms = RoomWatcher(testbed)
    network = Relay(testbed, testbed.port)
    testbed.port = network.port
    dave = RoomPage(testbed, "dave").enter()
    lose_ended_room(network, rooms, dave)
    list_ended_room(rooms, dave)
    open_while_lost(network, rooms, dave)
    end_by_order(testbed, dave)
    end_by_button(dave)
    dave.check_clean(REFUSED)
    server.stop()


class RoomWatcher:
    """A connection that opens rooms, and sees which ones there are."""

    def __init__(self, testbed):
        self._testbed, self._peer = testbed, testbed.bidder("carol")

    def open(self, name):
        self._peer.request(f"open {name}", rf"OK open {name} .+")

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


def come_back(network, dave):
    """The page tries at once."""
    network.restore()
    dave.run("auction.connection.wake()")


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


def end_by_order(testbed, dave):
    """The auctioneer ends the room while the page is in it: the page says that it has ended."""
    owner = testbed.connect("owner")
    key = owner.request("open tent", r"OK open tent (\w+)").split(" ")[-1]
    dave.enter_room("tent")
    owner.request(f"auctioneer {key}", "OK auctioneer")
    owner.request("end tent", "OK end")
    owner.expect("BYE room-ended")
    dave.expect("#gone", "there is no room tent")


def end_by_button(dave):
    """The auctioneer of a room, whose profits are shown before its end, ends it on the page."""
    dave.click("#gone-rooms")
    dave.expect_room("main")
    dave.run("document.querySelector('#open [name=profits]').value = 'yes'")
    dave.open_room(name="attic", worth="50 to 150")
    dave.expect_room("attic")
    dave.expect_auctioneer()
    dave.close_rooms()
    dave.bid(10)
    dave.expect_price(10)
    dave.click("#auctioneer summary")
    dave.command("hammer")
    dave.wait("return document.querySelector('#standings-panel').dataset.profits === 'true'", "the profits are not shown")
    dave.command("end")
    dave.expect("#gone", "there is no room attic")
