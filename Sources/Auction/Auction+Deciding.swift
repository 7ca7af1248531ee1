import Basics

extension Auction {
    /// A command to an auction.
    public enum Command: Equatable, Sendable {
        /// A bid of this amount by this bidder.
        case bid(Price, by: Bidder)
        /// A bid of the asking price.
        case take(by: Bidder)
        /// A purchase at the buy price.
        case buy(by: Bidder)
        /// The most that the server bids for this bidder from now on; nil takes it back.
        case setMaximum(Price?, by: Bidder)
        /// Sells the lot because the deadline has passed.
        case expire
        /// Stops the countdown and refuses bids; also valid between lots.
        case pause
        /// Continues after a pause.
        case resume
        /// Sells the lot now.
        case hammer
        /// Takes back the last bid.
        case void
        /// Ends the lot without a winner.
        case close
    }

    /// The reason why the rules refuse a command.
    public enum Refusal: Error, Equatable {
        /// The lot has ended.
        case closed
        /// Another lot than the one that is meant is open, the one of this number.
        case otherLot(Int)
        /// The sale is paused.
        case paused
        /// The bidder already leads, at this price.
        case leading(Price)
        /// The amount is below this minimum.
        case belowMinimum(Int64)
        /// The amount is above this maximum.
        case aboveMaximum(Int64)
        /// Another's maximum is as high, and its bidder leads now at the amount of the command.
        ///
        /// The minimum of the next bid; nil if none is possible. No other refusal has an effect.
        case outbid(minimum: Int64?)
        /// The deadline has not passed, or there is none.
        case notDue
        /// The command is for another format than this.
        case wrongFormat(AuctionFormat)
        /// The lot has no buy price.
        case noBuyPrice
        /// The bidder may spend at most this; thrown by the owner of purses, not by an auction.
        case overPurse(left: Int64)
        /// Nobody has bid.
        case noBids
        /// The bid before the last is no longer known, so the last one cannot be voided.
        case lastKnown
    }

    /// Returns the event that the command causes at the given time, and changes nothing.
    ///
    /// Nil means accepted with nothing to record: the leading bid sent again, or a pause while
    /// paused. A bid is in time until the end of the lot is applied, however late `now` is, because
    /// it was received first.
    ///
    /// - Throws: The first `Refusal` that applies, in this order: `closed`, `wrongFormat`,
    ///   `noBuyPrice`, `paused`, `leading`, `belowMinimum`, `aboveMaximum`.
    public func decide(_ command: Command, at now: Instant) throws(Refusal) -> SaleEvent? {
        switch command {
        case .bid(let price, let bidder):
            return hasTerms
                ? try decideBidByTerms(price, by: bidder, at: now)
                : try English().decideBid(price, by: bidder, in: self, at: now)
        case .take(let bidder):
            try requireOpen()
            return try rules.format.logic.decideTake(by: bidder, in: self, at: now)
        case .buy(let bidder): return try decidePurchase(by: bidder, at: now)
        case .setMaximum(let price, let bidder):
            try requireOpen()
            return try rules.format.logic.decideMaximum(price, of: bidder, in: self)
        case .expire: return try decideExpiry(at: now)
        case .pause: return isPaused ? nil : .paused
        case .resume: return isPaused ? .resumed : nil
        case .hammer:
            try requireOpen()
            guard leading != nil || sealedCount > 0 else { throw .noBids }
            return .hammered
        case .void:
            return .bidVoided(VoidedBid(try voidable(), leading: bids.dropLast().last))
        case .close:
            try requireOpen()
            return passing(reason: .closed, at: now)
        }
    }

    /// Requires that no lot is open but the one of this number.
    ///
    /// A lot that is not open refuses a command by itself.
    ///
    /// - Throws: `otherLot`.
    public func require(lot number: Int) throws(Refusal) {
        guard stage != .open || lot.number == number else { throw .otherLot(lot.number) }
    }

    /// The event of a bid that is accepted at this price.
    func placed(_ price: Price, by bidder: Bidder, at now: Instant) -> SaleEvent {
        .bidPlaced(
            Bid(
                number: bidCount + 1, price: price, bidder: bidder,
                elapsed: openedAt.duration(to: now)))
    }

    private func decideBidByTerms(
        _ price: Price, by bidder: Bidder, at now: Instant
    ) throws(Refusal) -> SaleEvent? {
        if let buy = rules.buy, price >= buy { return try decidePurchase(by: bidder, at: now) }
        return try rules.format.logic.decideBid(price, by: bidder, in: self, at: now)
    }

    private func decidePurchase(by bidder: Bidder, at now: Instant) throws(Refusal) -> SaleEvent {
        try requireOpen()
        guard let buy = rules.buy else { throw .noBuyPrice }
        try requireUnpaused()
        return placed(buy, by: bidder, at: now)
    }

    private func decideExpiry(at now: Instant) throws(Refusal) -> SaleEvent {
        try requireOpen()
        guard let deadline, now >= deadline, nextAsk == nil else { throw .notDue }
        return nextRevealed.map { .bidRevealed($0) } ?? ending(at: deadline)
    }

    private func voidable() throws(Refusal) -> Bid {
        guard !rules.format.isSealed else { throw .wrongFormat(rules.format) }
        let last = try leadingWhileOpen()
        guard last.number == 1 || bids.count > 1, highestNumber - last.number < Self.mostVoided
        else { throw .lastKnown }
        return last
    }

    /// - Throws: `closed` unless the lot takes bids.
    func requireOpen() throws(Refusal) {
        guard stage == .open else { throw .closed }
    }

    /// - Throws: `closed` or `paused` unless the lot takes bids now.
    func requireUnpaused() throws(Refusal) {
        try requireOpen()
        guard !isPaused else { throw .paused }
    }

    private func leadingWhileOpen() throws(Refusal) -> Bid {
        try requireOpen()
        guard let leading else { throw .noBids }
        return leading
    }
}
