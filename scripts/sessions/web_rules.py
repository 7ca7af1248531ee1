"""The rules of HTTP and WebSocket against the real server, byte for byte: what it answers, and with which code it ends.

Each request and each frame is sent at once, and again byte by byte.
"""

import socket

from checks import check
from peer import PATIENCE
from programs import HOST
from websocket import (BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, WebSocket, closing, frame, opening, text)

TITLE = "HTTP requests and WebSocket frames have the right status or close code"
VARIANTS = ((), ("--threads", "2"))
LINE_SECONDS = 1
BYTE_BY_BYTE_LIMIT = 300
"""Longer input is not sent byte by byte."""


def get(path, *fields, method="GET", version="HTTP/1.1", host="Host: h"):
    return "\r\n".join((f"{method} {path} {version}", *([host] if host else []), *fields, "", "")).encode()


REQUESTS = (
    (get("/"), 200), (get("/health"), 200), (get("/metrics"), 200),
    (get("/", method="HEAD"), 200), (get("/health", method="HEAD"), 200), (get("/metrics", method="HEAD"), 200),
    (get("/nothing"), 404), (get("/../etc/passwd"), 404), (get("/%2e%2e/x"), 404), (get("/metrics/"), 404),
    (get("/", "Content-Length: 3", method="POST") + b"abc", 405), (get("/", method="DELETE"), 405),
    (get("/", "Content-Length: 3") + b"abc", 413), (get("/", "Content-Length: x"), 400),
    (get("/", host=None), 400), (get("/", "Host: other"), 400), (get("/", host="Host: a b"), 400),
    (get("/", " folded: x"), 400), (get("/", "no-colon"), 400), (get("/", "a b: x"), 400), (get("/", ": x"), 400),
    (b"GET / HTTP/1.1\nHost: h\n\n", 400), (get("no-slash"), 400), (get("/", version="HTTP/2.0"), 505),
    (get("/", version="HTTP/1.1 x"), 400), (get("/x\x01"), 400),
    (get("/" + "x" * 9000), 414), (get("/", "Cookie: " + "x" * 9000), 431), (get("/", *["a: b"] * 2000), 431),
    (get("/ws"), 426), (opening(Sec_WebSocket_Version="8"), 426), (opening(Sec_WebSocket_Key=None), 400),
    (opening(Sec_WebSocket_Key="c2hvcnQ="), 400), (opening(Connection="close"), 400),
    (opening(Origin="http://127.0.0.1"), 101), (opening(Origin="http://example.org"), 403),
    (opening(Origin="null"), 403), (opening(Origin="http://127.0.0.1.example.org"), 403),
    (opening(Origin="https://allowed.example"), 101), (opening("/nowhere"), 404),
    (get("/rooms/main"), 200), (get("/rooms/main", method="HEAD"), 200), (get("/rooms/main/ws"), 426),
    (get("/rooms/none"), 404), (get("/rooms/none", method="HEAD"), 404), (get("/rooms/..%2f"), 404),
    (get("/rooms//"), 404), (get("/rooms/main/"), 404), (get("/rooms/" + "a" * 25), 404),
    (opening("/rooms/main/ws"), 101), (opening("/rooms/none/ws"), 404), (opening("/rooms/MAIN/ws"), 404),
    (opening("/rooms/none/ws", Origin="http://example.org"), 403),
)
"""What is sent, and the status of the answer."""

ANSWERED = (
    ("a command in a text frame", text("ping"), "ok"),
    ("a command with a line feed", text("ping\n"), "ok"),
    ("an empty mask", frame(TEXT, b"ping", mask=b"\0\0\0\0"), "ok"),
    ("a command in two frames", frame(TEXT, b"pi", is_final=False) + frame(CONTINUATION, b"ng"), "ok"),
    ("an empty frame in the middle",
     frame(TEXT, b"pi", is_final=False) + frame(CONTINUATION, is_final=False) + frame(CONTINUATION, b"ng"), "ok"),
    ("a ping in the middle", frame(TEXT, b"pi", is_final=False) + frame(PING, b"x") + frame(CONTINUATION, b"ng"), "ok"),
    ("a pong that nobody asked for", frame(PONG, b"x") + text("ping"), "ok"),
    ("no command", text("dance"), "unknown-command"),
    ("two lines in one message", text("ping\nping"), "unknown-command"),
    ("a message over the limit of a line", text("x" * 1025), "line-too-long"),
    ("a message of 64 KiB", text("x" * 65536), "line-too-long"),
    ("a bid without a name", text("bid 5"), "not-named"),
)
"""What is sent, and `ok` or the code of the error."""

