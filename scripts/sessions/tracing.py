"""Whether one program may look into another here."""

import subprocess

NEEDS = ("strace -D",)


def lacking(_):
    """What keeps us from it, in words; empty if nothing."""
    probe = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False)
    return "no leave to trace a program" if probe.returncode else ""
