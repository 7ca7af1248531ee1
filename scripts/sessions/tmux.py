"""auction-client on a terminal of tmux, whose keys a session presses and whose screen it reads."""

from __future__ import annotations

import os
import re
import select
import signal
import stat
import subprocess
import termios

from checks import Failure, check
from testbed import PATIENCE
from programs import HOST

POLL_SECONDS = 0.02
END_SECONDS = 2.0
PROMPT = "$"
MODES = {"icrnl": (0, termios.ICRNL), "ixon": (0, termios.IXON), "opost": (1, termios.OPOST),
         "isig": (3, termios.ISIG), "icanon": (3, termios.ICANON), "echo": (3, termios.ECHO),
         "iexten": (3, termios.IEXTEN)}
"""The modes that a raw terminal lacks: in which word of the settings each is, and where."""


class Terminal:
    """A tmux server with one shell on one screen; in its folder `./auction` is the client for the last server."""

    def __init__(self, testbed, name, columns, rows):
        self.testbed, self.name, self._codes, self._modes = testbed, name, 0, set(MODES)
        self._socket = os.path.join(testbed.folder, f"tmux-{name}")
        self._environment = testbed.environment(TMUX=None, TMUX_PANE=None, ENV=None, LC_ALL="C.UTF-8", PS1=PROMPT + " ")
        self._install_client()
        testbed.close_at_end(self)
        self._tmux("start-server",
                   ";", "set-option", "-g", "default-terminal", "screen-256color",
                   ";", "set-option", "-g", "status", "off",
                   # What a program leaves on the screen can still be read when it has ended.
                   ";", "set-option", "-g", "remain-on-exit", "on",
                   ";", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                   "-c", testbed.folder, "--", "sh", "-c", "ulimit -c 0; exec sh")
        shell, self.path = self._query("#{pane_pid} #{pane_tty}").split()
        self.shell = int(shell)
        self.expect(rf"^{re.escape(PROMPT)}")
        self._modes = self.modes()

    # The keys

    def type(self, text):
        self.testbed.record(self.name, ">", [text])
        self._tmux("send-keys", "-l", "--", _argument(text))

    def press(self, *keys):
        """Presses keys by their names in tmux: "C-c", "Up", "Enter"."""
        self.testbed.record(self.name, ">", [" ".join(keys)])
        self._tmux("send-keys", "--", *map(_argument, keys))

    def paste(self, text):
        """Pastes the text, in brackets if the program has asked for them."""
        self._tmux("set-buffer", "--", _argument(text), ";", "paste-buffer", "-p", "-r", "-d")

    def run(self, line):
        """Types a line, and Enter."""
        self.type(line)
        self.press("Enter")

    def resize(self, columns, rows):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    # The screen

    def lines(self, styled=False):
        """Each row from the top without blanks at its end; with its colours if styled."""
        return self._tmux("capture-pane", "-p", *(["-e"] if styled else [])).split("\n")[:-1]

    def expect(self, pattern):
        """Waits for a row in which the pattern is found, and returns that row."""
        wanted = re.compile(pattern)
        return self.wait(lambda lines: next(filter(wanted.search, lines), None), f"no row {pattern!r}")

    def expect_gone(self, pattern):
        """Waits until the pattern is found in no row."""
        unwanted = re.compile(pattern)
        self.wait(lambda lines: not any(map(unwanted.search, lines)), f"still a row {pattern!r}")

    def wait(self, find, complaint):
        """Waits until something is found in the rows, and returns it."""
        def complain():
            return f"{self.name}: {complaint}:" + "".join(f"\n     |{line}" for line in self.lines())

        return self.testbed.wait(lambda: find(self.lines()), complain, interval=POLL_SECONDS)

    def is_alternate(self):
        """Whether a program shows a screen of its own, after which the shell's comes back."""
        return self._query("#{alternate_on}") == "1"

    def title(self):
        """The title of the window."""
        return self._query("#{pane_title}")

    def modes(self):
        """Which modes are on, of those that a raw terminal lacks."""
        terminal = os.open(self.path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            settings = termios.tcgetattr(terminal)
        finally:
            os.close(terminal)
        return {name for name, (word, bit) in MODES.items() if settings[word] & bit}

    # The client

    def open(self, command):
        """Runs the client from the shell until its view is on the screen."""
        self.run(command)
        self.expect_view()

    def expect_view(self):
        self.wait(lambda lines: self.is_alternate() and lines[0].startswith(" Lot "), "no view")

    def expect_exit(self, expected):
        """Waits until the shell has its terminal back as it was; fails unless this is the exit code."""
        self._expect_prompt()
        self._codes += 1
        self.run(f'echo "code {self._codes}: $?"')
        line = self.expect(rf"^code {self._codes}: \d+$")
        check(line.endswith(f": {expected}"), f"{self.name}: {line}, not {expected}")
        # What is typed earlier stands before the prompt.
        self._expect_prompt()

    def client(self):
        """The process of the client that the shell runs."""
        with open(f"/proc/{self.shell}/task/{self.shell}/children", encoding="utf-8") as children:
            found = children.read().split()
        check(len(found) == 1, f"{self.name}: the shell runs {len(found)} programs")
        return int(found[0])

    def is_shell_in_front(self):
        """Whether the shell's own process group has the terminal."""
        with open(f"/proc/{self.shell}/stat", encoding="utf-8") as file:
            return int(file.read().rpartition(")")[2].split()[5]) == self.shell

    def kill(self, number):
        """Sends a signal to the client alone."""
        os.kill(self.client(), number)

    # tmux

    def hang_up(self):
        """Takes the terminal away from the programs, as when its window is closed."""
        self._tmux("kill-server")

    def close(self):
        """Ends tmux and its shell, which may have ended already."""
        try:
            shell = os.pidfd_open(self.shell)
            self._tmux("kill-server")
        except (Failure, OSError):
            return
        if not select.select([shell], [], [], END_SECONDS)[0]:
            signal.pidfd_send_signal(shell, signal.SIGKILL)
        os.close(shell)

    def _install_client(self):
        path = os.path.join(self.testbed.folder, "auction")
        with open(path, "w", encoding="utf-8") as script:
            script.write("#!/bin/sh\n"
                         f'exec "{self.testbed.client_path}" --host {HOST} --port {self.testbed.port} "$@"\n')
        os.chmod(path, stat.S_IRWXU)

    def _expect_prompt(self):
        self.wait(lambda _: self._is_as_at_first(), "the terminal is not restored")

    def _is_as_at_first(self):
        """Whether the modes are the first ones, and the cursor stands behind a prompt."""
        row, is_shown, is_wrapped = self._query("#{cursor_y} #{cursor_flag} #{wrap_flag}").split()
        return (self.modes() == self._modes and is_shown == is_wrapped == "1" and not self.is_alternate()
                and self.lines()[int(row)] == PROMPT)

    def _query(self, form):
        return self._tmux("display-message", "-p", form).strip()

    def _tmux(self, *arguments):
        """What tmux prints; fails when tmux does."""
        try:
            done = subprocess.run(["tmux", "-u", "-S", self._socket, "-f", "/dev/null", *arguments],
                                  stdin=subprocess.DEVNULL, capture_output=True, env=self._environment,
                                  timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}: tmux does not answer") from None
        complaint = done.stderr.decode("utf-8", "replace").strip()
        check(done.returncode == 0, f"{self.name}: tmux {arguments[0]}: {complaint}")
        return done.stdout.decode("utf-8", "replace")


def _argument(text):
    """The text as an argument to tmux, which takes a semicolon at an end for one of its own."""
    return text[:-1] + "\\;" if text.endswith(";") else text