LONG_TEXT = frame(TEXT, b"x" * 40_000, is_final=False)
CLOSED = (
    ("an unmasked frame", frame(TEXT, b"ping", mask=None), 1002),
    ("an unmasked ping", frame(PING, mask=None), 1002),
    ("a reserved bit", frame(TEXT, b"ping", reserved=4), 1002),
    ("a compressed message", frame(TEXT, b"ping", reserved=2), 1002),
    ("an unknown kind of frame", frame(3, b"x"), 1002),
    ("an unknown control frame", frame(11), 1002),
    ("a continuation of nothing", frame(CONTINUATION, b"x"), 1002),
    ("a message within a message", frame(TEXT, b"pi", is_final=False) + text("ping"), 1002),
    ("a control frame in parts", frame(PING, b"x", is_final=False), 1002),
    ("a control frame over 125 bytes", frame(PING, b"x" * 126), 1002),
    ("a length that is longer than it must be", frame(TEXT, b"ping", width=2), 1002),
    ("a length of 8 bytes that is longer than it must be", frame(TEXT, b"ping", width=8), 1002),
    ("a length with the highest bit", frame(TEXT, declared=1 << 63, width=8), 1002),
    ("a close with half a code", frame(CLOSE, b"\x03"), 1002),
    *((f"a close with {code}", closing(code), 1002) for code in (0, 999, 1004, 1005, 1006, 1015, 2999, 5000)),
    ("a binary message", frame(BINARY, b"ping"), 1003),
    ("text that is not UTF-8", text(b"\xff"), 1007),
    ("half a character at the end", text(b"\xc3"), 1007),
    ("a surrogate", text(b"\xed\xa0\x80"), 1007),
    ("a broken character before the end of a message", frame(TEXT, b"a\xf5", declared=10), 1007),
    ("a character that breaks between frames", frame(TEXT, b"\xe2\x82", is_final=False) + frame(CONTINUATION, b"x"), 1007),
    ("a close whose reason is not UTF-8", closing(1000, b"\xff"), 1007),
    ("a message over 64 KiB", frame(TEXT, declared=65537), 1009),
    ("a message of 2 GiB", frame(TEXT, declared=1 << 31), 1009),
    ("a message over 64 KiB in parts", LONG_TEXT + frame(CONTINUATION, declared=30_000), 1009),
    *((f"a close with {code}", closing(code, b"bye"), code) for code in (1000, 1001, 1003, 1011, 3000, 4999)),
    ("a close without a code", frame(CLOSE), None),
    ("quit", text("quit"), 1000),
)
"""What is sent, and the code with which the server closes."""


def play(testbed):
    server = testbed.serve("--seconds", "60", "--line-seconds", str(LINE_SECONDS), "--allow-origin", "https://allowed.example")
    address = HOST, testbed.port
    observer = WebSocket(address)
    check(observer.message()["type"] == "hello" and observer.message()["type"] == "lot", "no greeting")
    for request, status in REQUESTS:
        for pieces in cut(request):
            check_request(address, request, pieces, status)
    check_kept_alive(address)
    check_slow(address)
    for what, data, word in ANSWERED:
        for pieces in cut(data):
            check_answer(address, what, pieces, word)
    for what, data, code in CLOSED:
        for pieces in cut(data):
            check_close(address, what, pieces, code)
    check_ping(address)
    check(observer.request("ping")["type"] == "ok", "another connection suffered")
    check_long_lines(testbed)
    server.stop()
    code, messages = observer.end()
    check(code == 1001 and messages[-1]["type"] == "bye", f"the end of the server: {code}, {messages[-1:]}")


