"""Attacks by HTTP and WebSocket: heads without an end, half-done handshakes, other origins, and broken or endless frames."""

import itertools
import resource
import socket
import time

from attackers import SEND_BYTES, Crowd, connect, read
from checks import check
from harness import KERNEL_MEMORY, OUTPUT_BYTES, Attack, Plan
from websocket import (BINARY, CLOSE, CONTINUATION, PING, TEXT, WebSocket, frame, opening, text)

SECONDS = 3.2
LINE_SECONDS = 2

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
BOMBS = (
    (b"GET /" + b"x" * 20_000, b"414"), (HEAD + b"a: " + b"x" * 20_000, b"431"), (HEAD + b"a: b\r\n" * 3000, b"431"),
    (HEAD + b"\0" * 10_000, b"431"), (b"GET " + b"/ " * 5000 + b"\r\n\r\n", b"414"),
    (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n" + b"x" * 9000, b"405"),
)
"""Heads that are too large or broken, and their status."""


def send_header_bombs(address):
    """Sends each in one piece; the answer arrives even if the server does not read all of it."""
    end = time.monotonic() + SECONDS
    for bomb, status in itertools.cycle(BOMBS):
        if time.monotonic() > end:
            return
        with connect(address) as connection:
            send(connection, bomb)
            received = read(connection, lambda data: b"\r\n\r\n" in data)
            check(received.startswith(b"HTTP/1.1 " + status), f"{bomb[:40]!r} was answered {received[:80]!r}")


def flood_with_heads(address):
    """Whole requests as fast as the server takes them; half of them are not answered with 200."""
    requests = (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
                b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    crowd = Crowd(address, 50, lambda number: requests[number % len(requests)] * 20)
    crowd.flood(SECONDS)
    crowd.leave()


SLOW_COUNT = 200


def send_slow_heads(address):
    """Byte by byte, without an end: each is answered 408 when its time is up, and closed."""
    connections = []
    for _ in range(SLOW_COUNT):
        connections.append(connect(address))
        # Who sends nothing for a moment is greeted as a client of the line protocol.
        send(connections[-1], HEAD[:1])
    until = time.monotonic() + LINE_SECONDS + 1
    for byte in HEAD[1:]:
        for connection in connections:
            send(connection, bytes((byte,)))
        if time.monotonic() > until:
            break
        time.sleep(0.1)
    for connection in connections:
        expect_timeout(connection)


def expect_timeout(connection):
    received = read(connection)
    check(received.startswith(b"HTTP/1.1 408 "), f"a head without an end was answered {received[:80]!r}")
    connection.close()


HANDSHAKES = 2500


def begin_handshakes(address):
    """Half of a handshake on each of thousands of connections, and then nothing."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    half = opening()[:-2]
    connections = []
    for _ in range(HANDSHAKES):
        connections.append(connect(address))
        connections[-1].sendall(half)
    for connection in connections:
        expect_timeout(connection)


def try_other_origins(address):
    """Pages of other origins, again and again, and between them one that is welcome."""
    end = time.monotonic() + SECONDS
    origins = ("http://example.org", "null", "https://127.0.0.1:1", "http://127.0.0.1.example.org", "file://")
    for origin in itertools.cycle(origins):
        if time.monotonic() > end:
            return
        with connect(address) as connection:
            connection.sendall(opening(Origin=origin))
            received = read(connection, lambda data: b"\r\n\r\n" in data)
            check(received.startswith(b"HTTP/1.1 403 "), f"{origin} was answered {received[:80]!r}")
        visitor = WebSocket(address, Origin="http://127.0.0.1")
        visitor.close()


BROKEN = ((frame(TEXT, b"bid 9", mask=None), 1002), (frame(PING, b"x" * 126), 1002), (frame(BINARY, b"x" * 100), 1003),
          (text(b"\xff" * 1000), 1007), (frame(CONTINUATION, b"x"), 1002), (frame(TEXT, declared=1 << 40), 1009),
          (frame(TEXT, declared=1 << 63, width=8), 1002), (frame(CLOSE, b"\x00"), 1002),
          (frame(TEXT, b"x" * 65536, is_final=False) + frame(CONTINUATION, b"x"), 1009))


def break_frames(address):
    """Each rule in turn; what follows on the connection is dropped."""
    end = time.monotonic() + SECONDS
    for data, code in itertools.cycle(BROKEN):
        if time.monotonic() > end:
            return
        visitor = WebSocket(address)
        send(visitor.socket, data + b"\x81" * 5000)
        got, _ = visitor.end()
        check(got == code, f"{data[:20]!r} was closed with {got}, not {code}")
        visitor.close()


def enter(address, **options) -> socket.socket:
    """A WebSocket whose greeting is read, for a crowd."""
    visitor = WebSocket(address, connection=connect(address, **options))
    visitor.expect("lot")
    return visitor.socket


def flood_frames(address, pieces, reads):
    """50 send frames as fast as the server takes them."""
    crowd = Crowd(None, 0, lambda number: pieces[number % len(pieces)], reads=reads)
    for _ in range(FLOODERS):
        crowd.add(lambda: enter(address, send_bytes=SEND_BYTES))
    check(not crowd.lost, f"{crowd.lost} were not let in")
    crowd.flood(SECONDS)
    crowd.leave(abruptly=not reads)


FLOODERS = 50
FLOODS = (frame(PING, b"x" * 125) * 100, frame(PING) * 1000, text("ping") * 100, text("x" * 65536),
          text("status") * 100, text("bid 1") * 100, text("format json") * 100)


def flood_and_read(address):
    flood_frames(address, FLOODS, reads=True)


def flood_and_never_read(address):
    flood_frames(address, FLOODS, reads=False)


def send_fragments_without_end(address):
    """Messages that never end: without content, with a byte at a time, and one over the limit of a line."""
    openings = (frame(TEXT, is_final=False), frame(TEXT, b"b", is_final=False), frame(TEXT, b"x" * 2000, is_final=False))
    pieces = (frame(CONTINUATION, is_final=False) * 50, frame(CONTINUATION, b"x", is_final=False),
              frame(CONTINUATION, b"y", is_final=False) + frame(PING))
    visitors = []
    for number in range(60):
        visitor = WebSocket(address)
        visitor.send(openings[number % len(openings)])
        visitors.append((visitor, pieces[number % len(pieces)]))
    end = time.monotonic() + LINE_SECONDS + 1.5
    while time.monotonic() < end:
        for visitor, piece in visitors:
            send(visitor.socket, piece)
        time.sleep(0.02)
    for visitor, _ in visitors:
        code, messages = visitor.end()
        check(code == 1008 and messages[-1]["content"] == "idle",
              f"a message without an end was closed with {code} after {messages[-1:]}")
        visitor.close()


def send(connection, data):
    """Sends what the server takes before it closes."""
    try:
        connection.sendall(data)
    except (BrokenPipeError, ConnectionResetError):
        pass


ATTACKS = (
    Attack("header_bombs", "heads that are too large or broken, and 50 that ask for the page without a pause",
           (send_header_bombs, send_header_bombs, flood_with_heads)),
    Attack("slow_heads", "200 send a head byte by byte and without an end", (send_slow_heads,),
           ("--line-seconds", str(LINE_SECONDS))),
    Attack("handshakes", "5,000 begin a handshake and do not finish it", (begin_handshakes, begin_handshakes),
           ("--line-seconds", "4", "--connections", "9000"), sockets=KERNEL_MEMORY),
    Attack("origins", "pages of other origins", (try_other_origins, try_other_origins)),
    Attack("broken_frames", "frames that break each rule", (break_frames, break_frames), ("--threads", "2")),
    Attack("frame_flood", "100 send pings and long messages without a pause; half of them never read",
           (flood_and_read, flood_and_never_read), ("--threads", "2"),
           memory=32 + (FLOODERS * OUTPUT_BYTES >> 20), sockets=KERNEL_MEMORY),
    Attack("fragments", "60 send messages without an end", (send_fragments_without_end,),
           ("--line-seconds", str(LINE_SECONDS)), plan=Plan(bidding=1.0)),
)
