"""The programs under test, and the command lines of the scripts that run them."""

from __future__ import annotations

import argparse
import os
import signal
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOST = "127.0.0.1"
UNLIMITED = tuple(word for name in (
    "connections", "connections-per-address", "line-rate", "names-per-minute", "names", "rooms-per-address",
) for word in (f"--{name}", "none"))
"""The flags of a server that makes nobody wait."""
COUNTED = (*UNLIMITED, "--line-rate", "1000000")
"""The same, but lines are counted: for what that costs."""


def end_children_on_sigterm():
    """Has SIGTERM unwind this process, which ends everything that it started; a second one does not interrupt that."""
    def end(*_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(143)

    signal.signal(signal.SIGTERM, end)


def parser(description: str, *programs: str) -> argparse.ArgumentParser:
    """A command line with a flag for the path of each of these programs."""
    result = argparse.ArgumentParser(description=description, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for program in programs:
        result.add_argument(f"--{program}", metavar="PATH", default=built(f"auction-{program}"),
                            help=f"the {program} (as built last)")
    return result


def parse(arguments: argparse.ArgumentParser, *required: str, cases=()) -> argparse.Namespace:
    """Parses; the required programs must exist, and the names be among the cases."""
    options = arguments.parse_args()
    for name in getattr(options, "names", ()):
        if name not in cases:
            arguments.error(f"no {name!r}; there are {', '.join(cases)}")
    for program in ("server", "client", "bench"):
        path = os.path.abspath(getattr(options, program, None) or built(f"auction-{program}"))
        setattr(options, program, path)
        if program in required and not os.access(path, os.X_OK):
            arguments.error(f"no {program} at {path}; build it, or give --{program} PATH")
    return options


def built(program: str) -> str:
    """The newest build of the program."""
    paths = [os.path.join(ROOT, ".build", kind, program) for kind in ("release", "debug")]
    return max(paths, key=lambda path: os.path.getmtime(path) if os.path.exists(path) else 0)
