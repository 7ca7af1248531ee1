"""TLS by stunnel in front of the server, which logs the address that stunnel's PROXY header names."""

import os

from checks import check
from programs import HOST

TITLE = "TLS by stunnel, and the addresses behind it"
NEEDS = ("stunnel", "openssl")
PROXY, REMOTE = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine: that of stunnel, and that of a bidder."""
CONFIGURATION = """
foreground = yes
pid =
[auction]
accept = {host}:{tls}
connect = {host}:{port}
cert = {folder}/cert.pem
key = {folder}/key.pem
protocol = proxy
"""


def play(bed):
    make_certificate(bed)
    server = bed.serve("--seconds", "2", "--lot", "Vase", "--proxy-protocol", "--trust", PROXY)
    tls = bed.free_port()
    path = os.path.join(bed.folder, "stunnel.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write(CONFIGURATION.format(host=HOST, port=bed.port, tls=tls, folder=bed.folder))
    bed.spawn("stunnel", "stunnel", path)
    bed.wait(lambda: is_listening(tls), "stunnel does not listen", interval=0.05)
    alice, bob = (connect(bed, name, tls, address) for name, address in (("alice", PROXY), ("bob", REMOTE)))
    alice.demand("bid 100", r"OK bid 100")
    bob.demand("bid 110", r"OK bid 110")
    alice.expect(r"WINNER bob 110 .+")
    server.stop()
    addresses = {line.split(" bidder=")[1].split()[0]: line.rpartition(" address=")[2]
                 for line in server.errors.lines if " event=named " in line}
    check(addresses == {"alice": PROXY, "bob": REMOTE}, f"the logged addresses are {addresses}")


def make_certificate(bed):
    openssl = bed.spawn("openssl", "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                         "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}",
                         "-keyout", f"{bed.folder}/key.pem", "-out", f"{bed.folder}/cert.pem")
    check(openssl.exit_code() == 0, f"no certificate: {openssl.errors.lines}")
    os.chmod(f"{bed.folder}/key.pem", 0o600)


def is_listening(port):
    """Whether some process listens on the port; a probe by a connection would reach the server."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        return any(f":{port:04X} 00000000:0000 0A" in line for line in table)


def connect(bed, name, port, address):
    """A bidder over TLS, from the address."""
    peer = bed.spawn(name, "openssl", "s_client", "-quiet", "-connect", f"{HOST}:{port}", "-bind", f"{address}:0",
                      "-CAfile", f"{bed.folder}/cert.pem", "-verify_return_error")
    peer.expect(r"HELLO auction/1 .+")
    peer.demand(f"name {name}", rf"OK name {name} .+")
    return peer
