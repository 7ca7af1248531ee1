extension Auction {
    /// What a lot has besides its bids, as a log restates it after a restart.
    public struct FormatState: Equatable, Sendable {
        /// The maximum bids, in the order in which they were set.
        ///
        /// Only the order of equal amounts matters, and a later entry of a bidder replaces an
        /// earlier one. The same holds for `sealedBids`.
        public var maxima: [MaximumBid]

        /// The sealed bids, in the order in which they were made.
        public var sealedBids: [SealedBid]

        /// How many sealed bids have been revealed, highest first.
        public var revealed: Int

        /// The number of sealed bids that was announced last.
        public var announced: Int

        /// The newest announced asking price; nil if it is still the start, or there is none.
        public var ask: Price?

        /// Whether it was announced that the reserve is met.
        public var isReserveMet: Bool

        /// Whether the auctioneer ended the lot with the hammer, and its result is not recorded.
        public var isHammered: Bool

        /// Creates the state of a lot, which is that of a new one unless said otherwise.
        public init(
            maxima: [MaximumBid] = [], sealedBids: [SealedBid] = [], revealed: Int = 0,
            announced: Int = 0, ask: Price? = nil, isReserveMet: Bool = false,
            isHammered: Bool = false
        ) {
            self.maxima = maxima
            self.sealedBids = sealedBids
            self.revealed = revealed
            self.announced = announced
            self.ask = ask
            self.isReserveMet = isReserveMet
            self.isHammered = isHammered
        }
    }
}

extension Auction {
    /// What the lot has besides its bids.
    ///
    /// The maxima and sealed bids are ordered by time. O(n log n).
    public var formatState: FormatState {
        let bids = secretBids.inOrderOfTime
        let isSealed = rules.format.isSealed
        return FormatState(
            maxima: isSealed ? [] : bids.map { MaximumBid(bidder: $0.bidder, price: $0.price) },
            sealedBids: isSealed ? bids : [], revealed: revealed, announced: announced, ask: ask,
            isReserveMet: isReserveMet, isHammered: stage == .hammered)
    }
}
