"""Other people's clients of HTTP and WebSocket: curl, wrk and Python's websockets."""

import os
import subprocess
import sys

from checks import check
from programs import HOST

TITLE = "curl, wrk and Python's websockets, and a scrape of the metrics"
NEEDS = ("curl", "wrk")
VARIANTS = ((), ("--threads", "2"))
PYTHONS = (sys.executable, "/usr/bin/python3")
BIDDER = r"""
import asyncio, json, sys, websockets

async def main():
    async with websockets.connect(sys.argv[1], subprotocols=["auction.1"], origin=sys.argv[2]) as socket:
        assert socket.subprotocol == "auction.1"
        async def receive(kind):
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), 20))
                if message["type"] == kind:
                    return message
        await receive("hello")
        await receive("lot")
        await socket.send("name ann")
        await receive("ok")
        await socket.send("bid 150")
        assert (await receive("ok"))["content"] == "bid 150"
        assert (await receive("price"))["bidder"] == "ann"
        await asyncio.wait_for(await socket.ping(), 20)
        await socket.send("bid 2")
        assert (await receive("error"))["code"] == "leading"
        winner = await receive("winner")
        print(winner["bidder"], winner["amount"])
        await socket.send("quit")
        try:
            while True:
                await asyncio.wait_for(socket.recv(), 20)
        except websockets.ConnectionClosed as closed:
            assert closed.rcvd.code == 1000, closed

asyncio.run(main())
"""


def python_with_websockets():
    """The first Python that has the package; None if none has."""
    for python in PYTHONS:
        if os.access(python, os.X_OK) and not subprocess.run(
                [python, "-c", "import websockets"], capture_output=True, check=False).returncode:
            return python
    return None


def missing_requirement(_):
    return "" if python_with_websockets() else "Python has no websockets"


def play(testbed):
    server = testbed.serve("--seconds", "2", "--lot", "Vase")
    site = f"http://{HOST}:{testbed.port}"
    check(ask(testbed, f"{site}/health") == '{"status":"ok"}', "not healthy")
    check("<html" in ask(testbed, f"{site}/").lower(), "no page")
    check(ask(testbed, "--head", f"{site}/").startswith("HTTP/1.1 200 OK"), "no head of the page")
    check(ask(testbed, "-o", "/dev/null", "-w", "%{http_code}", "-d", "x=1", f"{site}/") == "405", "a form was accepted")
    check(ask(testbed, "-o", "/dev/null", "-w", "%{http_code}", "--http2-prior-knowledge", f"{site}/", code=None) != "200",
          "the server speaks HTTP/2")
    # Beside a client that has loaded the page, a silent connection is greeted late.
    bob = testbed.bidder("bob")
    ann = testbed.spawn("ann", python_with_websockets(), "-c", BIDDER, f"ws://{HOST}:{testbed.port}/ws", site)
    bob.expect(r"PRICE 150 ann .+")
    bob.request("bid 1", r"ERROR (too-low|closed) .+")
    load(testbed, site)
    ann.check_exit(0)
    check(ann.lines == ["ann 150"], f"ann saw {ann.lines}")
    check_metrics(testbed, site)
    server.stop()


def ask(testbed, *words, code=0):
    """What curl prints."""
    curl = testbed.spawn("curl", "curl", "--silent", "--show-error", "--max-time", "20", *words)
    exited = curl.exit_code()
    check(code is None or exited == code, f"curl {words} exited {exited}: {curl.errors.lines}")
    return "\n".join([*curl.lines, *([curl.rest.decode()] if curl.rest else [])])


def load(testbed, site):
    """A load generator, with connections that stay open."""
    wrk = testbed.spawn("wrk", "wrk", "-t", "1", "-c", "20", "-d", "1s", f"{site}/")
    wrk.check_exit(0)
    text = "\n".join(wrk.lines)
    check("Non-2xx" not in text and "Socket errors" not in text and "requests in" in text, f"wrk: {text}")


def check_metrics(testbed, site):
    """The figures are those of this session, and have no name."""
    testbed.connect("observer", waits=False).request("ping", r"OK ping")
    text = ask(testbed, f"{site}/metrics")
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    refused = sum(int(count) for figure, count in figures.items() if figure.startswith("auction_bids_refused_total"))
    expected = {"auction_bids_accepted_total": "1", 'auction_lots_ended_total{outcome="sold"}': "1",
                'auction_observers{encoding="text"}': "2"}
    told = {figure: figures.get(figure) for figure in expected}
    check(told == expected and refused == 2, f"{told} and {refused} refused of 3 bids", *text.splitlines())
    check(int(figures["auction_connections_accepted_total"]) > 20, "the load generator was not counted")
    for name in ("ann", "bob", "Vase", HOST):
        check(name not in text, f"the metrics have {name!r}")
