"""Proves from a journal's folder and the bidders' logs, and nothing else, that they agree."""

from __future__ import annotations

import json
import os
import subprocess

from ledger import Ledger
from segments import JournalReader
from violation import Violation
from witness import Answers, Witness

PATIENCE = 30.0


class Checker:
    """Takes in what the files hold, again and again while they grow; each time all must agree."""

    def __init__(self, folder: str, logs: list[str], strangers: tuple[str, ...] = ()):
        """Strangers are bidders who keep no log."""
        self.folder, self._strangers = folder, strangers
        self.ledger, self.answers = Ledger(), Answers()
        self._reader = JournalReader(folder)
        self._witnesses = [Witness(path, self.ledger, self.answers) for path in logs]
        self._checked_bids = self._tails = 0

    def look(self):
        """Checks what came since the last look, and what it has to do with all before.

        - Throws: `Violation`. No server may be at work in the folder meanwhile.
        """
        for line in self._reader.read():
            self.ledger.take(line)
        self._tails += bool(self._reader.unfinished)
        while any([witness.look() for witness in self._witnesses]):
            pass
        self._check_asked()

    def figures(self) -> str:
        bids = sum(witness.said for witness in self._witnesses)
        heard = sum(witness.heard for witness in self._witnesses)
        return (f"{bids} bids sent, {len(self.answers.acknowledged)} acknowledged, "
                f"{len(self.ledger.events)} events, {len(self.ledger.winners())} lots sold, "
                f"{heard} lines heard, {self._tails} writes cut short")

    def close(self):
        for witness in self._witnesses:
            witness.close()

    def _check_asked(self):
        """Fails if a bid of the journal is one that nobody made, or that was refused."""
        bids = list(self.ledger.bids.values())
        for bid in bids[self._checked_bids:]:
            same = self.ledger.bids_of[bid.bidder, bid.amount]
            silent = [other for other in same if other.event not in self.answers.acknowledged]
            if bid.bidder in self._strangers:
                continue
            if len(silent) > self.answers.unanswered[bid.bidder, bid.amount]:
                raise Violation("a bid that nobody made, or that was refused",
                                *(self.ledger.event(other.event) for other in silent))
        self._checked_bids = len(bids)


def check_with_server(server: str, folder: str, ledger: Ledger):
    """Fails unless the server itself finds the folder sound, and the same winners in it."""
    before = contents(folder)
    run(server, "--check", folder)
    results = run(server, "--results", folder, "--json")
    if contents(folder) != before:
        raise Violation("looking at the folder changed it")
    compare_results(results.splitlines(), ledger)


def run(server, *flags) -> str:
    done = subprocess.run([server, *flags], capture_output=True, text=True, timeout=PATIENCE,
                          check=False)
    if done.returncode != 0:
        raise Violation(f"{' '.join(flags)} exited {done.returncode}", done.stdout, done.stderr)
    return done.stdout


def contents(folder):
    """The bytes of every file."""
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


def compare_results(lines: list[str], ledger: Ledger):
    """Fails unless the lines are the winners, as JSON."""
    listed = []
    for line in lines:
        fields = json.loads(line)
        if fields.get("type") == "winner":
            listed.append((fields["lot"], fields["title"], fields["bidder"], fields["amount"]))
    for ours, theirs in zip(ledger.winners(), listed):
        if ours != theirs:
            raise Violation("the results tell another winner", ours, theirs)
    if len(listed) != len(ledger.winners()):
        raise Violation(f"{len(ledger.winners())} lots were sold, the results list {len(listed)}")
