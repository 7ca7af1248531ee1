"""What one bidder alone may know reaches nobody else, in no format, page, figure or log line, before it is told.

Every secret is a number of twelve digits that occurs nowhere else, so that it is found in any bytes.
"""

import http.client
import json
import os
import re

import exposition
from checks import check
from programs import HOST
from websocket import WebSocket

TITLE = "worths, purses, maxima, sealed bids and reserves reach nobody else, also after a restart"
RESERVE, MAXIMUM, LOWER_MAXIMUM = "314159265358", "271828182845", "200000000001"
ALICES_BID, BOBS_FIRST, BOBS_BID, LAMP_RESERVE = "161803398874", "141421356237", "173205080756", "123581321345"
PURSE, WORTHS = "900000000000", "100000000000..999999999999"
LOTS = f"Vase reserve={RESERVE}\n# the next is sealed\n\nLamp format=vickrey reserve={LAMP_RESERVE}\nClock\n"
TOKEN = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
QUESTIONS = ("status", "laps", "results", "who", "standings", "help", "resume 1")
PATHS = ("/", "/metrics", "/health")


def play(testbed):
    Table(testbed).play()
    repeat_draws(testbed)
    for room in ("main", "blue"):
        count_nothing(testbed, room, "format=sealed", "bid 5", SEALED)
        count_nothing(testbed, room, "format=english", "bid 10", MAXIMA)


