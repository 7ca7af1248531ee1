import AuctionRules

/// The names that nobody may take for a while, as the auctioneer sent them away.
struct Bars {
    private var ends: [Bidder: Instant] = [:]
    private var agenda = Agenda<Bidder>()

    /// When a name may be taken again; nil for now.
    func end(of bidder: Bidder, at now: Instant) -> Instant? {
        ends[bidder].flatMap { $0 > now ? $0 : nil }
    }

    /// Keeps a name out until a time.
    mutating func add(_ bidder: Bidder, until end: Instant) {
        ends[bidder] = end
        agenda.add(bidder, due: end)
    }

    /// Forgets those whose time has passed.
    mutating func forget(at now: Instant) {
        while let bidder = agenda.takeDue(at: now) {
            if let end = ends[bidder], end <= now { ends[bidder] = nil }
        }
    }

    /// The names that are out, and until when, in the order of the names' letters.
    var all: [(bidder: Bidder, end: Instant)] {
        ends.map { ($0.key, $0.value) }.sorted { $0.0.description < $1.0.description }
    }
}
