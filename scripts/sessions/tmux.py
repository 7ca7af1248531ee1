"""A terminal of tmux whose keys a session presses, and whose screen it reads."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import termios
import time

from checks import Failure, check
from peer import PATIENCE

POLL_SECONDS = 0.02
PARTING_SECONDS = 2.0
TERMINAL = "screen-256color"
PROMPT = "$ "
MODES = {"icrnl": (0, termios.ICRNL), "ixon": (0, termios.IXON), "opost": (1, termios.OPOST),
         "isig": (3, termios.ISIG), "icanon": (3, termios.ICANON), "echo": (3, termios.ECHO),
         "iexten": (3, termios.IEXTEN)}
"""The modes that a raw terminal lacks: in which word of the settings each is, and where."""


class Screen:
    """A screen of just this size, with a shell on it, or a program if one is given.

    It is a tmux server of its own, which is closed with the test bed.
    """

    def __init__(self, bed, name, columns, rows, *program, **environment):
        self.bed, self.name = bed, name
        self._socket = os.path.join(bed.folder, f"tmux-{name}")
        self._environment = bed.environment(
            **{"TMUX": None, "TMUX_PANE": None, "ENV": None, "LC_ALL": "C.UTF-8", "PS1": PROMPT,
               **environment})
        self.shell = self.path = None
        self._first_modes = set(MODES)
        bed.admit(self)
        self._tmux("start-server",
                   ";", "set-option", "-g", "default-terminal", TERMINAL,
                   ";", "set-option", "-g", "status", "off",
                   # What a program leaves on the screen can still be read when it has ended.
                   ";", "set-option", "-g", "remain-on-exit", "on",
                   ";", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                   "-c", bed.folder, "--", "env", *(program or ("sh",)))
        shell, self.path = self._ask("#{pane_pid} #{pane_tty}").split()
        self.shell = int(shell)
        if not program:
            self.expect(rf"^{re.escape(PROMPT.rstrip())}")
            self._first_modes = self.stty()

    # The keys

    def type(self, text):
        """Types the text as it is."""
        self.bed.note(self.name, ">", [text])
        self._tmux("send-keys", "-l", "--", _argument(text))

    def press(self, *keys):
        """Presses keys by their names with tmux: "C-c", "Up", "Enter", "M-b"."""
        self.bed.note(self.name, ">", [" ".join(keys)])
        self._tmux("send-keys", "--", *map(_argument, keys))

    def paste(self, text):
        """Pastes the text, in brackets if the program has asked for them."""
        self.bed.note(self.name, ">", [text])
        self._tmux("set-buffer", "--", _argument(text), ";", "paste-buffer", "-p", "-r", "-d")

    def run(self, command):
        """Types a command to the shell."""
        self.type(command)
        self.press("Enter")

    def resize(self, columns, rows):
        """Gives the screen another size, which the program is told by a signal."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    # The screen

    def lines(self, styled=False):
        """Each row from the top without blanks at its end; with its colours if styled."""
        text = self._tmux("capture-pane", "-p", *(["-e"] if styled else []))
        return text.split("\n")[:-1]

    def expect(self, pattern, seconds=PATIENCE):
        """Waits for a row in which the pattern is found, and returns that row."""
        wanted = re.compile(pattern)
        return self.wait(lambda lines: next(filter(wanted.search, lines), None),
                         f"no row {pattern!r}", seconds)

    def expect_gone(self, pattern, seconds=PATIENCE):
        """Waits until the pattern is found in no row."""
        unwanted = re.compile(pattern)
        self.wait(lambda lines: None if any(map(unwanted.search, lines)) else True,
                  f"still a row {pattern!r}", seconds)

    def wait(self, find, complaint, seconds=PATIENCE):
        """Waits until something is found in the rows, and returns it; nil is nothing."""
        deadline = time.monotonic() + seconds
        while (found := find(lines := self.lines())) is None:
            now = time.monotonic()
            check(now < deadline, f"{self.name}: {complaint} within {seconds:g} s:{framed(lines)}")
            self.bed.pump_until(min(deadline, now + POLL_SECONDS))
        return found

    def cursor(self):
        """The row and the column of the cursor, from 0; nil if it is hidden."""
        said = self._ask("#{cursor_y} #{cursor_x} #{cursor_flag}")
        row, column, is_shown = map(int, said.split())
        return (row, column) if is_shown else None

    def alternate_on(self):
        """Whether a program has the screen to itself, and the shell's will come back."""
        return self._ask("#{alternate_on}") == "1"

    def title(self):
        """What the window is called, which a program may have changed."""
        return self._ask("#{pane_title}")

    # The terminal and the programs

    def pid(self):
        """The program in the foreground: the shell, or the first of the command that it runs."""
        try:
            with open(f"/proc/{self.shell}/stat", encoding="utf-8") as file:
                group = int(file.read().rpartition(")")[2].split()[5])
        except FileNotFoundError:
            group = -1
        check(group > 0, f"{self.name}: nothing runs on the screen")
        return group

    def is_shell_in_front(self):
        """Whether the shell waits for a command."""
        return self.pid() == self.shell

    def stty(self):
        """Which modes are on, of those that a raw terminal lacks: "echo", "icanon" and so on."""
        terminal = os.open(self.path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            settings = termios.tcgetattr(terminal)
        finally:
            os.close(terminal)
        return {name for name, (word, bit) in MODES.items() if settings[word] & bit}

    def expect_cooked(self, seconds=PATIENCE):
        """Waits until the shell has the terminal as at first, and waits for a command."""
        self.wait(lambda _: self._is_as_at_first() or None, "the terminal is not restored", seconds)

    def _is_as_at_first(self):
        return (self.stty() == self._first_modes and self._is_prompted()
                and not self.alternate_on() and self._ask("#{wrap_flag}") == "1")

    def _is_prompted(self):
        """Whether the cursor is shown, behind a prompt: what is typed earlier may meet another."""
        cursor = self.cursor()
        return cursor is not None and self.lines()[cursor[0]] == PROMPT.rstrip()

    # tmux

    @contextlib.contextmanager
    def frozen(self):
        """Has the terminal take nothing from its programs for a while; it answers nothing either."""
        server = int(self._ask("#{pid}"))
        os.kill(server, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(server, signal.SIGCONT)

    def hang_up(self):
        """Takes the terminal away from the programs, as when its window is closed."""
        self._tmux("kill-server")

    def close(self):
        """Ends the server, and the programs that were on the screen if they outlive it."""
        programs = self._programs()
        try:
            self._tmux("kill-server")
        except Failure:
            pass  # It never began, or has ended by itself.
        for program in programs:
            if not select.select([program], [], [], PARTING_SECONDS)[0]:
                signal.pidfd_send_signal(program, signal.SIGKILL)
            os.close(program)

    def _programs(self):
        """A descriptor for the shell, and one for the program in the foreground, while they run."""
        programs = []
        try:
            for number in {self.shell, self.pid()}:
                programs.append(os.pidfd_open(number))
        except (Failure, OSError):
            pass  # The rest has ended already.
        return programs

    def _ask(self, form):
        return self._tmux("display-message", "-p", form).strip()

    def _tmux(self, *arguments):
        """What tmux prints; fails when tmux does."""
        try:
            done = subprocess.run(
                ["tmux", "-u", "-S", self._socket, "-f", "/dev/null", *arguments],
                stdin=subprocess.DEVNULL, capture_output=True, env=self._environment,
                timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}: tmux does not answer") from None
        complaint = done.stderr.decode("utf-8", "replace").strip()
        check(done.returncode == 0, f"{self.name}: tmux {arguments[0]}: {complaint}")
        return done.stdout.decode("utf-8", "replace")


def framed(lines):
    """The rows of a screen as a complaint shows them."""
    return "".join(f"\n     |{line}" for line in lines)


def _argument(text):
    """The text as an argument to tmux, which takes a semicolon at an end for one of its own."""
    return text[:-1] + "\\;" if text.endswith(";") else text
