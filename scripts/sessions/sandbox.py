"""A folder in which the shell blocks of a page are run, with the real programs on free ports."""

import os
import random
import re
import subprocess
import sys

import students
from checks import check
from programs import HOST

SOLD = (("bob", 125, "Blue vase"), ("alice", 80, "Clock"), ("carol", 210, "Lamp"))
"""The lots in the journal that the pages look at; after them one is open."""
BACKGROUND = {"auction-server": "7777", "stunnel": "7778"}
"""The programs that run until they are killed, and their ports in the pages."""
CLASS = "groups 3\nseconds 1\npause 0\nshow nothing\nrounds 1 practice, 1 sealed, 1 vickrey\n"
LOAD = {"bids": "--seconds 0.2", "fanout": "--observers 20 --bids 20",
        "idle": "--observers 20 --seconds 0.2", "rooms": "--observers 5 --rooms 1 --seconds 2.5"}
"""Flags that make a measurement short; of two values the last counts."""
WRAPPERS = {
    "auction-server": """
for word; do case "$word" in --check|--results|--class-example) exec {server} "$@" ;; esac; done
echo $$ > server.pid
exec {server} "$@" --host 127.0.0.1 --port {port}
""",
    "auction-client": 'exec {client} "$@"',
    "auction-bench": """
case "$1" in
{load}
*) exit 2 ;;
esac
exec {bench} "$@" $short --port {port}
""",
    # No other server on this machine may get the signal.
    "pidof": '[ "$1" = auction-server ] && cat server.pid',
}


class Sandbox:
    """The folder, its servers and its ports."""

    def __init__(self, testbed, has_game=False):
        """With `has_game` there is a journal in its `auction-data`."""
        self.testbed = testbed
        self.folder = os.path.join(testbed.folder, f"sandbox-{len(os.listdir(testbed.folder))}")
        self.ports = {port: str(testbed.free_port()) for port in ("7777", "7778", "7779")}
        self.programs = os.path.join(self.folder, "programs")
        os.makedirs(self.programs)
        self._running = {}
        self._wrap()
        if has_game:
            sell(testbed, os.path.join(self.folder, "auction-data"))

    def _wrap(self):
        load = "\n".join(f'{name}) short="{flags}" ;;' for name, flags in LOAD.items())
        for name, text in WRAPPERS.items():
            path = os.path.join(self.programs, name)
            with open(path, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n" + text.format(
                    server=self.testbed.server_path, client=self.testbed.client_path,
                    bench=self.testbed.bench_path, port=self.ports["7777"], load=load))
            os.chmod(path, 0o755)

    def run(self, block):
        """Runs a block of commands, compares what a console shows, or writes a file."""
        if block.language == "ini":
            name = re.fullmatch(r"# (\S+)", block.lines[0])[1]
            with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
                file.write(self.adapted(block.text))
        elif block.language == "console":
            self.compare(block)
        elif block.language == "python":
            (self.verify if "sys.argv" in block.text else self.evaluate)(block)
        else:
            for command in commands(block.lines):
                self.execute(command, block.place, block.directive("typed"))

    def adapted(self, text):
        """The text with ports that are free, this machine for others, and short countdowns."""
        text = re.sub(rf"\b({'|'.join(self.ports)})\b", lambda port: self.ports[port[0]], text)
        text = text.replace("-connect auction.example:", f"-connect {HOST}:")
        return text.replace(".build/release/", "").replace("--seconds 7", "--seconds 1")

    def execute(self, command, place, typed=None):
        """Runs one command with what is typed to it, or starts one that does not end by itself."""
        program = os.path.basename(command.split()[0])
        is_started = program in BACKGROUND and not re.search(r"--(check|results|class-example)\b", command)
        if is_started:
            self.stop(program)
            command = "exec " + command.removesuffix("&")
        if "$!" in command:
            command = command.replace("$!", str(list(self._running.values())[-1].process.pid))
        path = self.programs + os.pathsep + os.environ["PATH"]
        spawned = self.testbed.spawn(command, "bash", "-c", self.adapted(command), folder=self.folder, PATH=path,
                                     AUCTION_PORT=self.ports["7777"])
        if is_started:
            self._running[program] = spawned
            self.testbed.expect_port(int(self.ports[BACKGROUND[program]]), spawned)
            return ""
        if typed:
            spawned.send_lines(typed)
        spawned.finish()
        code = spawned.exit_code()
        printed = "\n".join(spawned.lines)
        check(code == 0 and (not typed or f"OK {typed}" in printed), f"{place}: {command!r} exited {code}",
              *spawned.errors.lines, printed)
        return printed

    def compare(self, block):
        """Fails unless each command prints what the block shows, except for numbers and times."""
        for example in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, shown = example.partition("\n")
            printed = self.execute(command, block.place).splitlines()
            check(list(map(masked, printed)) == list(map(masked, shown.splitlines())),
                  f"{block.place}: {command!r} printed {printed}")

    def verify(self, block):
        """Runs a script that verifies a journal, with a sound one and with a damaged one."""
        journal = os.path.join(self.folder, "auction-data", "000000000001.journal")
        for text, code in (("", 0), ("9 00000000 PRICE 1 eve 00:00.0 1\n", 1)):
            with open(journal, "a", encoding="ascii") as file:
                file.write(text)
            done = subprocess.run([sys.executable, "-c", block.text, journal], capture_output=True, check=False)
            check(done.returncode == code, f"{block.place}: exited {done.returncode}, not {code}: {done.stderr}")

    def evaluate(self, block):
        """Runs a script that reads the tables of a class, which is played for it."""
        for name, table in zip(students.TABLES, students.play(self.testbed, [CLASS], 6, random.Random(1))):
            with open(os.path.join(self.folder, name), "w", newline="", encoding="utf-8") as file:
                file.write(table)
        done = subprocess.run([sys.executable, "-c", block.text], cwd=self.folder, capture_output=True, text=True, check=False)
        check(done.returncode == 0 and done.stdout and not done.stderr, f"{block.place}: exited {done.returncode}",
              done.stdout, done.stderr)

    def stop(self, program):
        """Ends the program, if it runs."""
        if running := self._running.pop(program, None):
            running.close()

    def close(self):
        """Ends what still runs."""
        for program in list(self._running):
            self.stop(program)


