"""Three nodes on three NATS servers: what one node is told, all tell, also after the owner of a room is killed."""

import json
import re
import time

import nats
import web_clients
from checks import check
from nodes import Cluster
from programs import HOST, UNLIMITED
from testbed import PATIENCE

TITLE = "three nodes share names, rooms and secrets; a killed owner, a node that leaves, and NATS away for a while"
NEEDS = ("nc -N",)
PROGRAMS = ("client",)
SECONDS = 8
"""The full countdown in main."""
TAKEOVER = 10.0
"""The most seconds until the rooms go on of a node that is killed or stopped."""
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
LISTS = "who", "laps", "results", "standings", "status", "rooms"
WEB_SOCKET = r"""
import asyncio, sys, websockets

async def main():
    async with websockets.connect(sys.argv[1]) as socket:
        async def send():
            while line := await asyncio.to_thread(sys.stdin.readline):
                await socket.send(line)
        sending = asyncio.create_task(send())
        async for message in socket:
            print(message, flush=True)

asyncio.run(main())
"""
"""Sends each line as a message, and prints each message."""


def missing_requirement(options):
    return web_clients.missing_requirement(options) or ("" if nats.installed() else "no NATS server")


def play(testbed):
    refuse(testbed)
    cluster = Cluster(testbed, "--seconds", str(SECONDS), "--pause", "1", "--lot", "Vase", "--lot", "Clock",
                      "--lot", "Lamp", "--auctioneer-token-file", testbed.secret("key", TOKEN), *UNLIMITED)
    one, two, three = cluster.nodes
    observers = [enter(node, f"observer at {node.name}") for node in cluster.nodes]
    greet(cluster)
    tokens = bid_everywhere(cluster, observers)
    share_names(cluster, tokens)
    share_room(one, two, three)
    seal(one, two, three)
    resume(cluster)
    sell(cluster, observers)
    list_status(cluster)
    pause = kill_owner(cluster, tokens)
    leave(cluster)
    lose_nats(cluster)
    stop(cluster)
    return [f"{pause:.1f} s until a killed owner's room went on"]


def refuse(testbed):
    """A wrong command line is one line on standard error, and exit code 2."""
    for flags, complaint in ((["--cluster", "nats://127.0.0.1:1"], "--node"), (["--node", "one"], "--cluster"),
                             (["--cluster", "nats://127.0.0.1:1", "--node", "No!"], "--node"),
                             (["--cluster", "tls://127.0.0.1:1", "--node", "one"], "TLS proxy"),
                             (["--cluster", "nats://127.0.0.1:1", "--node", "one", "--data", "folder"], "--data")):
        server = testbed.run_server("--port", "0", *flags)
        server.check_exit(2)
        printed = server.errors.lines
        check(len(printed) == 1 and complaint in printed[0], f"{flags}: printed {printed}")


def greet(cluster):
    """Each node says over WebSocket which one it is, and that it can serve; all have one identity."""
    games = set()
    for node in cluster.nodes:
        peer = web_socket(node, "greeted")
        hello = json.loads(peer.expect(r'\{"type":"hello".+'))
        check(hello["node"] == node.name, f"{node.name} greets as {hello}")
        games.add(hello["game"])
        check(node.health() == 200, f"{node.name} cannot serve")
        peer.close()
    check(len(games) == 1, f"the nodes have the identities {games}")


def bid_everywhere(cluster, observers):
    """Clients of all kinds bid at all nodes, and all observers receive the same; returns the tokens."""
    one, two, three = cluster.nodes
    alice = one.here().spawn("alice", "nc", HOST, str(one.port))
    token = alice.request("name alice", r"OK name alice .+").split()[-1]
    for observer in observers:
        observer.expect(r"JOINED alice")
    alice.request("bid 10", r"OK bid 10")
    bob = two.here().client("bob", "--name", "bob", "bid", "20")
    for observer in observers:
        observer.expect(r"PRICE 20 bob .+")
    carol = web_socket(three, "carol")
    carol.send_lines("name carol", "bid 15", "bid 30")
    refused = json.loads(carol.expect(r'.*"type":"error".+'))
    check((refused["code"], refused["minimum"]) == ("too-low", 21), f"carol was answered {refused}")
    for observer in observers:
        observer.expect(r"PRICE 30 carol .+")
    alice.request("bid 40", r"OK bid 40")
    for observer in observers:
        observer.expect(r"PRICE 40 alice .+")
    same_lists(cluster)
    bob.close()
    carol.close()
    return {"alice": (alice, token)}


