/// The sealed bids of a lot, how many of them are announced, and how many are revealed.
struct SealedBids: Equatable, Sendable {
    private var bids = RankedBids<SealedBid>()

    /// The number of sealed bids that was announced last.
    private(set) var announced = 0

    /// How many bids have been revealed, the best first.
    private(set) var revealed = 0

    init() {}

    /// Restores sealed bids in the order in which they were made.
    init(_ state: Auction.FormatState) {
        for bid in state.sealedBids { set(bid) }
        announced = state.announced
        revealed = min(max(state.revealed, 0), bids.count)
    }

    var count: Int { bids.count }

    /// All of them, the earliest first.
    var inOrderOfTime: [SealedBid] { bids.inOrderOfTime }

    /// The bid that is revealed next; nil if all are.
    var next: SealedBid? {
        revealed < bids.count ? bids[revealed] : nil
    }

    /// The bid that was revealed last; nil if none was.
    var last: SealedBid? { revealed > 0 ? bids[revealed - 1] : nil }

    func bid(of bidder: Bidder) -> SealedBid? { bids[bidder] }

    mutating func set(_ bid: SealedBid) { bids.set(bid) }

    mutating func remove(_ bidder: Bidder) { bids.remove(bidder) }

    mutating func announce(_ count: Int) { announced = count }

    mutating func revealNext() { revealed = min(revealed + 1, bids.count) }

    /// How the lot ends: who bid most buys, if the bid reaches the reserve.
    ///
    /// In a Vickrey auction the price is the second-highest bid, or the least that would have won.
    func outcome(_ rules: Rules) -> Outcome {
        guard count > 0 else { return .passed(reason: .noBids) }
        let best = bids[0]
        let floor = max(rules.start, rules.reserve ?? rules.start)
        guard best.price >= floor else { return .passed(reason: .reserveNotMet) }
        guard rules.format == .vickrey else { return .sold(to: best.bidder, for: best.price) }
        let second = count > 1 ? bids[1].price : floor
        return .sold(to: best.bidder, for: max(second, floor))
    }
}
