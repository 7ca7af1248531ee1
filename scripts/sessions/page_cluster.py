"""Pages at two nodes of one auction: they show the same, also in a room, and while one of the nodes is away."""

import time

import nats
import webdriver
from nodes import Cluster
from page_auction import LOST, expect_leader
from programs import UNLIMITED
from room_page import REFUSED, RoomPage

TITLE = "two pages at two nodes: one sale, a room of their own, and a killed node"
NEEDS = webdriver.NEEDS
SECONDS = 20


def missing_requirement(_):
    return "" if nats.installed() else "no NATS server"


def play(testbed):
    cluster = Cluster(testbed, "--seconds", str(SECONDS), "--lot", "Vase", *UNLIMITED)
    one, two, _ = cluster.nodes
    alice = RoomPage(one.here(), "alice").enter()
    bob = RoomPage(two.here(), "bob").enter()
    for page in (alice, bob):
        page.expect("#lot", "Vase")
    alice.bid(100)
    expect_leader("alice", 100, alice, bob)
    bob.raise_by_one_tap()
    expect_leader("bob", 101, alice, bob)
    share_room(alice, bob)
    kill(cluster, alice, bob)
    for node, page in ((one, alice), (two, bob)):
        node.here()
        page.check_continuity()
        page.check_clean(LOST, REFUSED)
        page.close()


def share_room(alice, bob):
    """A room that is opened at one node is in the list at another."""
    # Its lot must not end while a node is away.
    alice.open_room(name="blue", seconds=600, lots=2)
    alice.expect_room("blue")
    alice.close_rooms()
    bob.enter_room("blue")
    bob.bid(10)
    expect_leader("bob", 10, alice, bob)
    alice.bid(20)
    expect_leader("alice", 20, alice, bob)


def kill(cluster, alice, bob):
    """The page at the other node goes on; that of the killed one comes back with it, and has missed nothing."""
    node, testbed = cluster.nodes[0], alice.testbed
    node.kill()
    alice.expect_phase("lost")
    testbed.wait(lambda: cluster.owner("blue") is not node, "nobody takes the room over", interval=0.1)
    # The new owner has bidders connect again.
    testbed.pump_until(time.monotonic() + 1)
    bob.expect_phase("live")
    bob.expect("#me", "^bob$")
    bob.raise_by_one_tap()
    bob.expect_price(21)
    bob.expect_standing("you lead")
    node.start()
    node.wait()
    alice.expect_phase("live")
    expect_leader("bob", 21, alice, bob)
    alice.raise_by_one_tap()
    expect_leader("alice", 22, alice, bob)