class Table:
    """Two bidders, and everybody who may not know their secrets."""

    def __init__(self, testbed):
        self._testbed = testbed
        self._lots = os.path.join(testbed.folder, "lots")
        with open(self._lots, "w", encoding="ascii") as file:
            file.write(LOTS)
        self._secrets: dict[str, str] = {}
        """By number: the name of the bidder who may know it, or nothing."""
        self._seen: list[tuple[str, str]] = []
        """Whatever anybody received, with the name of the receiver."""
        self._tokens: dict[str, str] = {}
        self._peers = {}
        self._port = testbed.free_port()

    def play(self):
        self._start()
        self._secrets |= {RESERVE: "", LAMP_RESERVE: ""}
        for name in ("alice", "bob"):
            self._learn(name, r"WORTH (\d{12})")
        self._bid_maxima()
        self._restart()
        self._expect("alice", "MAX", MAXIMUM)
        self._peers["judge"].request("hammer", "OK hammer")
        self._peers["bob"].expect(r"PASSED 1 reserve-not-met Vase")
        for name in ("alice", "bob"):
            self._learn(name, r"WORTH (\d{12})")
        self._bid_in_private()
        self._restart()
        self._expect("alice", "YOURS", ALICES_BID)
        self._expect("bob", "YOURS", BOBS_BID)
        self._ask_everything()
        self._reveal()

    def _start(self):
        self._server = self._testbed.serve(
            "--seconds", "60", "--pause", "0", "--data", os.path.join(self._testbed.folder, "data"), "--lots-file",
            self._lots, "--purse", PURSE, "--worth", WORTHS, "--most-raise", "none",
            "--log-level", "debug", "--auctioneer-token-file",
            self._testbed.secret("key", TOKEN), port=self._port)
        self._peers = {name: self._testbed.connect(name, waits=False) for name in ("alice", "bob", "judge", "json", "text")}
        self._peers["judge"].request(f"auctioneer {TOKEN}", "OK auctioneer")
        self._peers["json"].request("format json", "OK format json")
        self._web = WebSocket((HOST, self._port))
        for name in ("alice", "bob"):
            answer = self._peers[name].request(f"name {name} {self._tokens.get(name, '')}", r"OK name .+")
            self._tokens[name] = answer.split()[-1]

    def _restart(self):
        """Kills the server; what was only for one bidder is told to that bidder again, and is the same."""
        self._ask_everything()
        self._server.kill()
        for peer in self._peers.values():
            peer.expect_end()
        self._web.close()
        self._keep()
        self._start()

    def _bid_maxima(self):
        """The maximum of a bidder leads at one more than the other's, and both stay below the reserve."""
        alice, bob = self._peers["alice"], self._peers["bob"]
        alice.request(f"max {MAXIMUM}", f"OK max {MAXIMUM}")
        self._secrets[MAXIMUM] = "alice"
        self._learn("alice", r"PURSE (\d{12})")
        bob.request("bid 5", "OK bid 5")
        bob.expect(r"PRICE 6 alice .+")
        self._ask_everything()
        bob.request(f"max {LOWER_MAXIMUM}", f"OK max {LOWER_MAXIMUM}")
        alice.expect(rf"PRICE {LOWER_MAXIMUM} bob .+")
        alice.expect(rf"PRICE {int(LOWER_MAXIMUM) + 1} alice .+")

    def _bid_in_private(self):
        """Both bid in private, and one replaces the bid: the first amount is never told."""
        for name, amount in (("alice", ALICES_BID), ("bob", BOBS_FIRST), ("bob", BOBS_BID)):
            self._peers[name].request(f"bid {amount}", f"OK bid {amount}")
            self._secrets[amount] = name
            self._learn(name, r"PURSE (\d{12})")
            self._ask_everything()
        self._peers["text"].expect("SEALED 2")

    def _reveal(self):
        """At the end both bids are told to all, and nothing else is."""
        text = self._peers["text"]
        self._peers["judge"].request("hammer", "OK hammer")
        text.expect(f"REVEALED {BOBS_BID} bob")
        text.expect(f"REVEALED {ALICES_BID} alice")
        text.expect(rf"WINNER bob {ALICES_BID} \S+ Lamp")
        for amount in (ALICES_BID, BOBS_BID):
            del self._secrets[amount]
        # With a profit the worth of the sold lot would follow from its price.
        standing = text_of(text, "standings", r"STANDING 1 bob lots=1 .+")
        check(standing and "profit" not in standing, f"the standings have {standing}")
        # All that is left of a purse follows from the prices.
        self._secrets.pop(str(int(PURSE) - int(ALICES_BID)), None)
        self._server.stop()
        self._keep()
        self._check()

    def _learn(self, name, pattern):
        """Waits for a private line, whose number is a secret from now on."""
        number = re.fullmatch(pattern, self._peers[name].expect(pattern))[1]
        self._secrets[number] = name

    def _expect(self, name, word, amount):
        """After a name is opened again its bidder is told what holds: the purse, the worth and the own bid."""
        peer = self._peers[name]
        purse, worth = peer.expect(r"PURSE \d{12}"), peer.expect(r"WORTH \d{12}")
        peer.expect(f"{word} {amount}")
        for line in (purse, worth):
            check(self._secrets.get(line.split()[1]) == name, f"after the restart {name} is told another {line}")

    def _ask_everything(self):
        """Somebody without a name, the auctioneer and a browser ask for all there is."""
        for name in ("judge", "text"):
            for question in QUESTIONS:
                self._peers[name].request(question, r"OK .+")
        peer = self._peers["json"]
        tag = f"json{len(peer.lines)}"
        peer.send_lines(*QUESTIONS, f"#{tag} ping")
        self._testbed.wait(lambda: any(tag in line for line in peer.lines), "no answer in JSON")
        for question in QUESTIONS:
            self._web.say(question)
        self._web.say("#web ping")
        while (message := self._web.message()).get("tag") != "web":
            self._seen.append(("web", json.dumps(message)))
        for path in PATHS:
            connection = http.client.HTTPConnection(HOST, self._port, timeout=20)
            connection.request("GET", path)
            self._seen.append((path, connection.getresponse().read().decode()))
            connection.close()
        self._check()

    def _keep(self):
        """Keeps what the ended connections received, and what the server has printed."""
        self._seen += ((name, "\n".join(peer.lines)) for name, peer in self._peers.items())
        self._seen += (("the log", "\n".join(printed.lines)) for printed in (self._server, self._server.errors))

    def _check(self):
        """Fails if somebody has received a secret of somebody else."""
        now = [(name, "\n".join(peer.lines)) for name, peer in self._peers.items()]
        log = ("the log", "\n".join(self._server.errors.lines))
        for number, owner in self._secrets.items():
            for name, text in (*self._seen, *now, log):
                check(name == owner or number not in text, f"{name} received {number}, which is for {owner or 'nobody'}",
                      *(line for line in text.splitlines() if number in line))


