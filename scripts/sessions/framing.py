"""Lines in every form the server takes, and in those it does not."""

from news import check_answers
from peer import check

TITLE = "line ends, bytes one at a time, telnet negotiation, half-close"
IAC, DONT, DO, WONT, WILL, SB, NOP, SE = 255, 254, 253, 252, 251, 250, 241, 240


def play(room):
    server = room.serve("--seconds", "60", "--lot", "Vase")
    peer, other = room.connect("peer"), room.connect("other")
    take_every_line_end(peer)
    take_bytes_one_at_a_time(peer, other)
    refuse_what_is_no_line(peer)
    answer_in_order(peer)
    negotiate(room)
    answer_after_half_close(room)
    server.stop()
    check_answers(other)


def exchange(peer, data, *answers):
    """Sends the bytes and fails unless just these answers come; a ping tells that no more do."""
    peer.send(data)
    for answer in answers:
        heard = peer.answer()
        check(heard.startswith(answer), f"{data[:40]!r} was answered {heard!r}, not {answer!r}")
    peer.send(b"#fence ping\n")
    heard = peer.answer()
    check(heard == "OK #fence ping", f"{data[:40]!r} was answered once too often: {heard!r}")


def take_every_line_end(peer):
    exchange(peer, b"ping\n", "OK ping")
    exchange(peer, b"ping\r\n", "OK ping")
    exchange(peer, b"ping\r\0", "OK ping")
    exchange(peer, b"#1 ping\r\0#2 ping\r\n#3 ping\n", "OK #1 ping", "OK #2 ping", "OK #3 ping")
    exchange(peer, b"\n\r\n  \t\n\r\0")
    exchange(peer, b" \t #x \t  pInG \t \n", "OK #x ping")


def take_bytes_one_at_a_time(peer, other):
    """The other's ping between two bytes makes it likely that the server reads each alone."""
    for byte in b"#slow name Slow-Coach\r\n":
        peer.send(bytes([byte]))
        other.demand("ping", r"OK ping")
    heard = peer.answer()
    check(heard.startswith("OK #slow name Slow-Coach "), f"byte by byte: {heard!r}")


def refuse_what_is_no_line(peer):
    exchange(peer, b"ping" + b" " * 1019 + b"\n", "OK ping")
    exchange(peer, b"ping" + b" " * 1020 + b"\n", "ERROR line-too-long ")
    exchange(peer, b"ping" + b" " * 1018 + b"\r\n", "OK ping")
    exchange(peer, b"ping " * 40_000 + b"\n", "ERROR line-too-long ")
    exchange(peer, b"name \xc3\x28\n", "ERROR not-utf8 ")
    exchange(peer, b"\xc0\xaf\n", "ERROR not-utf8 ")


def answer_in_order(peer):
    exchange(peer, b"".join(b"#%d ping\n" % number for number in range(500)),
             *(f"OK #{number} ping" for number in range(500)))


def negotiate(room):
    """Each offer and each request is turned down once, inside a word too; the rest is read past."""
    peer = room.connect("telnet")
    peer.expect(r"LOT 1 Vase")
    peer.send(bytes([IAC, DO, 1, IAC, WILL, 24, IAC, DONT, 3, IAC, WONT, 3, IAC, NOP]))
    peer.send(b"pi" + bytes([IAC, SB, 24, 0, 10, IAC, IAC, IAC, SE]) + b"ng\n")
    peer.expect(r".*OK ping")
    peer.quit()
    said = "\n".join(peer.lines).encode("utf-8", "surrogateescape")
    for reply in (bytes([IAC, WONT, 1]), bytes([IAC, DONT, 24])):
        check(said.count(reply) == 1, f"not turned down once with {reply!r}: {said!r}")
    check(said.count(IAC) == 2, f"negotiation that nobody began: {said!r}")


def answer_after_half_close(room):
    peer = room.connect("half")
    peer.send(b"name half\nbid 5\n#last ping")
    peer.finish()
    for answer in ("OK name half ", "OK bid 5", "OK #last ping"):
        heard = peer.answer()
        check(heard.startswith(answer), f"after a half-close {heard!r}, not {answer!r}")
    peer.expect_end()
    check(not peer.was_reset, "the connection was reset, not closed")