def share_names(cluster, tokens):
    """A name is owned at all nodes, and used at one: who proves it elsewhere replaces its owner here."""
    _, two, three = cluster.nodes
    alice, token = tokens["alice"]
    stranger = enter(three, "stranger")
    stranger.request("name Alice", r"ERROR name-taken .+")
    stranger.request(f"name alice {'0' * 32}", r"ERROR wrong-token .+")
    again = enter(two, "alice again")
    again.request(f"name alice {token}", rf"OK name alice {token}")
    alice.expect(r"BYE replaced")
    # The leader repeats the bid, in case its answer was lost.
    again.request("bid 40", r"OK bid 40")
    tokens["alice"] = again, token
    names = [enter(node, "dave") for node in cluster.nodes]
    for peer in names:
        peer.send_lines("name dave")
    answers = sorted(peer.answer().split()[0] for peer in names)
    check(answers == ["ERROR", "ERROR", "OK"], f"one name was given to several at once: {answers}")


def share_room(one, two, three):
    """A room is opened at one node, joined at another, and led from a third; each bidder is told what is private."""
    alice, bob, chief = enter(one, "ann"), enter(two, "ben"), enter(three, "chief")
    alice.request("name ann", "OK name ann .+")
    opened = alice.request("open blue seconds=5 lots=2 pause=0 purse=1000 worth=50..150", r"OK open blue [0-9a-f]{32}")
    bob.request("name ben", "OK name ben .+")
    bob.request("join blue", "OK join blue")
    # A value is told after the news that its bidder has joined.
    told = [alice.expect(r"WORTH \d+"), bob.expect(r"JOINED ben") and bob.expect(r"WORTH \d+")]
    alice.expect(r"JOINED ben")
    alice.request("bid 100", "OK bid 100")
    alice.expect("PRICE 100 ann .+")
    bob.request("max 200", "OK max 200")
    for peer in (alice, bob):
        peer.expect("PRICE 101 ben .+")
    alice.request("bid 150", "ERROR outbid .+|OK bid 150")
    for peer in (alice, bob):
        peer.expect("PRICE 15[01] ben .+")
    bob.request("status", "OK status")
    check("MAX 200" in bob.lines and "MAX 200" not in alice.lines, "a maximum is not where it should be")
    check(not any(told[0] == line for line in bob.lines) or told[0] == told[1], "a value was told to somebody else")
    chief.request("join blue", "OK join blue")
    chief.request("pause", "ERROR not-auctioneer .+")
    chief.request(f"auctioneer {opened.split()[-1]}", "OK auctioneer")
    chief.request("pause", "OK pause")
    for peer in (alice, bob):
        peer.expect("PAUSED")
    bob.request("bid 300", "ERROR paused .+")
    chief.request("resume", "OK resume")
    chief.request("hammer", "OK hammer")
    winners = {peer.expect(r"WINNER .+") for peer in (alice, bob, chief)}
    check(len(winners) == 1 and "WINNER ben" in winners.pop(), f"the winners are {winners}")
    for peer in (alice, bob, chief):
        peer.expect("LOT 2 lot-2")
        peer.close()


def seal(one, two, three):
    """Sealed bids of two nodes are known to nobody before the end, and then to all."""
    ann, ben, observer = enter(one, "sue"), enter(two, "tom"), enter(three, "observer")
    ann.request("name sue", "OK name sue .+")
    ann.request("open red format=vickrey seconds=4 lots=1 start=5", "OK open red .+")
    ben.request("name tom", "OK name tom .+")
    for peer in (ben, observer):
        peer.request("join red", "OK join red")
    ann.request("bid 70", "OK bid 70")
    ben.request("bid 90", "OK bid 90")
    observer.expect("SEALED 2")
    ben.request("status", "OK status")
    check("YOURS 90" in ben.lines, "the own sealed bid is not told")
    check(not any(re.search(r"\b[79]0\b", line) for line in observer.lines), "a sealed bid was told", *observer.lines)
    for peer in (ann, ben, observer):
        told = [peer.expect(pattern) for pattern in ("REVEALED 90 tom", "REVEALED 70 sue", r"WINNER tom 70 .+")]
        check(told, peer.name)
        peer.close()


def resume(cluster):
    """What was missed at one node is told by another."""
    one, two, three = cluster.nodes
    first = two.here().connect("follower", waits=False)
    first.send_lines("format json", "status")
    number = json.loads(first.expect(r'.*"type":"state".+'))["seq"]
    first.reset()
    speaker = one.here().bidder("speaker")
    for word in ("first", "second"):
        speaker.request(f"say {word}", "OK say")
    speaker.expect("SAID speaker second")
    again = three.here().connect("follower again", waits=False)
    # A node may be some milliseconds behind another.
    again.send_lines("format json", f"resume {number}", "ping")
    again.expect(r'.*"type":"ok".*"content":"resume \d+".*')
    seen = [fields for fields in map(json.loads, (line for line in again.lines if line.startswith("{"))) if "seq" in fields
            and not fields.get("snapshot")]
    check([fields["seq"] for fields in seen] == list(range(number + 1, number + 1 + len(seen))),
          f"after {number} it received {[fields['seq'] for fields in seen]}")
    again.expect(r'.*"content":"ping".*')
    again.testbed.wait(lambda: any('"content":"second"' in line for line in again.lines), "the last news did not come")
    speaker.close()
    again.close()


