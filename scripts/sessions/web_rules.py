"""HTTP and WebSocket against the real server: its answers, its time limits, and the code with which it closes.

The rules are judged by the unit tests. Each request and each frame is sent at once, and again byte by byte.
"""

import socket

from checks import check
from peer import PATIENCE
from programs import HOST
from websocket import CONTINUATION, PING, PONG, TEXT, WebSocket, closing, frame, opening, text

TITLE = "HTTP requests and WebSocket frames have the right status or close code"
VARIANTS = ((), ("--threads", "2"))
LINE_SECONDS = 1


def get(path, *fields, method="GET"):
    return "\r\n".join((f"{method} {path} HTTP/1.1", "Host: h", *fields, "", "")).encode()


REQUESTS = (
    (get("/"), 200), (get("/health"), 200), (get("/metrics"), 200), (get("/metrics", method="HEAD"), 200),
    (get("/nothing"), 404), (get("/", "Content-Length: 3", method="POST") + b"abc", 405), (get("/ws"), 426),
    (opening(Origin="http://127.0.0.1"), 101), (opening(Origin="http://example.org"), 403),
    (opening(Origin="https://allowed.example"), 101), (get("/rooms/main"), 200), (get("/rooms/none"), 404),
    (opening("/rooms/main/ws"), 101), (opening("/rooms/none/ws"), 404),
)
"""What is sent, and the status of the answer."""
FRAMES = (
    (text("ping"), "ok"), (frame(TEXT, b"pi", is_final=False) + frame(PING, b"x") + frame(CONTINUATION, b"ng"), "ok"),
    (text("ping\nping"), "unknown-command"), (text("x" * 65536), "line-too-long"), (text("bid 5"), "not-named"),
)
"""What is sent, and `ok` or the code of the error."""
ENDS = (closing(4999, b"bye"), 4999), (frame(TEXT, b"ping", mask=None), 1002), (text("quit"), 1000)
"""What is sent, and the code with which the server closes."""


def play(testbed):
    server = testbed.serve("--seconds", "60", "--line-seconds", str(LINE_SECONDS), "--allow-origin", "https://allowed.example")
    address = HOST, testbed.port
    observer = WebSocket(address)
    check(observer.message()["type"] == "hello" and observer.message()["type"] == "lot", "no greeting")
    for data, status in REQUESTS:
        for pieces in cut(data):
            check_request(address, pieces, status)
    check_to_the_end(address, get("/health") + get("/health", "Connection: close"), b"HTTP/1.1 200 ", 2)
    # A head that takes too long is answered, and a connection without another request is closed.
    check_to_the_end(address, b"GET / HTTP/1.1\r\nHost:", b"HTTP/1.1 408 ", 1)
    check_to_the_end(address, get("/health"), b"HTTP/1.1 200 ", 1)
    for data, word in FRAMES:
        for pieces in cut(data):
            check_answer(address, pieces, word)
    for data, code in ENDS:
        for pieces in cut(data):
            check_close(address, pieces, code)
    check_ping(address)
    check(observer.request("ping")["type"] == "ok", "another connection suffered")
    server.stop()
    code, messages = observer.end()
    check(code == 1001 and messages[-1]["type"] == "bye", f"the end of the server: {code}, {messages[-1:]}")


def cut(data):
    """All at once, and if it is short byte by byte."""
    return [[data], [data[place:place + 1] for place in range(len(data))]] if len(data) < 300 else [[data]]


def check_request(address, pieces, status):
    with socket.create_connection(address, PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        send(connection, pieces)
        data = b""
        while b"\r\n\r\n" not in data and (more := connection.recv(1 << 16)):
            data += more
        head, what = data.partition(b"\r\n\r\n")[0], b"".join(pieces)[:80]
        check(head.startswith(f"HTTP/1.1 {status} ".encode()), f"{what!r} was answered {head!r}, not {status}")
        for field in (b"Content-Security-Policy: ", b"X-Content-Type-Options: nosniff"):
            check(status == 101 or b"\r\n" + field in head, f"{what!r}: no {field!r} in {head!r}")
        check(b"Set-Cookie" not in head, f"{what!r}: a cookie")


def send(connection, pieces):
    try:
        for piece in pieces:
            connection.sendall(piece)
    except (BrokenPipeError, ConnectionResetError):
        pass  # The server may answer before it has all.


def check_to_the_end(address, sent, begin, count):
    """Requires `count` answers that begin with `begin`, and then the end of the connection."""
    with socket.create_connection(address, PATIENCE) as connection:
        connection.sendall(sent)
        data = b""
        while more := connection.recv(1 << 16):
            data += more
        check(data.startswith(begin) and data.count(b"HTTP/1.1 ") == count, f"{sent!r} was answered {data[:200]!r}")


def check_answer(address, pieces, word):
    visitor = WebSocket(address)
    send(visitor.socket, pieces)
    answer = visitor.expect("ok", "error")
    check(answer.get("code", answer["type"]) == word, f"{pieces[0][:40]!r} was answered {answer}, not {word}")
    check(visitor.request("ping")["type"] == "ok", f"after {answer} no further command is answered")
    visitor.close()


def check_close(address, pieces, code):
    visitor = WebSocket(address)
    send(visitor.socket, pieces)
    got, messages = visitor.end()
    check(got == code, f"{b''.join(pieces)!r} was closed with {got}, not {code}")
    check(any(message["type"] == "bye" for message in messages) == (code == 1000), f"{code}: {messages}")
    visitor.close()


def check_ping(address):
    """A ping is answered with its payload, also within a message."""
    visitor = WebSocket(address)
    for payload in (b"", b"x" * 125):
        visitor.send(frame(TEXT, b"pi", is_final=False) + frame(PING, payload))
        while (received := visitor.receive())[0] == TEXT:
            pass
        check(received == (PONG, payload), f"a ping was answered {received}")
        visitor.send(frame(CONTINUATION, b"ng"))
        check(visitor.expect("ok", "error")["type"] == "ok", "no answer after a ping")
    visitor.close()
