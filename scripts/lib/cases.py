"""The command line of a script that plays named cases: sessions, or attacks.

A case has a TITLE, and may have VARIANTS, each a tuple of flags for all servers; NEEDS, which are tools with a flag
that each must know; PROGRAMS, which are programs of ours besides the server; and `missing_requirement(options)`, which
says in words what this machine lacks.
"""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import subprocess
import time
import traceback

import programs
from checks import Failure, Late
from machine import FORK
from testbed import Testbed

LONGEST_LINE = 240
_plays: list = []
"""What is played, each with its arguments; the processes that play begin with a copy of it."""


def run(description: str, cases: dict, play) -> int:
    """Plays the cases that the command line names, or all; returns the exit code.

    `play(case, testbed)` plays one, and may return notes.
    """
    programs.end_children_on_sigterm()
    arguments = programs.parser(description, "server", "client", "bench")
    arguments.add_argument("--require-all", action="store_true", help="fail, rather than skip, where a tool is missing")
    arguments.add_argument("--jobs", metavar="N", type=int, default=1,
                           help="how many are played at the same time (%(default)s)")
    arguments.add_argument("names", metavar="NAME", nargs="*", help=f"of {', '.join(cases)}")
    options = programs.parse(arguments, "server", cases=cases)
    skipped, failed = [], 0
    for name in options.names or cases:
        missing = missing_requirement(cases[name], options)
        if missing and options.require_all:
            print(f"FAIL {name}: {missing}", flush=True)
            failed += 1
        elif missing:
            skipped.append(f"{name} ({missing})")
        else:
            _plays.extend((play, name, cases[name], variant, options) for variant in getattr(cases[name], "VARIANTS", ((),)))
    with concurrent.futures.ProcessPoolExecutor(max(1, options.jobs), FORK) as pool:
        results = list(pool.map(play_one, range(len(_plays))))
    failed += results.count(False)
    print(f"{results.count(True)} passed, {failed} failed")
    if skipped:
        print(f"{len(skipped)} skipped: {', '.join(skipped)}")
    return 1 if failed else 0


def play_one(number) -> bool:
    """Plays one case and prints the result; whether it passed.

    A case that failed on time alone is played once more, and must then be in time: a busy machine can stand still in
    ways that the control process does not measure. A server that an attack stalls is late both times.
    """
    play, name, case, variant, options = _plays[number]
    start, notes = time.monotonic(), []
    failure, transcript = play_once(play, case, variant, options, notes)
    if isinstance(failure, Late):
        notes = [f"once more, for {failure}"]
        failure, transcript = play_once(play, case, variant, options, notes)
    label = f"{name} ({' '.join(variant)})" if variant else name
    lines = [f"{'FAIL' if failure else 'ok  '} {label}: {', '.join([case.TITLE, *notes])}, "
             f"{time.monotonic() - start:.1f} s"]
    if failure:
        lines += [f"     {failure}", *(f"     {line}"[:LONGEST_LINE] for line in transcript)]
    # All at once, because another case may print at the same time.
    print("\n".join(lines), flush=True)
    return not failure


def play_once(play, case, variant, options, notes):
    """Returns the failure, if there is one, and the last lines that were sent and received; adds the notes."""
    testbed = Testbed(options, variant)
    try:
        notes += play(case, testbed) or ()
        return None, []
    except Failure as failure:
        return failure, testbed.last_lines()
    except Exception:
        return traceback.format_exc(), testbed.last_lines()
    finally:
        testbed.close()


def missing_requirement(case, options) -> str:
    """What the case needs and this machine lacks, in words; empty if nothing."""
    for tool in getattr(case, "NEEDS", ()):
        program, *flags = tool.split()
        if not shutil.which(program):
            return f"no {program}"
        asked = subprocess.run([program, "-h"], capture_output=True, text=True, check=False) if flags else None
        if asked and flags[0] not in asked.stdout + asked.stderr:
            return f"{program} has no {flags[0]}"
    for program in getattr(case, "PROGRAMS", ()):
        if not os.access(getattr(options, program), os.X_OK):
            return f"no auction-{program}"
    return case.missing_requirement(options) if hasattr(case, "missing_requirement") else ""
