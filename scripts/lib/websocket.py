"""The client's side of WebSocket, frame by frame, so that a test can also break each rule.

Source: RFC 6455.
"""

from __future__ import annotations

import json
import socket
import struct
import time

from checks import check
from peer import PATIENCE

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
CONTINUATION = 0
KEY, ACCEPT = "dGhlIHNhbXBsZSBub25jZQ==", b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The example of RFC 6455, section 1.3."""


def opening(path: str = "/ws", **changed: str | None) -> bytes:
    """The request that opens a WebSocket; fields can be changed, and left out by None."""
    fields = {"Host": "127.0.0.1", "Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Key": KEY,
              "Sec_WebSocket_Version": "13", **changed}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value is not None]
    return "\r\n".join((f"GET {path} HTTP/1.1", *lines, "", "")).encode()


def frame(opcode: int, payload: bytes = b"", *, is_final=True, reserved=0, mask: bytes | None = b"\x17\x2a\x99\x05",
          declared: int | None = None, width: int | None = None) -> bytes:
    """A frame; without a mask it is unmasked.

    `declared` is the length that it claims; `width` is the number of bytes of that length, if it is not the shortest.
    """
    length = len(payload) if declared is None else declared
    if width is None:
        width = 0 if length < 126 else 2 if length < 1 << 16 else 8
    short = {0: length, 2: 126, 8: 127}[width]
    head = bytes((is_final << 7 | reserved << 4 | opcode, (mask is not None) << 7 | short))
    head += length.to_bytes(width, "big") if width else b""
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))


def text(command: str | bytes) -> bytes:
    """A text frame with a command."""
    return frame(TEXT, command.encode() if isinstance(command, str) else command)


def closing(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, struct.pack(">H", code) + reason)


class WebSocket:
    """A blocking connection that has switched to WebSocket."""

    def __init__(self, address, path="/ws", connection: socket.socket | None = None, **fields):
        self.socket = connection or socket.create_connection(address, PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""
        self.send(opening(path, **fields))
        head = self._read_until(b"\r\n\r\n")
        check(head.startswith(b"HTTP/1.1 101 ") and b"\r\nSec-WebSocket-Accept: " + ACCEPT + b"\r\n" in head,
              f"the opening was answered {head!r}")
        self.head = head

    def send(self, data: bytes):
        self.socket.sendall(data)

    def say(self, command: str):
        self.send(text(command))

    def receive(self) -> tuple[int, bytes] | None:
        """The next frame, which must be whole and unmasked; None at the end of the connection."""
        head = self._read(2)
        if len(head) < 2:
            check(not head, "the connection ended within a frame")
            return None
        check(head[0] & 0xF0 == 0x80 and head[1] < 0x80, f"the server sent a frame that begins {head!r}")
        length = head[1]
        if length > 125:
            length = int.from_bytes(self._read(2 if length == 126 else 8), "big")
        payload = self._read(length)
        check(len(payload) == length, "the connection ended within a frame")
        return head[0] & 0x0F, payload

    def message(self) -> dict:
        """The next text message, as an object; answers to pings do not count."""
        while (received := self.receive()) and received[0] == PONG:
            pass
        check(received and received[0] == TEXT, f"{received} is no text message")
        check(b"\n" not in received[1], f"a message has a line feed: {received[1]!r}")
        return json.loads(received[1])

    def expect(self, *types: str) -> dict:
        """The next message of one of these types."""
        while (message := self.message())["type"] not in types:
            pass
        return message

    def request(self, command: str) -> dict:
        """Sends a command, and returns the answer to it."""
        self.say(command)
        return self.expect("ok", "error")

    def end(self) -> tuple[int | None, list[dict]]:
        """The code with which the server closes, and the messages before; it must close the connection, too."""
        messages = []
        while received := self.receive():
            opcode, payload = received
            if opcode == CLOSE:
                rest = self.receive()
                check(rest is None, f"after its close frame the server sent {rest}")
                return (int.from_bytes(payload[:2], "big") if payload else None), messages
            if opcode == TEXT:
                messages.append(json.loads(payload))
        check(False, "the connection ended without a close frame")
        return None, []

    def close(self):
        self.socket.close()

    def _read(self, count: int) -> bytes:
        self._fill(lambda: len(self._rest) >= count)
        data, self._rest = self._rest[:count], self._rest[count:]
        return data

    def _read_until(self, mark: bytes) -> bytes:
        self._fill(lambda: mark in self._rest)
        end = self._rest.index(mark) + len(mark) if mark in self._rest else len(self._rest)
        data, self._rest = self._rest[:end], self._rest[end:]
        return data

    def _fill(self, is_enough):
        deadline = time.monotonic() + PATIENCE
        while not is_enough():
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                more = self.socket.recv(1 << 16)
            except TimeoutError:
                check(False, f"nothing came within {PATIENCE:g} s after {self._rest[:200]!r}")
            except ConnectionResetError:
                return
            if not more:
                return
            self._rest += more
