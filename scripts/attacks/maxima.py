"""Attacks on the price: two names of one person who want to keep everybody else out of a lot."""

from __future__ import annotations

import json

from checks import check
from harness import Attack
from protocol import parse

RAISE, RESERVE = 100, 55_511
HIGHEST = 10 ** 12
TURNS = 40
FLAGS = "--most-raise", str(RAISE), "--seconds", "60", "--reserve", str(RESERVE), "--data", "none"


class Follower:
    """Follows the price in JSON, and answers for one name."""

    def __init__(self, testbed, name):
        self.peer = testbed.connect(name)
        self.price, self.minimum, self.maximum, self.leader = 0, None, None, ""
        self.peer.on_line = self._receive
        self.peer.request(f"name {name}", f"OK name {name} .+")
        self.peer.request("format json", "OK format json")
        self.ask("status")

    def _receive(self, line):
        if line.startswith("{"):
            fields = json.loads(line)
            if fields["type"] in ("lot", "price"):
                self.price, self.leader = fields.get("amount", 0), fields.get("bidder", "")
                self.minimum, self.maximum = fields.get("minimum"), fields.get("maximum")

    def ask(self, command):
        """The answer to a command."""
        self.peer.send_lines(command)
        return parse(self.peer.expect(r'\{"type":"(ok|error)".*'))


def play_two_names(testbed):
    """Whatever two send, one command raises the price by the greatest raise at most, and the next honest bid leads."""
    testbed.serve(*FLAGS)
    names = [Follower(testbed, name) for name in ("ann", "bob")]
    honest = Follower(testbed, "honest")
    for turn in range(TURNS):
        for name in names:
            for command in (f"max {HIGHEST}", f"bid {HIGHEST}", f"max {RESERVE}", f"max {name.maximum}",
                            f"bid {name.maximum}"):
                before = honest.price
                answer = name.ask(command)
                honest.ask("ping")
                check(honest.price <= max(before, 1) + RAISE,
                      f"{command} raised the price from {before} to {honest.price}: {answer}")
        minimum = honest.minimum
        check(minimum is not None and minimum <= honest.price + RAISE, f"nobody can bid more than {honest.price}")
        answer = honest.ask(f"bid {honest.maximum}")
        check(answer.kind == "ok", f"an honest bid of {honest.maximum} was answered {answer} in turn {turn}")
        check(honest.leader == "honest", f"{honest.leader} leads after an honest bid of the most")
    return [f"{honest.price} after {TURNS} turns"]


ATTACKS = (Attack("maxima", "two names of one person set the highest maxima, to keep others out of a lot",
                  play_alone=play_two_names),)
