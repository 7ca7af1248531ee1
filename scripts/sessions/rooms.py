"""Rooms with nc: two at once, wandering, a room's key, a restart, the results of a room."""

import json
import os

from checks import check
from journal import Journal, check_with_server
from judge import Judge
from programs import HOST

TITLE = "rooms with nc: two at once, wandering, a room's key, a restart, results of a room"
NEEDS = ("nc -N",)
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
KEY = r"[0-9a-f]{32}"
OPTIONS = "seconds=60 step=5 lots=2 purse=1000 worth=50..150"
TURNS = 6
BAD_COMMANDS = (("join nowhere", "no-room .*rooms.*"), ("join ../blue", "bad-arguments type: join .+"), ("open main", "room-taken .+"),
                ("open red reserve=9 buy=5", "bad-option .+"))


def play(testbed):
    table = Table(testbed)
    table.open_and_bid()
    table.wander()
    table.rule()
    table.restart()
    table.end()


class Table:
    """Alice has a room of her own, Bob stays in main, Carol and Dave wander; all use `nc`, and Dave JSON."""

    def __init__(self, testbed):
        self._testbed, self._folder = testbed, os.path.join(testbed.folder, "data")
        self._journal = Journal(self._folder)
        self._judge_of_all = Judge(self._journal.rooms)
        self._floors = {"main": 0}
        self._tokens, self._key = {"alice": "", "bob": "", "carol": "", "dave": ""}, ""
        self._enter()

    def _enter(self):
        """Starts the server; everybody connects, and takes the name or opens it again."""
        token = self._testbed.secret("key", TOKEN)
        self._server = self._testbed.serve("--data", self._folder, "--seconds", "60", "--pause", "0", "--lot", "Vase",
                                           "--lot", "Clock", "--auctioneer-token-file", token)
        self._peers = [self._testbed.spawn(name, "nc", HOST, str(self._testbed.port)) for name in self._tokens]
        self._alice, self._bob, self._carol, self._dave = self._peers
        for peer in self._peers:
            peer.expect(r"HELLO auction/1 seconds=60 step=1 game=\w+ room=main \(type help\)")
            known = self._tokens[peer.name]
            answer = peer.request(f"name {peer.name} {known}".strip(), rf"OK name {peer.name} {known or KEY}")
            self._tokens[peer.name] = answer.split()[-1]
        self._dave.request("format json", "OK format json")

    def open_and_bid(self):
        """Alice opens a room, and hears nothing more of main; in both there are bids."""
        alice, bob = self._alice, self._bob
        self._key = alice.request(f"open blue {OPTIONS}", rf"OK open blue {KEY}").split()[-1]
        self._testbed.wait(lambda: len(private(alice)) == 2, "alice has no purse or no value")
        bob.expect("LEFT alice")
        bob.request("bid 20", "OK bid 20")
        alice.request("bid 10", "OK bid 10")
        alice.request("rooms", "OK rooms 2")
        rows = [line for line in alice.lines if line.startswith("ROOM ")]
        check(rows == ["ROOM main people=3 lot=1 format=english Vase", "ROOM blue people=1 lot=1 format=english lot-1"],
              f"the rooms are {rows}")
        for command, answer in BAD_COMMANDS:
            alice.request(command, f"ERROR {answer}")
        # A name without a bid would be free after the restart.
        self._dave.send_lines("#bid bid 30", "#rooms rooms")
        self._testbed.wait(lambda: any('"tag":"rooms"' in line for line in self._dave.lines), "dave has no answer")
        rows = [json.loads(line)["room"] for line in self._dave.lines if '"type":"room"' in line]
        check(rows == ["main", "blue"], f"in JSON the rooms are {rows}")

    def wander(self):
        """Carol and Dave go back and forth while there are bids in both rooms."""
        carol, dave = self._carol, self._dave
        for turn in range(TURNS):
            here, there = ("blue", "main") if turn % 2 else ("main", "blue")
            carol.request(f"join {here}", f"OK join {here}")
            dave.send_lines(f"#{turn} join {there}")
            amount, resident = 100 + 10 * turn, self._alice if here == "blue" else self._bob
            carol.request(f"bid {amount}", f"OK bid {amount}")
            resident.request(f"bid {amount + 5}", f"OK bid {amount + 5}")
            carol.expect(rf"PRICE {amount + 5} {resident.name} .+")
        before = len(carol.lines)
        carol.request("join blue", "OK join blue")
        check(carol.lines[before:].count("OK join blue") == 1 and not any(
            line.startswith("HELLO") for line in carol.lines[before:]), "a room is greeted again by whom it has")
        self._testbed.wait(lambda: any(f'"tag":"{TURNS - 1}"' in line for line in dave.lines), "dave has no answer")
        check_numbers(dave.lines)

    def rule(self):
        """A room's key counts in that room until its auctioneer leaves; the server's token counts everywhere."""
        alice, refused = self._alice, "ERROR not-auctioneer .+"
        for command, answer in (
                ("pause", refused), (f"auctioneer {self._key}", "OK auctioneer"), ("pause", "OK pause"),
                ("resume", "OK resume"), ("stop", refused), ("join main", "OK join main"), ("pause", refused),
                (f"auctioneer {self._key}", "ERROR wrong-token .+"), ("join blue", "OK join blue"), ("pause", refused),
                (f"auctioneer {TOKEN}", "OK auctioneer"), ("join main", "OK join main"), ("pause", "OK pause"),
                ("resume", "OK resume"), ("join blue", "OK join blue"), ("kick carol two rooms", "OK kick")):
            alice.request(command, answer)
        self._carol.expect("BYE kicked")
        carol = self._testbed.spawn("carol", "nc", HOST, str(self._testbed.port))
        carol.request(f"name carol {self._tokens['carol']}", "OK name carol .+")
        carol.request("join blue", "ERROR kicked .+")
        self._peers.append(carol)

    def restart(self):
        """The server is killed: each room is where it was, with its key, and each name is open in each room."""
        self._server.kill()
        self._judge(was_cut=True)
        self._enter()
        alice, bob = self._alice, self._bob
        check("LOT 1 Vase" in bob.lines, f"main was restored as {bob.lines}")
        alice.request("join blue", "OK join blue")
        alice.expect(r"PURSE \d+")
        bob.request("join blue", "OK join blue")
        bob.expect("PURSE 1000")
        alice.request(f"auctioneer {self._key}", "OK auctioneer")
        self._carol.request("join blue", "ERROR kicked .+")

    def end(self):
        """Blue is sold out; the journal and the results have each room by itself."""
        alice, bob = self._alice, self._bob
        alice.request("hammer", "OK hammer")
        alice.expect(r"LOT 2 lot-2")
        bob.request("bid 30", "OK bid 30")
        alice.request("hammer", "OK hammer")
        alice.expect("OVER 2")
        champion = alice.expect(r"CHAMPION \S+ -?\d+")
        bob.expect(champion)
        self._server.stop()
        self._judge(was_cut=False)
        for name, room in self._journal.rooms.items():
            check_with_server(self._testbed.server_path, self._folder, room.history, name)
        for room in ("green", "../blue", "Blue"):
            refused = self._testbed.run_server("--results", self._folder, "--room", room)
            check(refused.exit_code() in (1, 2) and not refused.lines and len(refused.errors.lines) == 1,
                  f"the results of {room} were {refused.lines}, and printed {refused.errors.lines}")

    def _judge(self, was_cut):
        """One order of events for each room explains what everybody received."""
        connections = [peer.connection for peer in self._peers]
        for connection in connections:
            connection.was_cut = was_cut
        self._journal.read()
        self._judge_of_all.judge(connections, self._floors)
        self._floors = self._judge_of_all.floors()


def private(peer):
    """The lines that it alone received."""
    return [line for line in peer.lines if line.startswith(("PURSE ", "WORTH "))]


def check_numbers(lines):
    """In each room the numbers of the news begin after those of the snapshot, and grow by one."""
    last = None
    for line in lines:
        fields = json.loads(line) if line.startswith("{") else {}
        if fields.get("type") == "hello":
            last = None
        elif fields.get("snapshot"):
            last = max(last or 0, fields["seq"])
        elif "seq" in fields:
            check(last is None or fields["seq"] == last + 1 or fields["type"] == "joined" and fields["seq"] > last,
                  f"after event {last} of a room came {line}")
            last = fields["seq"]
