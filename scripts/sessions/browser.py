"""A browser that comes to the wrong door is told so, and nothing it says is a command."""

import shutil

from news import news
from peer import check
from room import HOST

TITLE = "a browser gets an HTTP 400 that names the protocol"
HEADERS = ("Host: 127.0.0.1\r\nUser-Agent: Mozilla/5.0\r\nAccept: text/html\r\n"
           "name mallory\r\nbid: 5\r\nbid 6\r\n")
BODY = "name mallory\nbid 7\n"
GET = f"GET / HTTP/1.1\r\n{HEADERS}\r\n"
LONG = GET.replace("/", "/" + "a" * 900, 1)
POST = f"POST /bid HTTP/1.1\r\n{HEADERS}Content-Length: {len(BODY)}\r\n\r\n{BODY}"


def play(room):
    server = room.serve("--seconds", "60", "--lot", "Vase")
    watcher = room.connect("watcher")
    watcher.expect(r"LOT 1 Vase")
    for name, request in (("get", GET), ("post", POST), ("long", LONG)):
        browser = room.connect(name, waits=False)
        browser.send(request.encode())
        check_response(browser)
    in_pieces = room.connect("pieces", waits=False)
    for piece in ("GET / HT", "TP/1.1\r", "\nbid: 5\r\nname mallory\r\n"):
        in_pieces.send(piece.encode())
        watcher.demand("ping", r"OK ping")
    check_response(in_pieces)
    if shutil.which("curl"):
        ask_with_curl(room)
    watcher.demand("who", r"OK who 0")
    check(news(watcher.lines) == ["LOT 1 Vase"], f"the browsers made news: {watcher.lines}")
    server.stop()


def check_response(browser):
    """Fails unless the browser heard a 400 that names the protocol, and then the end."""
    browser.expect_end()
    heard = "\n".join(browser.lines) + "\n" + browser.rest.decode()
    start = heard.find("HTTP/1.1 400 ")
    check(start >= 0, f"{browser.name}: no HTTP 400 in {heard!r}")
    check("auction/1" in heard[start:], f"{browser.name}: not named: {heard[start:]!r}")
    check(len(heard) - start < 1000, f"{browser.name}: not short: {len(heard) - start} bytes")
    check(not browser.answers(), f"{browser.name}: answered as a player: {browser.answers()}")


def ask_with_curl(room):
    """curl takes the greeting for an answer of HTTP 0.9, which newer ones must be allowed."""
    curl = room.spawn("curl", "curl", "--http0.9", "--silent", "--include", "--max-time", "10",
                      f"http://{HOST}:{room.port}/")
    code = curl.exit_code()
    check(code == 0, f"curl exited {code}")
    check_response(curl)