def text_of(peer, command, pattern):
    """The first line of the answer that the pattern matches."""
    start = len(peer.lines)
    peer.request(command, r"OK .+")
    return next((line for line in peer.lines[start:] if re.fullmatch(pattern, line)), None)


SEALED = ("bid 6", "bid 123456789", "bid 60", "bid 999999999999", "max 70")
MAXIMA = ("max 20", "max 123456789", "max 999999999999", "max 0")
"""Some of them are refused, which is as secret."""
EXCEPTED = {
    "auction_turn_seconds": "whatever arrives or is due causes a turn",
    "process_cpu_seconds_total": "whatever arrives or is due takes time",
    "process_resident_memory_bytes": "memory is taken and given back at any time",
    "auction_log_free_bytes": "whatever else writes to the disk changes it",
    "auction_log_sync_seconds_sum": "the time of the disk",
    "auction_log_sync_seconds_bucket": "the time of the disk",
    "auction_countdown_lateness_seconds_sum": "the time of the machine",
    "auction_countdown_lateness_seconds_bucket": "the time of the machine",
}
"""The figures that depend on time, and why."""
TRIES = 12
"""The machine may be late, so that a second ends after the figures were read."""


def count_nothing(testbed, room, options, first, commands):
    """No figure tells before the end of the lot that a secret command was sent, or how long it was."""
    name, value = options.split("=")
    server = testbed.serve("--seconds", "3000", "--purse", "900000000000", "--data", os.path.join(testbed.folder, room + value),
                           *(("--format", value) if room == "main" else ()))
    alice, observer = (testbed.connect(name, waits=False) for name in ("alice", "observer"))
    if room != "main":
        alice.request(f"open {room} {options} purse=900000000000", r"OK open .+")
        observer.request(f"join {room}", r"OK join .+")
    for command in ("name alice", first):
        alice.request(command, r"OK .+")
    for command in commands:
        for _ in range(TRIES):
            usual = growth(testbed, observer, lambda: None)
            found = growth(testbed, observer, lambda command=command: alice.request(command, r"OK .+|ERROR .+"))
            told = {figure: (usual[figure], found[figure]) for figure in found if usual.get(figure) != found[figure]}
            if not told:
                break
        check(not told, f"the figures tell in {room} of {command}", *(f"{figure}: {told[figure]}" for figure in told))
    server.stop()


def growth(testbed, observer, act):
    """By how much each figure grows in a second of the countdown in which something is done."""
    before = figures_after_second(testbed, observer)
    act()
    after = figures_after_second(testbed, observer)
    return {figure: value - before.get(figure, 0) for figure, value in after.items()
            if not "".join(figure).startswith(tuple(EXCEPTED))}


def figures_after_second(testbed, observer):
    count = len(observer.lines)
    testbed.wait(lambda: any(line.startswith("COUNTDOWN ") for line in observer.lines[count:]), "no second has passed")
    connection = http.client.HTTPConnection(HOST, testbed.port, timeout=20)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return exposition.parse(text)


def repeat_draws(testbed):
    """A seed draws the same worths for the same names at each start, and others for other names, lots and seeds."""
    drawn = {}
    for start, seed in enumerate(("7", "7", "8")):
        server = testbed.serve("--worth", WORTHS, "--seed", seed, "--lots", "2", "--data", "none")
        for name in ("alice", "bob"):
            peer = testbed.connect(f"{name} {start}", waits=False)
            peer.request(f"name {name}", r"OK name .+")
            drawn[start, name] = peer.expect(r"WORTH \d{12}")
        server.stop()
    for name in ("alice", "bob"):
        check(drawn[0, name] == drawn[1, name] != drawn[2, name], f"{name} was told {drawn}")
    check(len(set(drawn.values())) == 4, f"some worths are equal: {drawn}")
