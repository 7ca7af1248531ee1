/// The prices that the bidder was told, with which what each observer heard is compared.
public struct PriceNews: Equatable, Sendable {
    /// How many.
    public internal(set) var prices = 0
    /// The bytes of all news from the first of them to the newest, both included.
    public internal(set) var bytes = 0

    /// Creates the count of a bidder that was told none.
    public init() {}
}

extension Heard {
    /// How many of so many bids it did not hear, at least.
    ///
    /// Prices are counted by their numbers, so that one that nobody was told is missing in `news`
    /// alone. Who heard other bytes than the bidder lacks at least one. Where the bidder is told no
    /// prices, `news` is nil, and only deliveries count.
    public func lost(of bids: Int, toldToBidder news: PriceNews?) -> Int {
        let unheard = max(0, bids - deliveries)
        guard let news else { return unheard }
        let lost = max(unheard, bids - news.prices)
        return lost == 0 && bytes != news.bytes ? 1 : lost
    }
}