def check_long_lines(testbed):
    """The longest line that the flags allow is as long as the longest message."""
    port = testbed.port
    server = testbed.serve("--line-bytes", "65536", "--data", "none")
    visitor = WebSocket((HOST, testbed.port))
    visitor.send(text("#" + "x" * 65535))
    check(visitor.expect("error")["code"] == "bad-arguments", "a message of 64 KiB")
    visitor.close()
    server.stop()
    testbed.port = port


def cut(data):
    """All at once, and byte by byte."""
    yield [data]
    if len(data) <= BYTE_BY_BYTE_LIMIT:
        yield [data[place:place + 1] for place in range(len(data))]


def check_request(address, request, pieces, status):
    with socket.create_connection(address, PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        send(connection, pieces)
        head, body = read_response(connection)
        what = request[:80]
        check(head.startswith(f"HTTP/1.1 {status} ".encode()), f"{what!r} was answered {head!r}, not {status}")
        if status == 101:
            return
        for field in (b"Content-Security-Policy: ", b"X-Content-Type-Options: nosniff", b"Content-Length: "):
            check(b"\r\n" + field in head, f"{what!r}: no {field!r} in {head!r}")
        check(b"Set-Cookie" not in head, f"{what!r}: a cookie")
        check(bool(body) != request.startswith(b"HEAD "), f"{what!r} has the content {body[:80]!r}")


def send(connection, pieces):
    try:
        for piece in pieces:
            connection.sendall(piece)
    except (BrokenPipeError, ConnectionResetError):
        pass  # The server may answer before it has all.


def read_response(connection) -> tuple[bytes, bytes]:
    """The head, and as much of the content as comes with a declared length."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(1 << 16)
        check(more, f"the connection ended after {data!r}")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
    wanted = int(fields.get(b"Content-Length", 0))
    connection.settimeout(0.2)
    try:
        while len(body) < wanted and (more := connection.recv(1 << 16)):
            body += more
    except TimeoutError:
        pass  # An answer to HEAD.
    connection.settimeout(PATIENCE)
    return head, body


def check_kept_alive(address):
    """Two requests on one connection, and the end after the one that asks for it."""
    with socket.create_connection(address, PATIENCE) as connection:
        connection.sendall(get("/health") + get("/health", "Connection: close"))
        data = b""
        while more := connection.recv(1 << 16):
            data += more
        check(data.count(b"HTTP/1.1 200 OK\r\n") == 2 and data.count(b'{"status":"ok"}') == 2,
              f"two requests were answered {data!r}")


def check_slow(address):
    """A head that takes too long is answered 408; a connection without another request is closed."""
    for sent, status in ((b"GET / HTTP/1.1\r\nHost:", b"HTTP/1.1 408 "), (get("/health"), b"HTTP/1.1 200 ")):
        with socket.create_connection(address, PATIENCE) as connection:
            connection.sendall(sent)
            data = b""
            while more := connection.recv(1 << 16):
                data += more
            check(data.startswith(status), f"{sent!r}: {data[:80]!r}")


def check_answer(address, what, pieces, word):
    visitor = WebSocket(address)
    send(visitor.socket, pieces)
    answer = visitor.expect("ok", "error")
    got = answer.get("code", answer["type"])
    check(got == word, f"{what} was answered {answer}, not {word}")
    check(visitor.request("ping")["type"] == "ok", f"{what}: no further command is answered")
    visitor.close()


def check_close(address, what, pieces, code):
    visitor = WebSocket(address)
    send(visitor.socket, pieces)
    got, messages = visitor.end()
    check(got == code, f"{what} was closed with {got}, not {code}")
    has_bye = any(message["type"] == "bye" for message in messages)
    check(has_bye == (what == "quit"), f"{what}: {messages}")
    visitor.close()


def check_ping(address):
    """A ping is answered with its payload, also within a message."""
    visitor = WebSocket(address)
    for payload in (b"", b"12345", b"x" * 125):
        visitor.send(frame(TEXT, b"pi", is_final=False) + frame(PING, payload))
        while (received := visitor.receive())[0] == TEXT:
            pass
        check(received == (PONG, payload), f"a ping was answered {received}")
        visitor.send(frame(CONTINUATION, b"ng"))
        check(visitor.expect("ok", "error")["type"] == "ok", "no answer after a ping")
    visitor.close()

