"""The figures of a cluster: scripts/cluster-figures measures all of them for a moment."""

import json
import os

import nats
from checks import check
from programs import ROOT

TITLE = "scripts/cluster-figures measures each figure of a cluster"
PROGRAMS = ("bench",)
SCRIPT = os.path.join(ROOT, "scripts", "cluster-figures")
SECONDS = 120
FAULTS = "kill", "stop", "leader"


def missing_requirement(_):
    return "" if nats.installed() else "no NATS server"


def play(testbed):
    program = testbed.spawn("cluster-figures", SCRIPT, "--quick", "--json", "--server", testbed.server_path,
                            "--bench", testbed.bench_path)
    program.check_exit(0, SECONDS)
    check(len(program.lines) == 1 and not program.errors.lines, "it prints more than an object", *program.errors.lines)
    figures = json.loads(program.lines[0])
    latencies = [result["okLatencyNanoseconds"]["p50"] for results in figures["okLatency"].values() for result in results]
    deliveries = [result["deliveriesPerSecond"] for results in figures["deliveries"].values() for result in results]
    rates = [rate for rates in figures["bidsPerSecond"].values() for rate in rates]
    for name, count, found in (("times to OK", 6, latencies), ("deliveries", 3, deliveries), ("rates", 6, rates)):
        check(len(found) == count and min(found) > 0, f"{name}: {found}")
    check(min(figures["appendNanoseconds"]) > 0, "NATS appended nothing")
    for each in figures["traffic"]:
        # Every node is told every bid.
        check(each["bids"] > 0 and each["messages"] > 0 and each["to third"] > each["from third"], f"traffic: {each}")
    pauses = {fault: [seconds for seconds, _ in figures["pauses"][fault]] for fault in FAULTS}
    check(all(len(found) == 1 and found[0] > 0 for found in pauses.values()), f"pauses: {pauses}")
    check(all(found["after"] > 0 for found in figures["memory"].values()), f"memory: {figures['memory']}")
    return [f"{fault} {pauses[fault][0]:.1f} s" for fault in FAULTS]