def sell(cluster, observers):
    """The hammer, struck at any node, falls everywhere, and all list the same winner."""
    chief = enter(cluster.nodes[2], "chief")
    chief.request(f"auctioneer {TOKEN}", "OK auctioneer")
    chief.request("hammer", "OK hammer|ERROR closed .+")
    winners = {observer.expect(r"WINNER .+") for observer in observers}
    check(len(winners) == 1 and winners.pop().startswith("WINNER alice 40 "), f"the winners are {winners}")
    for observer in observers:
        observer.expect("LOT 2 Clock")
    same_lists(cluster)
    chief.close()


def list_status(cluster):
    """`--status` lists every node, and every room with its owner."""
    program = cluster.status()
    program.check_exit(0)
    text = "\n".join(program.lines)
    for word in ("one", "two", "three", "main", "blue"):
        check(re.search(rf"\b{word}\b", text), f"--status does not list {word}", *program.lines)
    owner = cluster.owner("main").name
    check(re.search(rf"^.*\bmain\b.*\b{owner}\b", text, re.MULTILINE), f"main is not listed with {owner}", *program.lines)


def kill_owner(cluster, tokens) -> float:
    """The rooms of a killed node go on at another with the full countdown; its clients find their names there."""
    owner = cluster.owner("main")
    others = [node for node in cluster.nodes if node is not owner]
    observers = [enter(node, f"observer at {node.name}") for node in others]
    token = tokens["alice"][1]
    tokens["alice"][0].close()
    alice = enter(owner, "alice at the owner")
    alice.request(f"name alice {token}", "OK name alice .+")
    follower = owner.here().client("watcher", "watch", "--json")
    alice.request("bid 50", "OK bid 50")
    # A name without a bid.
    eve = Bidder(others[0], "eve")
    for observer in observers:
        observer.expect("PRICE 50 alice .+")
        observer.expect(rf"COUNTDOWN {SECONDS - 2}")
    start = time.monotonic()
    owner.kill()
    alice.expect_end()
    for observer in observers:
        observer.expect(rf"COUNTDOWN {SECONDS}", TAKEOVER)
    pause = time.monotonic() - start
    again = enter(others[0], "alice elsewhere")
    again.request(f"name alice {token}", "OK name alice .+")
    again.request("bid 50", "OK bid 50")
    bob = others[1].here().bidder("bert")
    bob.request("bid 60", "OK bid 60")
    eve.prove()
    for observer in observers:
        observer.expect("PRICE 60 bert .+")
    check(cluster.owner("main") is not owner, "a dead node owns main")
    owner.start()
    owner.wait()
    # The client has come back by itself.
    follower.testbed.wait(lambda: any('"amount":60' in line or '"price":60' in line for line in follower.lines),
                          "the client does not come back")
    same_lists(cluster)
    for peer in (*observers, again, bob, eve.peer):
        peer.close()
    follower.close()
    return pause


def leave(cluster):
    """A node that is stopped hands its rooms over at once, and sends its clients elsewhere."""
    owner = cluster.owner("main")
    others = [node for node in cluster.nodes if node is not owner]
    client, observer = enter(owner, "client"), enter(others[0], "observer")
    bidder = Bidder(others[1], "fred")
    bidder.bid(900)
    start = time.monotonic()
    owner.server.stop()
    client.expect_end()
    check(client.lines[-1] == "BYE moved", f"the last line is {client.lines[-1]!r}")
    bidder.bid(900)
    other = Bidder(others[0], "fritz")
    other.bid(910)
    observer.expect(r"PRICE 900 fred .+")
    observer.expect(r"PRICE 910 fritz .+")
    check(time.monotonic() - start < TAKEOVER, "the room was not handed over")
    owner.start()
    owner.wait()
    for peer in (observer, bidder.peer, other.peer):
        peer.close()


