"""TLS by stunnel before the server, which tells it whose connection it passes on."""

import os
import socket
import time

from peer import check
from room import HOST

TITLE = "TLS by stunnel, and the addresses behind it"
NEEDS = ("stunnel", "openssl")
PROGRAMS = ("client",)
HERE, THERE = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine, as if two machines came."""

TERMINATOR = """
foreground = yes
pid =
[auction]
accept = {host}:{tls}
connect = {host}:{port}
cert = {folder}/cert.pem
key = {folder}/key.pem
protocol = proxy
"""
BIDDER = """
foreground = yes
pid =
[auction]
client = yes
accept = {host}:{plain}
connect = {host}:{tls}
CAfile = {folder}/cert.pem
verifyChain = yes
checkIP = {host}
"""


def play(room):
    make_certificate(room)
    server = room.serve("--seconds", "3", "--lot", "Vase", "--proxy-protocol", "--trust", HERE,
                        "--log-level", "debug")
    ports = {"host": HOST, "folder": room.folder, "port": room.port, "tls": room.free_port()}
    start_stunnel(room, "terminator", TERMINATOR, ports, "tls")
    alice, bob = (secure(room, name, ports["tls"], address)
                  for name, address in (("alice", HERE), ("bob", THERE)))
    alice.demand("bid 100", r"OK bid 100")
    bob.demand("bid 110", r"OK bid 110")
    play_the_client(room, ports)
    bob.expect(r"WINNER carol 150 .+")
    refuse_a_stranger(room, server)
    server.stop()
    addresses = {line.split(" bidder=")[1].split()[0]: line.rpartition(" address=")[2]
                 for line in server.errors.lines if " event=named " in line}
    check(addresses == {"alice": HERE, "bob": THERE, "carol": HERE}, f"the addresses are {addresses}")


def make_certificate(room):
    maker = room.spawn("openssl", "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                       "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}",
                       "-keyout", f"{room.folder}/key.pem", "-out", f"{room.folder}/cert.pem")
    check(maker.exit_code() == 0, f"no certificate: {maker.errors.lines}")
    os.chmod(f"{room.folder}/key.pem", 0o600)


def start_stunnel(room, name, text, ports, listens):
    """Runs stunnel with this configuration until it listens on the port of that name."""
    path = os.path.join(room.folder, f"{name}.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write(text.format(**ports))
    room.spawn(name, "stunnel", path)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        room.pump(0.05)
        with open("/proc/net/tcp", encoding="ascii") as table:
            if any(f":{ports[listens]:04X} 00000000:0000 0A" in line for line in table):
                return
    check(False, f"{name}: does not listen")


def secure(room, name, port, address):
    """One who comes over TLS, from an address."""
    peer = room.spawn(name, "openssl", "s_client", "-quiet", "-connect", f"{HOST}:{port}",
                      "-bind", f"{address}:0", "-CAfile", f"{room.folder}/cert.pem",
                      "-verify_return_error")
    peer.expect(r"HELLO auction/1 .+")
    peer.demand(f"name {name}", rf"OK name {name} .+")
    return peer


def play_the_client(room, ports):
    """The client, which speaks no TLS, goes through a stunnel of its own."""
    ports = {**ports, "plain": room.free_port()}
    start_stunnel(room, "bidder", BIDDER, ports, "plain")
    carol = room.spawn("carol", room.client_path, "--port", str(ports["plain"]), "--name", "carol", "bid", "150")
    check(carol.exit_code() == 0, f"carol exited wrongly: {carol.lines + carol.errors.lines}")


def refuse_a_stranger(room, server):
    """Who comes from the terminator's address without a header is heard nothing of."""
    with socket.create_connection((HOST, room.port)) as stranger:
        stranger.sendall(b"name mallory\n")
        stranger.settimeout(20)
        check(stranger.recv(100) == b"", "a stranger was answered")
    server.errors.expect(r".* level=warning event=closed reason=no-proxy-header .* address=127\.0\.0\.1")
