"""Plays a transcript of nc against a server, and compares the lines."""

import re

from checks import check
from programs import HOST

TYPED = re.compile(r"(.*?) +<- typed")
OTHER_TIMES = ((re.compile(r"game=\w+"), "game=GAME"), (re.compile(r"\b\d\d:\d\d\.\d\b"), "TIME"),
               (re.compile(r"\b[0-9a-f]{32}\b"), "TOKEN"))
"""What differs each time it is played."""


def play_transcript(testbed, block, flags):
    """Plays the block against a server with these flags.

    Lines marked as typed are sent, and all others must come, in this order; `...` stands for any lines. The
    other bidders in it join where it has `JOINED`, and bid where it has `PRICE`.
    """
    testbed.serve(*with_token_file(testbed, block, flags))
    check(block.lines[0] == "$ nc 127.0.0.1 7777", f"{block.place} begins with {block.lines[0]!r}")
    player = Player(testbed, block)
    for line in block.lines[1:]:
        player.play(line)
    player.finish()


def with_token_file(testbed, block, flags):
    """The flags, with the path of a file that holds the auctioneer's token of the transcript."""
    if "--auctioneer-token-file" not in flags:
        return flags
    path = testbed.secret("transcript-key", re.search(r"^auctioneer (\w+)", block.text, re.MULTILINE)[1])
    place = flags.index("--auctioneer-token-file") + 1
    return [*flags[:place], path, *flags[place + 1:]]


class Player:
    """The user of nc, and the other bidders in the transcript."""

    def __init__(self, testbed, block):
        self.testbed, self.place = testbed, block.place
        self.me = testbed.spawn("nc", "nc", HOST, str(testbed.port))
        self.name, self.others = None, {}
        self.received, self.may_skip, self.before = 0, False, ""

    def play(self, line):
        """Does what leads to the line, and waits for it."""
        typed = TYPED.fullmatch(line)
        if typed:
            words = typed[1].split()
            self.name = words[1] if words[0] == "name" else self.name
            return self.me.send_lines(typed[1])
        if line == "...":
            self.may_skip = True
            return None
        self.let_others_act(line)
        self.expect(line)
        self.may_skip, self.before = False, line
        return None

    def let_others_act(self, line):
        word, *rest = line.split()
        if word == "JOINED" and rest[0] != self.name:
            self.others[rest[0]] = self.testbed.connect(rest[0])
            self.others[rest[0]].send_lines(f"name {rest[0]}")
        is_restored = self.before.startswith("VOIDED ")
        if word == "PRICE" and rest[1] != self.name and not is_restored:
            self.others[rest[1]].send_lines(f"bid {rest[0]}")

    def expect(self, line):
        """Waits for the next line, or for any later one after `...`."""
        while True:
            self.testbed.wait(lambda: len(self.me.lines) > self.received, f"{self.place}: no {line!r}")
            received = self.me.lines[self.received]
            self.received += 1
            if masked(received) == masked(line):
                return
            check(self.may_skip, f"{self.place}: shows {line!r}, and {received!r} received")

    def finish(self):
        rest = self.me.lines[self.received:]
        check(not rest, f"{self.place}: leaves out {rest}")
        for peer in (self.me, *self.others.values()):
            peer.finish()


def masked(line):
    for pattern, word in OTHER_TIMES:
        line = pattern.sub(word, line)
    return line
