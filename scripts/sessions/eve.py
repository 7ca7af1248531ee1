"""A whole visit in one pipe: all the answers come before the connection ends."""

from news import news, word
from peer import check
from room import HOST

TITLE = "printf 'name eve\\nbid 5\\n' | nc -N"
NEEDS = ("nc -N",)
VISIT = 'printf "$1" | nc -N "$2" "$3"'


def play(room):
    server = room.serve("--seconds", "60", "--lot", "Vase")
    watcher = room.connect("watcher")
    visit(room, "eve", r"name eve\nbid 5\n", [r"OK name eve", "OK bid 5"])
    visit(room, "fay", r"name fay\nbid 3\nbid 6", ["OK name fay", "ERROR too-low", "OK bid 6"])
    visit(room, "gil", r"ping\n" * 500 + "ping", ["OK ping"] * 501)
    watcher.expect(r"LEFT fay")
    prices = [line.split()[1:3] for line in news(watcher.lines) if word(line) == "PRICE"]
    check(prices == [["5", "eve"], ["6", "fay"]], f"the watcher heard of {prices}")
    server.stop()


def visit(room, name, text, answers):
    """Pipes the text into nc and compares the answers, in order, with how they should begin."""
    peer = room.spawn(name, "sh", "-c", VISIT, "sh", text, HOST, str(room.port))
    code = peer.exit_code()
    check(code == 0, f"{name}: nc exited {code}")
    check(peer.rest == b"", f"{name}: the last line has no end: {peer.rest!r}")
    heard = peer.answers()
    check(len(heard) == len(answers) and all(map(str.startswith, heard, answers)),
          f"{name}: answered {heard}")
