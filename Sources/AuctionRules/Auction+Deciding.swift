extension Auction {
    /// A command to an auction.
    public enum Command: Equatable, Sendable {
        /// A bid of this amount by this bidder.
        case bid(Price, by: Bidder)
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
        /// The sale is paused.
        case paused
        /// The bidder already leads, at this price.
        case leading(Price)
        /// The amount is below this minimum.
        case belowMinimum(Int64)
        /// The amount is above this maximum.
        case aboveMaximum(Int64)
        /// The deadline has not passed, or there is none.
        case notDue
        /// Nobody has bid.
        case noBids
        /// The bid before the last is no longer known, so the last one cannot be voided.
        case lastKnown
    }

    /// Returns the event that the command causes at the given time, and changes nothing.
    ///
    /// Nil means accepted with nothing to record: the leading bid sent again, or a pause while
    /// paused. A bid is in time until `hammerFell` is applied, however late `now` is, because it
    /// was received first.
    ///
    /// - Throws: The first `Refusal` that applies, in this order: `closed`, `paused`, `leading`,
    ///   `belowMinimum`, `aboveMaximum`.
    public func decide(_ command: Command, at now: Instant) throws(Refusal) -> Event? {
        switch command {
        case .bid(let price, let bidder): return try decideBid(price, by: bidder, at: now)
        case .expire: return try decideExpiry(at: now)
        case .pause: return isPaused ? nil : .paused
        case .resume: return isPaused ? .resumed : nil
        case .hammer:
            _ = try leadingWhileOpen()
            return .hammered(at: now)
        case .void: return .bidVoided(try voidable(), leading: bids.dropLast().last)
        case .close:
            try requireOpen()
            return .lotClosed
        }
    }

    private func decideBid(
        _ price: Price, by bidder: Bidder, at now: Instant
    ) throws(Refusal) -> Event? {
        try requireOpen()
        if let leading, leading.bidder == bidder, leading.price == price { return nil }
        guard !isPaused else { throw .paused }
        if let leading, leading.bidder == bidder, !rules.allowsSelfRaise {
            throw .leading(leading.price)
        }
        guard price.amount >= minimum else { throw .belowMinimum(minimum) }
        guard price.amount <= maximum else { throw .aboveMaximum(maximum) }
        return .bidPlaced(
            Bid(
                number: bidCount + 1, price: price, bidder: bidder,
                elapsed: openedAt.duration(to: now)))
    }

    private func decideExpiry(at now: Instant) throws(Refusal) -> Event {
        try requireOpen()
        guard let deadline, now >= deadline else { throw .notDue }
        return .hammerFell(at: deadline)
    }

    private func voidable() throws(Refusal) -> Bid {
        let last = try leadingWhileOpen()
        guard last.number == 1 || bids.count > 1, highestNumber - last.number < Self.mostVoided
        else { throw .lastKnown }
        return last
    }

    private func requireOpen() throws(Refusal) {
        guard !isClosed else { throw .closed }
    }

    private func leadingWhileOpen() throws(Refusal) -> Bid {
        try requireOpen()
        guard let leading else { throw .noBids }
        return leading
    }
}
