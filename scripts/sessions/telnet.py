"""The same game in four telnets, driven by expect: negotiation, CRLF and a terminal between."""

import os

from news import Record, news
from peer import check, is_answer
from room import HOST

TITLE = "three bidders and a watcher under expect"
NEEDS = ("telnet", "expect")
PLAYERS = ("watcher", "alice", "bob", "carol")


def play(room):
    server = room.serve("--seconds", "2", "--pause", "0.2", "--lot", "Vase", "--lot", "Clock")
    witness = room.connect("witness")
    witness.expect(r"LOT 1 Vase")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "telnet.exp")
    driver = room.spawn("expect", "expect", script, HOST, str(room.port), room.folder)
    code = driver.exit_code(60)
    check(code == 0, f"expect exited {code}: {driver.errors.lines}")
    server.stop()
    witness.expect_end()

    record = Record(witness.lines)
    record.check_game()
    for name in PLAYERS:
        heard, said = kept(room, name, "heard"), kept(room, name, "said")
        answers = [line for line in heard if is_answer(line)]
        check(len(answers) == len(said), f"{name}: {said} got {answers}")
        check("BYE quit" in heard, f"{name}: no BYE before the end")
        check(record.place_after(news(heard), is_complete=False) is not None,
              f"{name}: heard other news than the witness: {heard}")


def kept(room, name, kind):
    """The lines that expect kept of one player; among those heard are telnet's own and the echo."""
    with open(os.path.join(room.folder, f"{name}.{kind}"), newline="") as file:
        return [line.rstrip("\r") for line in file.read().split("\n")[:-1]]
