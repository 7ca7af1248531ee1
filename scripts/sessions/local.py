"""The Unix socket: who comes in by it, and what becomes of its file."""

import os
import signal
import stat

from peer import check
from room import HOST

TITLE = "a Unix socket beside the port"
WIRINGS = ((), ("--threads", "2"))
NEEDS = ("nc",)


def play(room):
    path = os.path.join(room.folder, "socket")
    server = room.serve("--seconds", "2", "--lot", "Vase", "--socket", path, "--log-level", "debug")
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "others may connect")
    by_port, by_path = room.connect("alice"), room.spawn("bob", "nc", "-U", path)
    by_path.expect(r"LOT 1 Vase")
    by_port.demand("name alice", r"OK name .+")
    by_path.demand("name bob", r"OK name .+")
    by_port.demand("bid 100", r"OK bid 100")
    by_path.demand("bid 120", r"OK bid 120")
    client = room.spawn("carol", room.client_path, "--socket", path, "--name", "carol", "bid", "150")
    check(client.exit_code() == 0, f"carol exited wrongly: {client.lines + client.errors.lines}")
    for peer in (by_port, by_path):
        peer.expect(r"WINNER carol 150 .*")
    refuse_in_use(room, path)
    server.stop()
    check(not os.path.exists(path), "the socket is left behind")
    check(any("event=connected" in line and "address=local" in line for line in server.errors.lines),
          "no local address in the log")
    replace_a_dead_one(room, path)
    keep_other_files(room, path)


def refuse_in_use(room, path):
    second = room.run_server("--host", HOST, "--port", "0", "--socket", path)
    check(second.exit_code() == 2 and len(second.errors.lines) == 1,
          f"a second server said {second.errors.lines}")
    check("listens there already" in second.errors.lines[0], f"it said {second.errors.lines}")


def replace_a_dead_one(room, path):
    server = room.serve("--socket", path)
    server.process.send_signal(signal.SIGKILL)
    server.exit_code()
    check(os.path.exists(path), "a killed server removed its socket")
    server = room.serve("--socket", path)
    room.spawn("bob", "nc", "-U", path).expect(r"LOT 1 .+")
    server.stop()
    check(not os.path.exists(path), "the socket is left behind")


def keep_other_files(room, path):
    with open(path, "w", encoding="ascii") as file:
        file.write("precious")
    server = room.run_server("--host", HOST, "--port", "0", "--socket", path)
    check(server.exit_code() == 2 and "no socket" in server.errors.lines[0],
          f"it said {server.errors.lines}")
    with open(path, encoding="ascii") as file:
        check(file.read() == "precious", "a file was overwritten")
