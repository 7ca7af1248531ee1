import AuctionRules

/// The names that nobody may take for a while, because the auctioneer kicked them.
struct Bars {
    private var ends: [Bidder: Instant] = [:]
    private var agenda = Agenda<Bidder>()

    /// When a name may be taken again; nil if it may be taken now.
    func end(of bidder: Bidder, at now: Instant) -> Instant? {
        ends[bidder].flatMap { $0 > now ? $0 : nil }
    }

    /// Bars a name until an instant.
    mutating func add(_ bidder: Bidder, until end: Instant) {
        ends[bidder] = end
        agenda.add(bidder, due: end)
    }

    /// Removes the bars that have expired.
    mutating func forget(at now: Instant) {
        while let bidder = agenda.takeDue(at: now) {
            if let end = ends[bidder], end <= now { ends[bidder] = nil }
        }
    }

    /// The barred names and their ends, in alphabetical order.
    var all: [(bidder: Bidder, end: Instant)] {
        ends.map { ($0.key, $0.value) }.sorted { $0.0.description < $1.0.description }
    }
}