def lose_nats(cluster):
    """While most NATS servers do not answer nothing is accepted and nobody wins; then the sale goes on."""
    node = cluster.nodes[0]
    bidder, observer = Bidder(node, "gina"), enter(cluster.nodes[1], "observer")
    testbed = observer.testbed
    bidder.bid(1000)
    observer.expect("PRICE 1000 gina .+")
    frozen = cluster.nats.servers[:2]
    for server in frozen:
        server.freeze()
    testbed.wait(lambda: node.health() == 503, "the node says that it can serve", interval=0.2)
    count = len(observer.lines)
    other = enter(cluster.nodes[1], "hugo")
    other.send_lines("name hugo", "bid 2000")
    testbed.pump_until(time.monotonic() + SECONDS + 2)
    news = [line for line in observer.lines[count:] if line.startswith(("PRICE", "WINNER"))]
    check(not news, f"without NATS was told {news}")
    for server in frozen:
        server.thaw()
    testbed.wait(lambda: all(each.health() == 200 for each in cluster.nodes), "the nodes do not come back", PATIENCE, 0.2)
    observer = enter(cluster.nodes[1], "observer again")
    again = Bidder(cluster.nodes[2], "iris")
    again.bid(3000)
    observer.expect(r"PRICE 3000 iris .+")
    # A countdown is not sent again if it has the value that was sent last.
    observer.expect(rf"COUNTDOWN [{SECONDS - 1}{SECONDS}]")
    for peer in (bidder.peer, observer, other, again.peer):
        peer.close()


def stop(cluster):
    """The auctioneer ends all nodes from one of them; when they are started again, the auction goes on."""
    chief, observer = enter(cluster.nodes[0], "chief"), enter(cluster.nodes[1], "observer")
    chief.request(f"auctioneer {TOKEN}", "OK auctioneer")
    before = listed(chief, "results")
    chief.send_lines("stop")
    for peer in (chief, observer):
        peer.expect("BYE shutdown")
    for node in cluster.nodes:
        node.server.check_exit(0)
        node.start()
    for node in cluster.nodes:
        node.wait()
    after = listed(enter(cluster.nodes[2], "again"), "results")
    check(before and after[:len(before)] == before, "a stopped auction does not go on", before, after)


def listed(peer, command) -> list:
    """The data of the answer to a command."""
    count = len(peer.lines)
    peer.request(command, f"OK {command}.*")
    return [line for line in peer.lines[count:] if line.startswith("RESULT")]


class Bidder:
    """A bidder who connects again as often as the server asks for it."""

    def __init__(self, node, name):
        self._node, self._name, self._token = node, name, ""
        self.peer, self._is_named = node.here().connect(name, waits=False), False
        self._ask("ping")

    def bid(self, amount):
        """Bids, again and again until the bid is accepted."""
        self.peer.testbed.wait(lambda: self._ask(f"bid {amount}"), f"{self._name}: no bid is accepted", interval=0.1)

    def prove(self):
        """Fails if the name is not the bidder's any more."""
        self.peer.testbed.wait(lambda: self._ask("say hello"), f"{self._name}: the name is lost", interval=0.1)

    def _ask(self, command) -> bool:
        """Sends a command under the name; whether it was accepted."""
        if self.peer.has_ended:
            check(self.peer.lines[-1] == "BYE moved", f"{self._name}: the last line is {self.peer.lines[-1]!r}")
            self.peer, self._is_named = self._node.here().connect(self._name, waits=False), False
        if not self._is_named:
            answer = self._answer(f"name {self._name} {self._token}".strip())
            self._is_named = answer.startswith("OK name ")
            self._token = answer.split()[-1] if self._is_named else self._token
        return self._is_named and self._answer(command).startswith(f"OK {command.split()[0]}")

    def _answer(self, command) -> str:
        """The answer; empty if the connection ends before it."""
        count = len(self.peer.answers())
        self.peer.send_lines(command)
        self.peer.testbed.wait(lambda: self.peer.has_ended or len(self.peer.answers()) > count, f"{self._name}: no answer")
        return (self.peer.answers()[count:] or [""])[0]


def same_lists(cluster):
    """Fails unless all nodes list the same."""
    peers = [enter(node, f"asks {node.name}") for node in cluster.nodes]
    for command in LISTS:
        found = []
        for peer in peers:
            start = len(peer.lines)
            peer.send_lines(command)
            answer = peer.answer()
            found.append([line for line in peer.lines[start:peer.lines.index(answer, start) + 1] if not is_passing(line)])
        check(found[0] == found[1] == found[2], f"the nodes list different things for {command}", *found)
    for peer in peers:
        peer.close()


def is_passing(line) -> bool:
    """Whether the line differs from one moment to the next."""
    return line.startswith(("COUNTDOWN", "ROOM main", "HELP", "GOING", "LAST"))


def enter(node, name):
    """A connection that has been greeted."""
    peer = node.here().connect(name, waits=False)
    peer.request("ping", "OK ping")
    return peer


def web_socket(node, name):
    """A program that speaks WebSocket, each message of which is a line."""
    return node.here().spawn(name, web_clients.python_with_websockets(), "-c", WEB_SOCKET, f"ws://{HOST}:{node.port}/ws")
