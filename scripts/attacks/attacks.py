"""All attacks: what the attackers send, and how much the server may use meanwhile.

Most are floods of something that a stranger could send on an open port; the lobby's tests show how each single line is
answered. The floods of commands are named after the command and the manner, such as `laps_silent`.
"""

from __future__ import annotations

import random
import time

from attackers import SECONDS, Flood, Unfinished, connect, read
from checks import check
from harness import Attack
from programs import UNLIMITED
from testbed import reset

KERNEL_MEMORY = 200
"""MiB in addition for both ends of hundreds of connections that do not read."""
OUTPUT_BYTES = 64 << 10
"""The default limit of waiting output for each connection that does not read."""
NO_NAME_LIMITS = "--names-per-minute", "none"
GAME = "--purse", "1000000000", "--worth", "50..150"
HERE, REMOTE = "127.0.0.66", "203.0.113.7"
"""The attackers' own address, and their address behind a proxy."""
PROXY = "--proxy-protocol", "--trust"


def header(address, kind="TCP4") -> bytes:
    """The PROXY header of a client at this address."""
    return f"PROXY {kind} {address} {'192.0.2.2' if kind == 'TCP4' else '2001:db8::1'} 40000 7777\r\n".encode()


# Commands

COMMANDS = {"laps": b"laps 1 1000", "help": b"help", "who": b"who", "status": b"status", "ping": b"ping", "bid": b"bid 1",
            "name": b"name fSERIAL", "standings": b"standings", "say": b"say hello", "max": b"max 1"}
NAMED = ("bid", "say", "max")
"""The commands for which attackers take names first."""
MANNERS = {"read": 40, "reset": 10, "silent": 150}
"""How many connections there are in each manner."""
SOURCES = {"here": b"", "one": header(REMOTE), "many": header("2001:db8:SERIAL::1", "TCP6")}
PIPELINED = 8


