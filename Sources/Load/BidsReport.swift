/// The result of the scenario `bids`, as text and as JSON.
public struct BidsReport: Sendable {
    private let bidders: Int
    private let outstanding: Int
    private let nanoseconds: Int64
    /// What became of the bids.
    public let tally: Tally
    private let latency: Histogram
    private let unanswered: Int

    /// Creates the report of what was counted in so many nanoseconds.
    ///
    /// The latency is that of all accepted bids, those answered after the time too; `unanswered`
    /// are those that had no answer even then.
    public init(
        bidders: Int, outstanding: Int, nanoseconds: Int64, tally: Tally, latency: Histogram,
        unanswered: Int
    ) {
        self.bidders = bidders
        self.outstanding = outstanding
        self.nanoseconds = nanoseconds
        self.tally = tally
        self.latency = latency
        self.unanswered = unanswered
    }

    /// A table of two columns, without its last newline.
    public var text: String {
        let rows =
            [
                ("bidders", "\(bidders)"),
                ("outstanding", "\(outstanding)"),
                ("seconds", Double(nanoseconds).text(per: 1e9, places: 2)),
                ("accepted/s", perSecond(tally.accepted).grouped),
                ("refused/s", perSecond(tally.refused).grouped),
            ]
            + quantiles.map { name, nanoseconds in
                ("OK latency \(name)", Double(nanoseconds).text(per: 1e3, places: 1) + " us")
            }
            + (unanswered > 0 ? [("unanswered", unanswered.grouped)] : [])
        return table(rows)
    }

    /// One JSON object, on one line.
    public var json: String {
        let latencies = quantiles.map { name, nanoseconds in "\"\(name)\":\(nanoseconds)" }
        let seconds = Double(nanoseconds).text(per: 1e9, places: 2)
        return """
            {"scenario":"bids","bidders":\(bidders),"outstanding":\(outstanding),\
            "seconds":\(seconds),"acceptedPerSecond":\(perSecond(tally.accepted)),\
            "refusedPerSecond":\(perSecond(tally.refused)),\
            "accepted":\(tally.accepted),"tooLow":\(tally.tooLow),"leading":\(tally.leading),\
            "otherwiseRefused":\(tally.otherwiseRefused),"unanswered":\(unanswered),\
            "okLatencyNanoseconds":{\(latencies.joined(separator: ","))}}
            """
    }

    private var quantiles: [(name: String, nanoseconds: Int64)] {
        let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)]
        return shares.map { ($0.0, latency.quantile($0.1)) }
            + [("max", latency.highest)]
    }

    private func perSecond(_ count: Int) -> Int {
        nanoseconds > 0 ? Int((Double(count) * 1e9 / Double(nanoseconds)).rounded()) : 0
    }
}

/// Two columns, the second to the right.
private func table(_ rows: [(name: String, value: String)]) -> String {
    let left = rows.map(\.name.count).max() ?? 0
    let right = rows.map(\.value.count).max() ?? 0
    return rows.map { name, value in
        let gap = left - name.count + 2 + right - value.count
        return name + String(repeating: " ", count: gap) + value
    }.joined(separator: "\n")
}
