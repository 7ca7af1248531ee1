"""A Unix socket beside the port: bidders at both are in one auction."""

import os

from checks import check
from programs import HOST

TITLE = "a Unix socket beside the port"
WIRINGS = ((), ("--threads", "2"))
NEEDS = ("nc",)
PROGRAMS = ("client",)


def play(bed):
    path = os.path.join(bed.folder, "socket")
    server = bed.serve("--seconds", "2", "--lot", "Vase", "--socket", path)
    by_port, by_path = bed.connect("alice"), bed.spawn("bob", "nc", "-U", path)
    by_path.expect(r"LOT 1 Vase")
    by_port.demand("name alice", r"OK name .+")
    by_path.demand("name bob", r"OK name .+")
    by_port.demand("bid 100", r"OK bid 100")
    by_path.demand("bid 120", r"OK bid 120")
    client = bed.spawn("carol", bed.client_path, "--socket", path, "--name", "carol", "bid", "150")
    check(client.exit_code() == 0, f"carol: exit code is not 0: {client.lines + client.errors.lines}")
    for peer in (by_port, by_path):
        peer.expect(r"WINNER carol 150 .*")
    second = bed.run_server("--host", HOST, "--port", "0", "--socket", path)
    check(second.exit_code() == 2 and "listens there already" in second.errors.lines[0],
          f"a second server printed {second.errors.lines}")
    server.stop()
    check(not os.path.exists(path), "the socket is left behind")
