"""Installs the servers of others from Debian's packages, without starting any."""

import os
import shutil
import subprocess

POLICY = "/usr/sbin/policy-rc.d"
"""What Debian asks before it starts a service that was installed."""


def install(packages):
    """Installs what is missing, where we may; nothing is said of what cannot be."""
    if not packages or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    forbids = not os.path.exists(POLICY)
    if forbids:
        with open(POLICY, "w", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o755)) as policy:
            policy.write("#!/bin/sh\nexit 101\n")
    try:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=subprocess.DEVNULL, check=False)
    finally:
        if forbids:
            os.remove(POLICY)
