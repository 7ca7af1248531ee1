import AuctionRules

/// How often a connection is read: at once while little arrives, and in periods while much does.
///
/// What arrives within a period is read together, so that 10,000 lines a second cause 30 wake-ups
/// and not thousands. Pure state; the owner passes the time.
package struct ReadPacing {
    /// The time between two reads while much arrives, about that of a frame.
    package static let period = Duration.milliseconds(33)
    /// The number of reads that may follow each other at once, as after connecting.
    package static let burst = 4

    /// Until when the reads so far are paid for, at one a period; nil before the first.
    private var paidUntil: Instant?

    package init() {}

    /// When the next read may begin; nil if it may now.
    package func delay(at now: Instant) -> Instant? {
        guard let paidUntil else { return nil }
        let next = paidUntil.advanced(by: Self.period * -(Self.burst - 1))
        return next > now ? next : nil
    }

    /// Records a read.
    package mutating func read(at now: Instant) {
        paidUntil = max(paidUntil ?? now, now).advanced(by: Self.period)
    }
}
