"""Bots of every strategy play whole sales: to the end, and until an interrupt."""

import re
import signal

from checks import check

TITLE = "bots of every strategy in all formats, and an interrupt"
PROGRAMS = ("client",)
KINDS = ("truthful", "sniper", "jumper", "shader", "random", "zip", "proxy")
LOTS = """Vase seconds=1
Clock format=dutch start=160 step=20 seconds=2
Lamp format=sealed seconds=2
Chair format=vickrey seconds=2
Mirror reserve=60 seconds=1
"""
PURSE, VALUES = 400, "50..150"
SALE_SECONDS = 60.0
ROW = re.compile(r" *\d+  (?P<bidder>\S+) +(?P<lots>\d+) +(?P<spent>\d+) +(?P<left>\d+) +(?P<profit>-?\d+)")


def play(testbed):
    play_to_the_end(testbed)
    leave(testbed)
    refuse(testbed)


def play_to_the_end(testbed):
    """Every lot is sold; what the bots print agrees with the server, and nobody has spent or lost too much."""
    testbed.serve("--lots-file", testbed.secret("lots", LOTS), "--purse", str(PURSE), "--worth", VALUES, "--seed", "1",
                  "--pause", "1")
    players = testbed.client("bots", "bots", str(len(KINDS)), "--strategy", ",".join(KINDS), "--delay", "0")
    players.exit_code(SALE_SECONDS)
    players.check_exit(0)
    told = [line.partition(":")[0] for line in players.errors.lines if line.startswith("lot ")]
    check([line.split()[1] for line in told] == ["1", "2", "3", "4", "5"], f"printed {players.errors.lines}")
    rows = [row for row in map(ROW.match, players.lines) if row]
    check(sum(int(row["lots"]) for row in rows) == len(LOTS.splitlines()), f"not every lot is sold: {players.lines}")
    check(all(int(row["spent"]) + int(row["left"]) == PURSE for row in rows), f"purses do not add up: {players.lines}")
    check(all(int(row["profit"]) >= 0 for row in rows), f"a bot paid more than its value: {players.lines}")
    observer = testbed.connect("observer")
    observer.request("standings", r"OK standings \d+")
    told = [re.match(r"STANDING \d+ (\S+) lots=(\d+) spent=(\d+)", line) for line in observer.lines]
    won = {(row["bidder"], row["lots"], row["spent"]) for row in rows if int(row["lots"])}
    check(won == {line.groups() for line in told if line and int(line[2])}, f"other standings: {players.lines}")


def leave(testbed):
    """An interrupt prints the standings; without a server the exit code says so."""
    server = testbed.serve("--seconds", "600", "--lot", "Vase")
    players = testbed.client("bots", "bots", "2", "--delay", "0.2", "--worth", "10..90")
    observer = testbed.connect("observer")
    observer.expect(r"PRICE \d+ [A-Z][a-z]+ .+")
    players.process.send_signal(signal.SIGINT)
    players.check_exit(0)
    server.stop()
    lost = testbed.client("lost", "bots", "2")
    lost.check_exit(3)


def refuse(testbed):
    """A wrong command line is one clear error."""
    for words, complaint in ((("0",), "COUNT must be a whole number from 1 to 200"),
                             (("2", "--strategy", "truthful,lucky"), "--strategy must be one or more of truthful"),
                             (("2", "--strategy", "sniper,truthfull"), "'sniper,truthfull': did you mean truthful?"),
                             (("2", "--worth", "9..3"), "--worth must be two amounts such as 50..150"),
                             (("2", "--json"), "bots prints a table")):
        wrong = testbed.spawn("wrong", testbed.client_path, "bots", *words)
        wrong.check_exit(2)
        check(any(complaint in line for line in wrong.errors.lines), f"{words}: {wrong.errors.lines}")
