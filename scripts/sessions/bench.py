"""auction-bench against a real server: its counts, and its exit codes."""

import json

from checks import check
from programs import HOST

TITLE = "the load generator's counts and exit codes"
PROGRAMS = ("bench",)


def play(testbed):
    server = testbed.serve("--seconds", "60", "--data", "none", "--self-raise", "allow")
    for manner in (("--outstanding", "7"), ("--rate", "500")):
        bench = fan_out(testbed, *manner)
        check(bench.exit_code() == 0, f"{manner}: failed: {bench.errors.lines}")
        result = json.loads(bench.lines[0])
        check(result["lost"] == 0 and result["acceptedPerSecond"] > 0, f"{manner}: {result}")
    lost = fan_out(testbed, "--rate", "20")
    testbed.connect("observer").expect(r"PRICE \d+ bench-\d+ .+")
    server.process.kill()
    check(lost.exit_code() == 3, f"without the server: {lost.lines + lost.errors.lines}")
    testbed.serve("--seconds", "60", "--data", "none")
    refused = fan_out(testbed, "--outstanding", "7")
    check(refused.exit_code() == 1, f"where nobody may raise their own bid: {refused.lines + refused.errors.lines}")


def fan_out(testbed, *manner):
    return testbed.spawn("bench", testbed.bench_path, "fanout", "--host", HOST, "--port", str(testbed.port), "--json",
                      "--observers", "20", "--bids", "300", *manner)