def command_floods():
    """Each command in each manner; the other settings are chosen so that any two of their values occur together."""
    for turn, (command, line) in enumerate(COMMANDS.items()):
        for shift, (manner, count) in enumerate(MANNERS.items()):
            source = list(SOURCES)[(turn + shift) % 3]
            first = SOURCES[source] + (b"format json\n" if (turn + shift) % 2 else b"")
            first += b"name nSERIAL\n" if command in NAMED else b""
            flood = Flood(count, ((line + b"\n") * PIPELINED,), manner, first, source=HERE if source == "here" else "")
            yield Attack(
                f"{command}_{manner}", f"{count} send {command} without a pause", (flood,),
                ("--threads", str((turn + 2 * shift) % 3 + 1), "--poller", ("epoll", "poll")[(turn // 2 + shift) % 2],
                 "--self-raise", "allow", *GAME, *(() if source == "here" else (*PROXY, "127.0.0.1"))),
                memory=24 + (count * OUTPUT_BYTES >> 20 if manner == "silent" else 0), sockets=KERNEL_MEMORY,
                has_journal=(turn // 3 + shift) % 2 == 0, source="127.0.0.50", has_long_lot=command == "laps")


ALL_COMMANDS = (b"ping\n" * 800, b"bid 1\n" * 600, b"status\nwho\nhelp\n" * 200, b"\n" * 4000,
                b"name x\n" * 500, b"format json\nformat text\n" * 160, b"standings\nresults\n" * 300,
                b"say hello\nmax 1\ntake\nbuy\nadd x a=b\nmute x\n" * 100,
                b"rooms\njoin main\nopen main\njoin nowhere\n" * 200)

# Bytes

RNG = random.Random(7)
TELNET = (255, 255, 250, 240, 251, 252, 253, 254, 10, 13, 1, 97)
"""The bytes of negotiations, and a few others."""
BAD_LINES = (b"ping\r\0", b"pi\0ng\n", b"name \xf0\x80\x80\xaf\n", b"name \x1b]0;owned\x07\n", b"\x16\x03\x01\0\xb5\n",
             b"laps 9223372036854775807 9223372036854775807\n", b"GET / HTTP/1.1\r\nbid 7\r\n\r\n",
             b"\xff\xff" * 1100 + b"\n")
# A refused command precedes the noise, which might be a bid otherwise.
NOISE = tuple(RNG.choice(BAD_LINES) + piece for piece in (
    *(RNG.randbytes(RNG.randrange(1, 3000)) for _ in range(30)), *(bytes(RNG.choices(TELNET, k=2000)) for _ in range(20))))

# HTTP and WebSocket

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
REQUESTS = tuple(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path * 20 for path in (b"/", b"/metrics", b"/x", b"/health"))
BOMBS = (b"GET /" + b"x" * 20_000, HEAD + b"a: " + b"x" * 20_000, HEAD + b"a: b\r\n" * 3000, HEAD + b"\0" * 10_000,
         b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n" + b"x" * 9000,
         HEAD + b"Origin: http://example.org\r\nUpgrade: websocket\r\n\r\n")
"""Heads that are too large, broken or from elsewhere, after which the connection is closed."""
OPENING = (b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
GREETED = b'"type":"lot"'
CONTINUATION, TEXT, PING = 0, 1, 9


def frame(opcode: int, payload: bytes = b"", is_final=True) -> bytes:
    """A WebSocket frame, whose mask changes nothing."""
    length = len(payload)
    size = bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
    return bytes((is_final << 7 | opcode,)) + size + bytes(4) + payload


FRAMES = (frame(PING, b"x" * 125) * 100, frame(PING) * 1000, frame(TEXT, b"ping") * 100, frame(TEXT, b"x" * 65535),
          frame(TEXT, b"status") * 100, frame(TEXT, b"bid 1") * 100, frame(TEXT, b"format json") * 100)
BROKEN_FRAMES = (b"\x81\x05bid 9", frame(PING, b"x" * 126), frame(2, b"x" * 100), frame(TEXT, b"\xff" * 1000),
                 frame(CONTINUATION, b"x"), b"\x81\xff" + b"\x00\x00\x01" + bytes(5), b"\x81\xff" + b"\xff" * 8,
                 frame(TEXT, b"x" * 65535, is_final=False) + frame(CONTINUATION, b"x" * 9))
"""Each breaks a rule; what follows on the connection is dropped."""
CLOSED_AS_IDLE = b"\x03\xf0"
"""The close code 1008."""

# Names, rooms and files

NAMES, WAVE = 10_000, 50
"""How many names are taken, and how many connections take them at the same time."""
ROOM_OPTIONS = b"seconds=1 pause=0 lots=1000 purse=1000 worth=50..150"
JOURNAL_RATE, JOURNAL_BURST = 4000, 1_000_000
"""The bytes of the journal for the lines of one address."""
SEGMENT = 8 << 20
"""The size of a segment if `--keep-bytes` is four times as much; 300,000 bids fill nearly two segments."""
FILES, CALLERS = 64, 100


def take_names(address):
    """Each takes a name and leaves; the names stay present, so each of two more lots has a value for each of them."""
    for first in range(0, NAMES, WAVE):
        connections = [connect(address) for _ in range(WAVE)]
        for number, connection in enumerate(connections, first):
            connection.sendall(b"name visitor-%d\nquit\n" % number)
        for connection in connections:
            received = read(connection)
            check(b"OK name " in received, f"a name was refused: {received[-200:]!r}")
            connection.close()
    time.sleep(6)


def connect_and_reset(address):
    for number in range(2500):
        connection = connect(address)
        connection.sendall((b"", *BAD_LINES)[number % 8])
        reset(connection)
        time.sleep(SECONDS / 2500)


def use_all_descriptors(address):
    """More clients than descriptors stay for a while; when they have left, newcomers get in."""
    time.sleep(0.2)  # In which those come who bid meanwhile.
    callers = [connect(address) for _ in range(CALLERS)]
    time.sleep(2 * SECONDS)
    for caller in callers:
        caller.close()
    with connect(address) as caller:
        received = read(caller, b"\n")
        check(received.startswith(b"HELLO "), f"a newcomer received {received!r}")


ATTACKS = (
    *command_floods(),
    Attack("flood", "1,000 send commands as fast as the server takes them; half of them read",
           (Flood(500, ALL_COMMANDS), Flood(500, ALL_COMMANDS, "silent")), ("--threads", "2"), memory=150, sockets=250),
    Attack("silent_readers", "300 ask for 985 laps in JSON, eight at once, and never read",
           (Flood(300, (b"laps 1 1000\n" * PIPELINED,), "silent", b"format json\n", source=HERE),),
           ("--self-raise", "allow", "--output-bytes", str(2 << 20)), memory=10, sockets=KERNEL_MEMORY,
           has_long_lot=True),
    Attack("noise", "endless lines from 20, and bad lines, noise and negotiations from 50",
           (Flood(20, (b"x" * (1 << 16),), "return"), Flood(50, NOISE, "return")), ("--line-rate", "none")),
    Attack("talkers", "400 talk without a pause",
           (Flood(400, (b"say again and again, and never an end of it\n" * 8,), "read", b"name talker-SERIAL\n",
                  b"OK name "),),
           (*NO_NAME_LIMITS, *GAME, "--threads", "2"), memory=48, sockets=KERNEL_MEMORY),
    Attack("resets", "5,000 connect and reset", (connect_and_reset, connect_and_reset), ("--threads", "2")),
    Attack("crowded", "300 connect where there is room for 100, again and again", (Flood(300, (b"ping\n" * 10,), "return"),),
           ("--connections", "100")),
    Attack("unfinished", "200 begin a line, 200 an endless head and 60 a message, and none ends it",
           (Unfinished(100, b"bid 5", b"\nBYE idle\n"), Unfinished(100, b"x" * 1000, b"\nBYE idle\n"),
            Unfinished(200, HEAD[:1], b"HTTP/1.1 408 ", HEAD[1:]),
            *(Unfinished(20, frame(TEXT, begun, False), CLOSED_AS_IDLE, drip, len(drip), OPENING, GREETED)
              for begun, drip in ((b"", frame(CONTINUATION, is_final=False) * 50), (b"b", frame(CONTINUATION, b"x", False)),
                                  (b"x" * 2000, frame(CONTINUATION, b"y", False) + frame(PING))))),
           ("--timeout", "2", "--connections", "5000")),
    Attack("handshakes", "5,000 begin a handshake and do not finish it",
           (Unfinished(2500, OPENING[:-2], b"HTTP/1.1 408 "),) * 2, ("--timeout", "4", "--connections", "9000"),
           sockets=KERNEL_MEMORY),
    Attack("heads", "40 send heads that are refused, again and again, and 50 ask for the page without a pause",
           (Flood(40, BOMBS, "return"), Flood(50, REQUESTS, "return"))),
    Attack("frames", "100 send pings and long messages without a pause, of whom half never read, and 40 break the rules",
           (Flood(50, FRAMES, "read", OPENING, GREETED), Flood(50, FRAMES, "silent", OPENING, GREETED),
            Flood(40, BROKEN_FRAMES, "return", OPENING, GREETED)), ("--threads", "2"),
           memory=32 + (50 * OUTPUT_BYTES >> 20), sockets=KERNEL_MEMORY),
    Attack("openings", f"{NAMES:,} names have values at the opening of each lot", (take_names,),
           (*NO_NAME_LIMITS, *GAME, "--absence-seconds", "60"), memory=64),
    Attack("sealed_bids", "1,000 bid in private without a pause, and all bids are revealed at once",
           (Flood(1000, (b"bid SERIAL\n" * 2,), "read",
                  b"open sealed format=vickrey seconds=3\njoin sealed\nname sealed-SERIAL\n", b"OK name ", seconds=8.0),),
           ("--connections", "5000", *NO_NAME_LIMITS), memory=96, sockets=KERNEL_MEMORY),
    Attack("open_rooms", "a stranger opens rooms from 40 addresses as fast as allowed",
           (Flood(40, (b"open xSERIAL %s\n" % ROOM_OPTIONS * 6 + b"quit\n",), "return", source="127.0.SLOT.1"),),
           ("--room-idle", "1", *NO_NAME_LIMITS)),
    Attack("list_rooms", "100 ask for a list of 100 rooms without a pause",
           (Flood(100, (b"rooms\n" * 100,), "read", b"open room-SERIAL\nrooms\n", b"OK rooms "),),
           ("--rooms", "100", "--rooms-per-address", "none", *NO_NAME_LIMITS), sockets=KERNEL_MEMORY),
    Attack("wander", "80 go back and forth between two rooms as fast as allowed, half of them with names",
           (Flood(40, (b"join blue\njoin main\n" * 8,), "read", b"open blue\nping\n", b"OK ping"),
            Flood(40, (b"join blue\njoin main\n" * 8,), "read", b"open blue\nname wanderer-SERIAL\n", b"OK name ")),
           NO_NAME_LIMITS),
    Attack("grow_journal", "one address writes to the journal as fast as it can",
           (Flood(20, (b"bid SERIAL\n" * 20,), "read", header(REMOTE) + b"open wSERIAL\nname wSERIAL\n", b"OK name ", HERE,
                  seconds=8.0),),
           (*PROXY, HERE, "--self-raise", "allow", "--line-rate", "none",
            "--rooms-per-address", "none", *NO_NAME_LIMITS), journal=(JOURNAL_BURST // 2, JOURNAL_BURST + JOURNAL_RATE * 10)),
    Attack("no_descriptors", "64 descriptors and 100 clients", (use_all_descriptors,), UNLIMITED, files=FILES, share=0.3),
    Attack("file_limit", "64 descriptors and 100 clients, while the journal begins a new segment",
           (use_all_descriptors,
            Flood(2, (b"bid SERIAL\n" * 500,), "read", b"open wSERIAL\nname wSERIAL\n", b"OK name ", seconds=30, most=300_000)),
           (*UNLIMITED, "--self-raise", "allow", "--keep-bytes", str(4 * SEGMENT)), files=FILES,
           journal=(SEGMENT, 4 * SEGMENT)),
)
