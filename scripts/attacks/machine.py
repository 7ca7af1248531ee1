"""What a process spends, and what the kernel keeps for sockets."""

from __future__ import annotations

import os
import re
import time
from typing import NamedTuple

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
MIB = 1 << 20


class Figures(NamedTuple):
    """One look at a process."""

    memory: int
    """Bytes of memory, without what the kernel keeps for its sockets."""
    descriptors: int
    threads: int
    cpu: float
    """Seconds of a processor, since it began."""
    sockets: int
    """Bytes of kernel memory for all sockets of TCP on the machine, for no process has its own."""


def figures(pid: int) -> Figures:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        # The name of the program, in parentheses, may have blanks.
        fields = file.read().rpartition(")")[2].split()
    descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    return Figures(int(fields[21]) * PAGE, descriptors, int(fields[17]),
                   (int(fields[11]) + int(fields[12])) / TICKS, socket_memory())


def socket_memory() -> int:
    with open("/proc/net/sockstat", encoding="ascii") as file:
        return int(re.search(r"^TCP:.* mem (\d+)", file.read(), re.MULTILINE)[1]) * PAGE


def share_of_a_core(pid: int, pass_time, seconds: float = 1.0) -> float:
    """Which part of a processor the process takes while so much time passes."""
    before, start = figures(pid).cpu, time.monotonic()
    pass_time(seconds)
    return (figures(pid).cpu - before) / (time.monotonic() - start)
