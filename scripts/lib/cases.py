"""The command line of a script that plays named cases: sessions, or attacks.

A case has a TITLE, and may have VARIANTS, each a tuple of flags; NEEDS, which are tools with a flag that each must
know; PROGRAMS, which are programs of ours beside the server; and `missing_requirement(options)`, which says in words
what this machine lacks.
"""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import subprocess
import time
import traceback

import programs
from checks import Failure
from machine import FORK

LONGEST_LINE = 240


def run(description: str, cases: dict, play) -> int:
    """Plays the cases that the command line names, or all; returns the exit code.

    `play(case, variant, options)` plays one, and returns a failure or None, notes, and the lines of a transcript.
    """
    programs.end_children_on_sigterm()
    arguments = programs.parser(description, "server", "client", "bench")
    arguments.add_argument("--require-all", action="store_true", help="fail, rather than skip, where a tool is missing")
    arguments.add_argument("--jobs", metavar="N", type=int, default=1,
                           help="how many are played at the same time (%(default)s)")
    arguments.add_argument("names", metavar="NAME", nargs="*", help=f"of {', '.join(cases)}")
    options = programs.parse(arguments, "server", cases=cases)
    plays, skipped, failed = [], [], 0
    for name in options.names or cases:
        missing = missing_requirement(cases[name], options)
        if missing and options.require_all:
            print(f"FAIL {name}: {missing}", flush=True)
            failed += 1
        elif missing:
            skipped.append(f"{name} ({missing})")
        else:
            variants = getattr(cases[name], "VARIANTS", ((),))
            plays += ((play, name, cases[name], variant, options) for variant in variants)
    results = play_all(plays, max(1, options.jobs))
    failed += results.count(False)
    print(f"{results.count(True)} passed, {failed} failed")
    if skipped:
        print(f"{len(skipped)} skipped: {', '.join(skipped)}")
    return 1 if failed else 0


def play_all(plays, jobs) -> list[bool]:
    """Whether each passed; with several jobs each is played in a process of its own."""
    if jobs == 1:
        return [play_one(*each) for each in plays]
    with concurrent.futures.ProcessPoolExecutor(jobs, FORK) as pool:
        futures = [pool.submit(play_one, *each) for each in plays]
        return [future.result() for future in futures]


def play_one(play, name, case, variant, options) -> bool:
    """Plays one case and prints the result; whether it passed."""
    start, failure, notes, transcript = time.monotonic(), None, [], []
    try:
        failure, notes, transcript = play(case, variant, options)
    except Failure as caught:
        failure = caught
    except Exception:
        failure = traceback.format_exc()
    label = f"{name} ({' '.join(variant)})" if variant else name
    lines = [f"{'FAIL' if failure else 'ok  '} {label}: {', '.join([case.TITLE, *notes])}, "
             f"{time.monotonic() - start:.1f} s"]
    if failure:
        lines += [f"     {failure}", *(f"     {line}"[:LONGEST_LINE] for line in transcript)]
    # All at once, because another case may print at the same time.
    print("\n".join(lines), flush=True)
    return not failure


def missing_requirement(case, options) -> str:
    """What the case needs and this machine lacks, in words; empty if nothing."""
    for tool in getattr(case, "NEEDS", ()):
        program, *flags = tool.split()
        if not shutil.which(program):
            return f"no {program}"
        if flags and flags[0] not in _usage(program):
            return f"{program} has no {flags[0]}"
    for program in getattr(case, "PROGRAMS", ()):
        if not os.access(getattr(options, program), os.X_OK):
            return f"no auction-{program}"
    return case.missing_requirement(options) if hasattr(case, "missing_requirement") else ""


def _usage(program):
    asked = subprocess.run([program, "-h"], capture_output=True, text=True, check=False)
    return asked.stdout + asked.stderr
