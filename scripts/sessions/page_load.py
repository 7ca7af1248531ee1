"""The page under a thousand bids a second: its frames, its nodes and its memory stay within bounds.

`scripts/page-load` measures for longer, and the processor time too.
"""

from __future__ import annotations

import contextlib
import time
from typing import NamedTuple

import webdriver
from checks import check
from machine import figures
from page import AuctionPage

TITLE = "a page under 1,000 bids a second"
PROGRAMS = ("bench",)
NEEDS = webdriver.NEEDS
SERVER = ("--seconds", "3600", "--self-raise", "allow", "--data", "none", "--log-level", "warning")
RATE, SECONDS, WARM_UP = 1000, 8.0, 3.0
"""Bids a second, how long they are counted, and how long the page grows first to what it keeps."""
MOST_FRAMES, MOST_NODES, MOST_GROWTH = 60, 5000, 1 << 20
"""Frames a second; nodes of the document; bytes by which the heap may grow, far below one object for each bid."""
LONGEST_TASK = """
window.longestTask = 0;
new PerformanceObserver((list) => {
    for (const task of list.getEntries()) longestTask = Math.max(longestTask, task.duration);
}).observe({ type: "longtask" });
"""


class Cost(NamedTuple):
    """What a page under load used."""

    seconds: float
    frames: int
    """How often the page changed what is shown, as it counts itself."""
    styles: int
    """How often the browser computed styles."""
    longest: float
    """Milliseconds of the longest task on the main thread."""
    nodes: int
    growth: int
    """Bytes by which its heap grew."""
    shares: dict[str, float]
    """The part of a core that each kind of the browser's processes used."""


def play(testbed):
    check_bounds(follow(testbed, SECONDS))


def check_bounds(cost):
    check(0 < cost.frames <= MOST_FRAMES * cost.seconds, f"{cost.frames} frames in {cost.seconds:.1f} s")
    check(cost.styles <= MOST_FRAMES * cost.seconds, f"styles were computed {cost.styles} times")
    check(cost.nodes <= MOST_NODES, f"{cost.nodes} nodes")
    check(cost.growth <= MOST_GROWTH, f"the heap grew by {cost.growth} bytes")


def follow(testbed, seconds) -> Cost:
    """What a page uses that follows the bids of a load generator for this long."""
    testbed.serve(*SERVER)
    page = AuctionPage(testbed, "follower", is_watched=False)
    page.run_first(LONGEST_TASK)
    page.devtools("Performance.enable")
    page.open()
    page.expect_phase("live")
    bench = testbed.spawn("bench", testbed.bench_path, "bids", "--port", str(testbed.port), "--rate", str(RATE),
                          "--seconds", str(WARM_UP + seconds + 2))
    page.wait("return auction.model.series.count", "no bid arrives")
    testbed.pump_until(time.monotonic() + WARM_UP)
    page.devtools("HeapProfiler.collectGarbage")
    page.run("longestTask = 0")
    old, frames, used, start = metrics(page), count_frames(page), processor_time(page), time.monotonic()
    testbed.pump_until(start + seconds)
    spent, passed, frames = processor_time(page), time.monotonic() - start, count_frames(page) - frames
    page.devtools("HeapProfiler.collectGarbage")
    new, longest = metrics(page), page.run("return longestTask")
    check(bench.exit_code(60) == 0, f"the bidder failed: {bench.errors.lines}")
    observer = testbed.connect("observer")
    price = observer.expect(r"PRICE .+").split()[1]
    page.expect_price(price)
    page.check_clean()
    more = {name: int(new[name] - old[name]) for name in new}
    shares = {kind: (spent[kind] - used.get(kind, 0)) / passed for kind in spent}
    return Cost(passed, frames, more["RecalcStyleCount"], longest, int(new["Nodes"]), more["JSHeapUsedSize"], shares)


def count_frames(page):
    return page.run("return auction.frames")


def metrics(page) -> dict[str, float]:
    """What the browser counts of the page, such as its nodes and the bytes of its objects."""
    return {each["name"]: each["value"] for each in page.devtools("Performance.getMetrics")["metrics"]}


def processor_time(page) -> dict[str, float]:
    """The seconds that the browser's processes have used, by kind."""
    used: dict[str, float] = {}
    for process in page.processes():
        with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as file:
            flags = file.read().decode("utf-8", "replace").replace("\0", " ").split(" ")
            kinds = [flag.removeprefix("--type=") for flag in flags if flag.startswith("--type=")]
            kind = kinds[0] if kinds else "browser"
            used[kind] = used.get(kind, 0.0) + figures(process).cpu
    return used
