"""Bidders that are not auction-client: telnet, nc in a pipe, nc at a Unix socket, openssl behind stunnel."""

import os

from checks import check
from programs import HOST

TITLE = "telnet under expect, nc in a pipe and at a Unix socket, TLS by stunnel"
NEEDS = ("telnet", "expect", "nc -N", "stunnel", "openssl")
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
PROXY, REMOTE = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine: that of stunnel, and that of a bidder over TLS."""
STUNNEL = """
foreground = yes
pid =
[auction]
accept = {host}:{tls}
connect = {host}:{port}
cert = {folder}/cert.pem
key = {folder}/key.pem
protocol = proxy
"""


def play(testbed):
    sell_to_all_kinds(testbed)
    bid_over_tls(testbed)


def sell_to_all_kinds(testbed):
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


def bid_over_tls(testbed):
    """The server logs the addresses that stunnel's PROXY header names."""
    make_certificate(testbed)
    server = testbed.serve("--seconds", "1", "--lot", "Vase", "--proxy-protocol", "--trust", PROXY)
    tls, path = testbed.free_port(), os.path.join(testbed.folder, "stunnel.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write(STUNNEL.format(host=HOST, port=testbed.port, tls=tls, folder=testbed.folder))
    testbed.spawn("stunnel", "stunnel", path)
    testbed.wait(lambda: is_listening(tls), "stunnel does not listen", interval=0.05)
    alice, bob = (connect(testbed, name, tls, address) for name, address in (("alice", PROXY), ("bob", REMOTE)))
    alice.request("bid 100", r"OK bid 100")
    bob.request("bid 110", r"OK bid 110")
    alice.expect(r"WINNER bob 110 .+")
    server.stop()
    addresses = {line.split(" bidder=")[1].split()[0]: line.rpartition(" address=")[2]
                 for line in server.errors.lines if " event=named " in line}
    check(addresses == {"alice": PROXY, "bob": REMOTE}, f"the logged addresses are {addresses}")


def make_certificate(testbed):
    testbed.spawn("openssl", "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                  "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}",
                  "-keyout", f"{testbed.folder}/key.pem", "-out", f"{testbed.folder}/cert.pem").check_exit(0)
    os.chmod(f"{testbed.folder}/key.pem", 0o600)


def is_listening(port):
    """Whether some process listens on the port; a probe by a connection would reach the server."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        return any(f":{port:04X} 00000000:0000 0A" in line for line in table)


def connect(testbed, name, port, address):
    """A bidder over TLS, from the address."""
    peer = testbed.spawn(name, "openssl", "s_client", "-quiet", "-connect", f"{HOST}:{port}", "-bind", f"{address}:0",
                         "-CAfile", f"{testbed.folder}/cert.pem", "-verify_return_error")
    peer.expect(r"HELLO auction/1 .+")
    peer.request(f"name {name}", rf"OK name {name} .+")
    return peer
