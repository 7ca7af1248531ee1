"""Bidders with telnet, with nc in a pipe, and with nc at a Unix socket."""

import os

from checks import check
from programs import HOST

TITLE = "telnet under expect, nc in a pipe and at a Unix socket"
NEEDS = ("telnet", "expect", "nc -N")
TELNET = r"""
lassign $argv host port
set timeout 20
set stty_init -echo
spawn telnet $host $port
proc receive {pattern} {
    expect -re "$pattern\r\n" {} \
        timeout { puts stderr "no $pattern"; exit 1 } eof { puts stderr "end before $pattern"; exit 1 }
}
proc request {line pattern} { send "$line\r"; receive $pattern }
receive {LOT 1 Vase}
request "name alice" {OK name alice \S+}
request "BID 120" {OK bid 120}
request "bid much" {ERROR bad-amount [^\r]+}
receive {WINNER carol 150 \d\d:\d\d\.\d Vase}
request "quit" {BYE quit}
expect eof
"""
PIPED, ANSWERS = r"name eve\nbid 130\nbid 140" + r"\nping" * 500, ("OK name eve ", "OK bid 130", "ERROR leading ")


def play(testbed):
    path = os.path.join(testbed.folder, "socket")
    server = testbed.serve("--seconds", "2", "--lot", "Vase", "--socket", path)
    telnet = testbed.spawn("telnet", "expect", "-", HOST, str(testbed.port))
    telnet.send(TELNET.encode())
    telnet.finish()
    observer = testbed.connect("observer")
    observer.expect(r"PRICE 120 alice .+")
    eve = testbed.spawn("eve", "sh", "-c", 'printf "$1" | nc -N "$2" "$3"', "sh", PIPED, HOST, str(testbed.port))
    eve.check_exit(0)
    answers = eve.answers()
    check(len(answers) == 503 and all(map(str.startswith, answers, ANSWERS)), f"eve received {answers[:4]}")
    carol = testbed.spawn("carol", "nc", "-U", path)
    carol.request("name carol", r"OK name carol .+")
    carol.request("bid 150", r"OK bid 150")
    telnet.check_exit(0)
    observer.expect(r"LEFT alice")
    server.stop()
    check(not os.path.exists(path), "the socket is left behind")
