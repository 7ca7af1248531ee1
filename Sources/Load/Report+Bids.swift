extension Report {
    /// Creates the report of the scenario `bids`: what was counted in so many nanoseconds.
    ///
    /// The latency is that of all accepted bids, those answered after the time too, and the age of
    /// the `unanswered`, which had no answer even then.
    public init(
        bidders: Int, outstanding: Int?, rate: Int?, nanoseconds: Int64, tally: Tally,
        latency: Histogram, unanswered: Int
    ) {
        self.init(of: "bids")
        add("bidders", "bidders", bidders)
        add("outstanding", "outstanding", outstanding)
        add("rate", "rate", rate)
        add("seconds", "seconds", Double(nanoseconds) / 1e9, places: 2)
        add("bids/s", "acceptedPerSecond", tally.accepted, in: nanoseconds)
        add("refused/s", "refusedPerSecond", tally.refused, in: nanoseconds)
        add(nil, "accepted", tally.accepted)
        add(nil, "tooLow", tally.tooLow)
        add(nil, "leading", tally.leading)
        add(nil, "otherwiseRefused", tally.otherwiseRefused)
        add(unanswered > 0 ? "unanswered" : nil, "unanswered", unanswered)
        add("OK latency", "okLatencyNanoseconds", latency)
    }
}
