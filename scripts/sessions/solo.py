"""`scripts/play`: a game alone in one terminal, which leaves nothing behind, however it ends."""

import glob
import os
import signal
import subprocess

from checks import check
from tmux import Terminal

TITLE = "a game alone against bots, left by Ctrl-C, by a signal, and by closing the terminal"
PROGRAMS = ("client",)
NEEDS = ("tmux",)
SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "play")


def play(testbed):
    # The client of this terminal is not used, but the terminal wants the port of a server.
    testbed.port = 0
    leave_by_key(testbed)
    end_by_signal(testbed)
    close_window(testbed)


class Game:
    """The game in a terminal, with a folder of its own for what it writes."""

    def __init__(self, testbed, name):
        self.testbed = testbed
        self.folder = os.path.join(testbed.folder, f"tmp-{name}")
        os.mkdir(self.folder)
        self.terminal = Terminal(testbed, name, 100, 30)
        self.terminal.open(f"TMPDIR={self.folder} {SCRIPT} --server {testbed.server_path}"
                           f" --client {testbed.client_path} alice")
        # Not every bot fits the screen.
        self.terminal.expect(r"(Leo|Paul|Viktor)")
        check(len(self.processes()) >= 3, "the server, the bots and the view do not run")

    def processes(self):
        """The script and what it has started, which are recognized by their environment."""
        found = []
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                with open(path, "rb") as file:
                    if f"TMPDIR={self.folder}\0".encode() in file.read():
                        found.append(int(path.split("/")[2]))
            except OSError:
                continue
        return found

    def check_gone(self):
        """Waits until no process is left; fails if a file is."""
        self.testbed.wait(lambda: not self.processes(), "something still runs", interval=0.05)
        left = os.listdir(self.folder)
        check(not left, f"left behind: {left}")


def leave_by_key(testbed):
    """The ranking is printed, and the shell has its terminal again."""
    game = Game(testbed, "key")
    game.terminal.press("C-c")
    game.terminal.expect(r"^rank +bidder")
    game.terminal.expect(r"^ +1  alice ")
    game.terminal.expect_exit(0)
    game.check_gone()


def end_by_signal(testbed):
    game = Game(testbed, "signal")
    script = next(pid for pid in game.processes() if parent(pid) == game.terminal.shell)
    os.kill(script, signal.SIGTERM)
    game.terminal.expect_exit(128 + signal.SIGTERM)
    game.check_gone()


def close_window(testbed):
    game = Game(testbed, "window")
    game.terminal.hang_up()
    game.check_gone()


def parent(pid):
    return int(subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True,
                              check=True).stdout)
