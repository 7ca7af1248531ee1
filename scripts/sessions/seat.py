"""The client on a terminal, as its user sees it and types at it."""

import os
import re
import stat

from checks import check
from programs import HOST
from tmux import Screen, framed

BLOCKS = "▏▎▍▌▋▊▉█"
"""The parts of a bar, each an eighth of a column wider than the one before."""
BAR = re.compile(r"^ ([▏▎▍▌▋▊▉█]*)(░*)\s+(\d+)( s| going once| going twice)$")
DOTS = re.compile("[\u2801-\u28ff]")
COLOUR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:3|4|9|10)[0-7](?:;[\d;]*)?m")


class Seat(Screen):
    """A screen with a shell on it, where ./auction is the client, told where the server is.

    The shell runs just one command, if one is given, and lets nothing be stopped and continued.
    """

    def __init__(self, bed, name, columns, rows, command=None):
        self._codes = 0
        install(bed)
        if command:
            super().__init__(bed, name, columns, rows, "sh", "-c", f"{command}; exit")
        else:
            super().__init__(bed, name, columns, rows)
            self.run("ulimit -c 0")

    def open(self, command):
        """Runs the client from the shell until its view is on the screen."""
        self.run(command)
        self.expect_view()

    def expect_view(self):
        """Waits until the view is on the screen, and knows the server."""
        self.wait(lambda lines: (self.alternate_on() and lines[0].startswith(" Lot ")) or None,
                  "no view")

    def submit(self, line):
        """Types a line and ends it."""
        self.type(line)
        self.press("Enter")

    def expect_left(self, expected):
        """Waits until the shell has its terminal back; fails unless the exit code is so."""
        self.expect_cooked()
        self._codes += 1
        self.run(f'echo "code {self._codes}: $?"')
        line = self.expect(rf"^code {self._codes}: \d+$")
        check(line.endswith(f": {expected}"),
              f"{self.name}: {line}, not {expected}{framed(self.lines())}")

    def scribble(self, text):
        """Writes on the terminal behind the client's back."""
        terminal = os.open(self.path, os.O_WRONLY | os.O_NOCTTY)
        os.write(terminal, text.encode())
        os.close(terminal)

    def client(self):
        """The client that the shell runs."""
        with open(f"/proc/{self.shell}/task/{self.shell}/children", encoding="utf-8") as children:
            found = children.read().split()
        check(len(found) == 1, f"{self.name}: the shell runs {len(found)} programs")
        return int(found[0])

    def kill(self, number):
        """Sends a signal to the client alone."""
        os.kill(self.client(), number)

    # What is seen

    def bar(self, lines=None):
        """The countdown: eighths of the bar, seconds, and the warning; nil while none runs."""
        for line in self.lines() if lines is None else lines:
            if (found := BAR.match(line)) and (found[1] or found[2]):
                eighths = sum(BLOCKS.index(block) + 1 for block in found[1])
                warning = found[4].strip()
                return eighths, int(found[3]), "" if warning == "s" else warning
        return None

    def dots(self):
        """How many characters of the chart have a part of the price's line."""
        return len(DOTS.findall("".join(self.lines())))

    def has_colours(self):
        """Whether anything on the screen has a colour."""
        return any(map(COLOUR.search, self.lines(styled=True)))


def install(bed):
    """Puts the client into the folder of the session, as a command that knows the server."""
    path = os.path.join(bed.folder, "auction")
    with open(path, "w", encoding="utf-8") as script:
        script.write(f'#!/bin/sh\nexec "{bed.client_path}" --host {HOST} --port {bed.port} '
                     '"$@"\n')
    os.chmod(path, stat.S_IRWXU)
