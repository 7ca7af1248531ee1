"""The news of a game, and whether everybody heard the same."""

from __future__ import annotations

import collections

from peer import check

NEWS = {"LOT", "PRICE", "COUNTDOWN", "LAST", "GOING", "WINNER", "PASSED", "OVER", "JOINED", "LEFT",
        "PAUSED", "RESUMED", "HAMMERED", "VOIDED", "KICKED", "STOPPED", "SKIPPED"}
OTHER_WORDS = {"OK", "ERROR", "LAP", "WHO", "HELP", "HELLO", "BYE"}


def word(line):
    """The first word, which tells what a line is."""
    return line.partition(" ")[0]


def news(lines):
    """The lines that are news, or the snapshot before them."""
    return [line for line in lines if word(line) in NEWS]


def bids(lines):
    """The numbers of the bids, in the order heard."""
    return [int(line.split()[4]) for line in lines if line.startswith("PRICE ")]


class Scene:
    """What a newcomer would be told after each line of news."""

    def __init__(self):
        self.lot = self.price = self.countdown = self.outcome = self.over = self.paused = None

    def follow(self, line):
        kind = word(line)
        if kind == "LOT":
            self.__init__()
            self.lot = line
        elif kind == "VOIDED":
            self.price = self.countdown = None
        elif kind in ("PAUSED", "RESUMED"):
            self.paused = line if kind == "PAUSED" else None
        elif kind == "PRICE":
            self.price = line
        elif kind == "COUNTDOWN":
            self.countdown = line
        elif kind in ("WINNER", "PASSED"):
            self.outcome = line
        elif kind == "OVER":
            self.over, self.paused = line, None

    def snapshots(self):
        """The lines of the snapshot; between lots the lot itself may be named or not."""
        if self.outcome is None:
            lines = (self.lot, self.price, self.countdown, self.paused)
            return [tuple(line for line in lines if line)]
        lines = tuple(line for line in (self.outcome, self.over, self.paused) if line)
        return [lines, (self.lot, *lines)]


class Record:
    """All the news, as a watcher heard it who was there before the first bid."""

    def __init__(self, lines):
        self.lines = news(lines)
        self._places = collections.defaultdict(list)
        scene = Scene()
        for place, line in enumerate(self.lines, start=1):
            scene.follow(line)
            for snapshot in scene.snapshots():
                self._places[snapshot].append(place)

    def place_after(self, heard, is_complete=True):
        """Where in the record the lines go on after the snapshot they begin with; nil if nowhere.

        Complete lines reach the end of the record; of others only the whole lines count.
        """
        for length in range(1, min(5, len(heard)) + 1):
            rest = heard[length:]
            for place in self._places.get(tuple(heard[:length]), ()):
                end = place + len(rest)
                if self.lines[place:end] == rest and (end == len(self.lines) or not is_complete):
                    return place
        return None

    def check_heard(self, peer, is_complete=True):
        """Fails unless the peer heard a snapshot and from there on just what the record says."""
        if not peer.lines and not is_complete:
            return
        check(word(peer.lines[0]) == "HELLO", f"{peer.name}: the first line is {peer.lines[0]!r}")
        strange = [line for line in peer.lines if word(line) not in NEWS | OTHER_WORDS]
        check(not strange, f"{peer.name}: heard lines that the protocol has not: {brief(strange)}")
        heard = news(peer.lines)
        check(self.place_after(heard, is_complete) is not None,
              f"{peer.name}: heard other news than the watcher: {brief(heard)}, "
              f"and the watcher {brief(self.lines)}")

    def check_game(self):
        """Fails unless each lot is one rising price with one winner, its last bidder."""
        bids, voided, outcome, countdown = [], None, None, None
        for before, line in zip([""] + self.lines, self.lines):
            words = line.split()
            if words[0] == "LOT":
                check(not bids or outcome, f"a lot ended without a winner before {line!r}")
                bids, voided, outcome, countdown = [], None, None, None
            elif words[0] == "PRICE" and voided:
                check(line == bids[-1], f"{bids[-1]!r} leads again, but {line!r}")
                voided = None
            elif words[0] == "PRICE":
                price = int(bids[-1].split()[1]) if bids else 0
                check(int(words[1]) > price, f"the price does not rise: {line!r} after {price}")
                check(int(words[4]) == len(bids) + 1, f"bid {len(bids)} is followed by {line!r}")
                check(outcome is None, f"a bid after the hammer: {line!r}")
                bids.append(line)
            elif words[0] == "VOIDED":
                check(bids and bids[-1].split()[1:3] == words[1:3], f"{line!r} after {bids[-1:]}")
                bids.pop()
                voided, countdown = line if bids else None, None
            elif words[0] == "RESUMED":
                countdown = None
            elif words[0] == "COUNTDOWN":
                check(line != countdown, f"the countdown repeats itself: {line!r}")
                check(bids, f"the countdown runs before the first bid: {line!r}")
                countdown = line
            elif words[0] == "PASSED":
                outcome = line
            elif words[0] == "WINNER":
                check(outcome is None, f"a second winner: {line!r} after {outcome!r}")
                check(before in ("COUNTDOWN 0", "HAMMERED"), f"{line!r} came after {before!r}")
                check(bids and words[1:3] == bids[-1].split()[2:0:-1],
                      f"the last bid was {bids[-1:]}, but {line!r}")
                outcome = line


def check_answers(peer):
    """Fails unless the peer heard just one answer to each command."""
    count = len(peer.answers())
    check(count == peer.commands, f"{peer.name}: {peer.commands} commands got {count} answers")


def brief(lines):
    """The ends of a long list."""
    if len(lines) < 12:
        return lines
    return [*lines[:5], f"... {len(lines) - 10} more ...", *lines[-5:]]
