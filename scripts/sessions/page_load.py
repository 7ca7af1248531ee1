"""The page under a thousand bids a second: its frames, nodes, memory and processor time stay within bounds."""

from __future__ import annotations

import contextlib
import time

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
MOST_SHARE = 0.4
"""The part of a core that the process may use that draws the page."""


def play(testbed):
    testbed.serve(*SERVER)
    page = AuctionPage(testbed, "follower", is_watched=False)
    page.devtools("Performance.enable")
    page.open()
    page.expect_phase("live")
    bench = testbed.spawn("bench", testbed.bench_path, "bids", "--port", str(testbed.port), "--rate", str(RATE),
                          "--seconds", str(WARM_UP + SECONDS + 2))
    page.wait("return auction.model.series.count", "no bid arrives")
    testbed.pump_until(time.monotonic() + WARM_UP)
    page.devtools("HeapProfiler.collectGarbage")
    old, frames, used, start = metrics(page), count_frames(page), processor_time(page), time.monotonic()
    testbed.pump_until(start + SECONDS)
    used, passed, frames = processor_time(page) - used, time.monotonic() - start, count_frames(page) - frames
    page.devtools("HeapProfiler.collectGarbage")
    new = metrics(page)
    check(bench.exit_code(60) == 0, f"the bidder failed: {bench.errors.lines}")
    price = testbed.connect("observer").expect(r"PRICE .+").split()[1]
    page.expect_price(price)
    page.check_clean()
    styles, growth = (new[name] - old[name] for name in ("RecalcStyleCount", "JSHeapUsedSize"))
    check(0 < frames <= MOST_FRAMES * passed, f"{frames} frames in {passed:.1f} s")
    check(styles <= MOST_FRAMES * passed, f"styles were computed {styles:.0f} times")
    check(new["Nodes"] <= MOST_NODES, f"{new['Nodes']:.0f} nodes")
    check(growth <= MOST_GROWTH, f"the heap grew by {growth:.0f} bytes")
    check(used <= MOST_SHARE * passed, f"the page used {used / passed:.0%} of a core")


def count_frames(page):
    """How often the page changed what is shown, as it counts itself."""
    return page.run("return auction.frames")


def metrics(page) -> dict[str, float]:
    """What the browser counts of the page, such as its nodes and the bytes of its objects."""
    return {each["name"]: each["value"] for each in page.devtools("Performance.getMetrics")["metrics"]}


def processor_time(page) -> float:
    """The seconds that the processes have used that draw the page."""
    used = 0.0
    for process in page.processes():
        with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as file:
            if b"--type=renderer" in file.read():
                used += figures(process).cpu
    return used
