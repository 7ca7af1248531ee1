"""auction-bench against a real server: its counts, and its exit codes."""

import json

from checks import check

TITLE = "the load generator's counts, rooms and exit codes"
PROGRAMS = ("bench",)


def play(testbed):
    server = testbed.serve("--seconds", "60", "--data", "none", "--self-raise", "allow")
    for manner in (("--outstanding", "7"), ("--rate", "500")):
        bench = fan_out(testbed, *manner)
        check(bench.exit_code() == 0, f"{manner}: failed: {bench.errors.lines}")
        result = json.loads(bench.lines[0])
        check(result["lost"] == 0 and result["acceptedPerSecond"] > 0, f"{manner}: {result}")
    bid_in_room(testbed)
    measure_rooms(testbed)
    lost = fan_out(testbed, "--rate", "20")
    testbed.connect("observer").expect(r"PRICE \d+ bench-\d+ .+")
    server.process.kill()
    check(lost.exit_code() == 3, f"without the server: {lost.lines + lost.errors.lines}")
    testbed.serve("--seconds", "60", "--data", "none")
    refused = fan_out(testbed, "--outstanding", "7")
    check(refused.exit_code() == 1, f"where nobody may raise their own bid: {refused.lines + refused.errors.lines}")
    testbed.serve("--data", "none", "--rooms", "1")
    check_refusal(testbed, 1, "--rooms and --rooms-per-address")
    check_refusal(testbed, 2, "--outstanding", "--outstanding", "5")
    check_refusal(testbed, 2, "1 to 1000", "--rooms", "1001")


def bid_in_room(testbed):
    """The bids are made in the room, whose observers may be spread over several ports."""
    opener = testbed.connect("opener")
    opener.request("open side seconds=60 step=1 start=1", r"OK open side .+")
    main = testbed.connect("main")
    main.request("status", "OK status")
    before = len(main.lines)
    # One server stands for two machines.
    for scenario, flags in (("bids", ("--seconds", "0.3")),
                            ("fanout", ("--observers", "20", "--bids", "300", "--other-port", str(testbed.port)))):
        bench = run_bench(testbed, scenario, "--room", "side", "--outstanding", "7", *flags)
        check(bench.exit_code() == 0, f"in a room: failed: {bench.errors.lines}")
        result = json.loads(bench.lines[0])
        check(result.get("lost", 0) == 0 and result["acceptedPerSecond"] > 0, f"in a room: {result}")
    opener.expect(r"PRICE \d+ bench-\d+ .+")
    main.request("ping", "OK ping")
    check(not any(line.startswith("PRICE") for line in main.lines[before:]), "the bids are in main")
    check_refusal(testbed, 1, "no bidder into the room none", "--room", "none", scenario="fanout")
    check_refusal(testbed, 2, "exclude each other", "--room", "side", "--speak", "json", scenario="bids")
    opener.close()
    main.close()


def measure_rooms(testbed):
    """All rooms have bids and hammers in both measurements, and each observer has the prices of the war."""
    bench = run_bench(testbed, "rooms", "--rooms", "2", "--observers", "20", "--rate", "50", "--seconds", "3.5")
    check(bench.exit_code() == 0, f"rooms: failed: {bench.errors.lines}")
    result = json.loads(bench.lines[0])
    for key in ("aloneLots", "besideLots", "okRatioP99", "aloneAcceptedPerSecond", "besideAcceptedPerSecond"):
        check(result[key] > 0, f"rooms: {key}: {result}")
    check(result["busyDeliveriesPerSecond"] > 10 * result["busyAcceptedPerSecond"] > 0, f"rooms: {result}")


def check_refusal(testbed, code, advice, *flags, scenario="rooms"):
    bench = run_bench(testbed, scenario, *flags)
    check(bench.exit_code() == code and advice in "".join(bench.errors.lines),
          f"{scenario} {flags}: {bench.exit_code()} {bench.errors.lines}, not {code} with {advice!r}")


def fan_out(testbed, *manner):
    return run_bench(testbed, "fanout", "--observers", "20", "--bids", "300", *manner)


def run_bench(testbed, scenario, *flags):
    return testbed.spawn("bench", testbed.bench_path, scenario, "--port", str(testbed.port), *flags)