def sell(testbed, folder):
    """Makes a journal with three sold lots and an open one."""
    token = "0123456789abcdef" * 2
    lots = [word for _, _, title in SOLD for word in ("--lot", title)]
    server = testbed.serve("--data", folder, "--pause", "0", *lots, "--lot", "Chair", "--worth", "50..150", "--seed", "1",
                        "--auctioneer-token-file", testbed.secret("sandbox-key", token))
    auctioneer = testbed.connect("auctioneer")
    auctioneer.request(f"auctioneer {token}", "OK auctioneer")
    people = {name: testbed.bidder(name) for name, _, _ in SOLD}
    for name, price, title in SOLD:
        people[name].expect(rf"LOT \d {title}")
        people[name].request(f"bid {price}", rf"OK bid {price}")
        auctioneer.request("hammer", "OK hammer")
    people["alice"].expect(r"LOT 4 Chair")
    people["alice"].request("bid 120", "OK bid 120")
    server.stop()


def commands(lines):
    """The commands of a block; a backslash at the end of a line continues it."""
    text = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def masked(line):
    """The line without its numbers; `1 bid` and `2 bids` are the same."""
    line = re.sub(r"\d\d:\d\d\.\d", "TIME", line)
    line = re.sub(r"^((?:bid|lot)(?:,[^,]*){8}),\d+", r"\1,MILLISECONDS", line)
    if line.startswith("sound:"):
        line = re.sub(r"\d+ bids?", "BIDS", re.sub(r"events \d+ to \d+", "EVENTS", line))
    return line
