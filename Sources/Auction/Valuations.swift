/// What the newest lot is worth: its common value, and the draws of the bidders.
package struct Valuations: Equatable {
    /// The amounts that can be drawn: an estimate may be above the range of the common value.
    static let amounts = 0...2 * Price.highest.amount

    /// The common value; nil if it has none, or was not drawn yet.
    package private(set) var common: Int64?
    /// Whether the common value was announced.
    private(set) var isRevealed = false
    /// What the lot is worth to those who have or had a name while it was open.
    package private(set) var worths: [Bidder: Worth] = [:]
    /// The present bidders without a draw, the next last.
    private(set) var undrawn: [Bidder] = []

    /// Begins a lot, to be valued by these bidders in order.
    init(of bidders: [Bidder] = []) {
        undrawn = bidders.reversed()
    }

    /// Notes that a bidder is present.
    mutating func join(_ bidder: Bidder) {
        guard worths[bidder] == nil else { return }
        undrawn.insert(bidder, at: 0)
    }

    /// Notes that a bidder has left; `isForgotten` if the name is free, whose draw can be repeated.
    mutating func leave(_ bidder: Bidder, isForgotten: Bool) {
        if !undrawn.isEmpty { undrawn.removeAll { $0 == bidder } }
        if isForgotten, !worths.isEmpty { worths[bidder] = nil }
    }

    /// Records the common value.
    mutating func setCommon(_ value: Int64) {
        common = value
    }

    /// Records a draw.
    mutating func add(_ worth: Worth) {
        worths[worth.bidder] = worth
        if undrawn.last == worth.bidder { undrawn.removeLast() }
    }

    /// Removes from the bidders without a draw those whose draw was recovered.
    mutating func forgetDrawn() {
        undrawn.removeAll { worths[$0] != nil }
    }

    /// Records that everybody knows the common value.
    mutating func reveal() {
        isRevealed = true
    }

    /// The value of the lot to a bidder, by which profit is counted; nil if it has none.
    func value(for bidder: Bidder) -> Int64? { common ?? worths[bidder]?.amount }
}
