extension Report {
    private static let latenessShares = [("p50", 0.5), ("p99", 0.99)]

    /// Creates the report of the scenario `hammer`: how late it fell, under bids of such a rate.
    public init(
        observers: Int, rate: Int, nanoseconds: Int64, tally: Tally, times: HammerTimes,
        cpuNanoseconds: Int64?
    ) {
        self.init(of: "hammer")
        add("observers", "observers", observers)
        add("rate", "rate", rate)
        add("lots", "lots", times.lots)
        add("accepted", "accepted", tally.accepted)
        add("refused", "refused", tally.refused)
        for (who, key, lateness) in [
            ("first to hear", "firstLatenessNanoseconds", times.atFirst),
            ("bidder", "bidderLatenessNanoseconds", times.atBidder),
            ("last to hear", "lastLatenessNanoseconds", times.atLast),
        ] {
            add("late, \(who)", key, lateness, shares: Self.latenessShares)
        }
        add(
            "late, least", "leastLatenessMicroseconds", times.least.map { Double($0) / 1e3 },
            places: 1, unit: "us")
        add(
            "deadline known within", "uncertaintyNanoseconds", times.uncertainty,
            shares: Self.latenessShares)
        addShare(ofCore: cpuNanoseconds, in: nanoseconds)
        add(times.missed > 0 ? "lots missed" : nil, "missed", times.missed)
    }
}
