"""Installs the servers of others from Debian's packages, without starting any."""

import contextlib
import os
import shutil
import subprocess

POLICY = "/usr/sbin/policy-rc.d"
"""What Debian asks before it starts a service that was installed."""


def install(packages):
    """Installs what is missing, where we may; what cannot be installed stays missing."""
    if not packages or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with nothing_started():
        for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *words], env=environment, stdout=subprocess.DEVNULL, check=False)


@contextlib.contextmanager
def nothing_started():
    """Forbids Debian to start services for as long as the block takes, unless it has rules already."""
    try:
        descriptor = os.open(POLICY, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
    except FileExistsError:
        yield
        return
    with os.fdopen(descriptor, "w", encoding="ascii") as policy:
        policy.write("#!/bin/sh\nexit 101\n")
    try:
        yield
    finally:
        os.remove(POLICY)
