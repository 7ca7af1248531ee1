extension Auction {
    /// What somebody asks of an auction.
    public enum Command: Equatable, Sendable {
        /// Asks to make this price, by this bidder.
        case bid(Price, by: Bidder)
        /// Asks to let the hammer fall, as the deadline has come.
        case expire
        /// Asks to take no bids for a while, between lots too.
        case pause
        /// Asks to go on after a pause.
        case resume
        /// Asks to let the hammer fall now.
        case hammer
        /// Asks to take the last bid back.
        case void
        /// Asks to end the lot without a winner.
        case close
    }

    /// Why the rules refuse a command.
    public enum Refusal: Error, Equatable {
        /// The lot has ended.
        case closed
        /// The auctioneer has interrupted the sale.
        case paused
        /// The bidder leads already, at this price.
        case leading(Price)
        /// The amount is under the least that is accepted.
        case belowMinimum(Int64)
        /// The amount is above the most that is accepted.
        case aboveMaximum(Int64)
        /// The deadline has not come, or there is none.
        case notDue
        /// Nobody has bid.
        case noBids
        /// The bid before the last is not known any more, so that the last has to stand.
        case lastKnown
    }

    /// Returns what the command causes at the given time, and changes nothing.
    ///
    /// Nil means granted with nothing to record: the bid one leads with, sent again, or a pause
    /// while paused. A bid is in time until `hammerFell` is applied, however late `now` is, for then
    /// it was heard first.
    ///
    /// - Throws: The `Refusal` that the rules give, `closed` before `paused` before `leading` before
    ///   `belowMinimum` before `aboveMaximum`.
    public func decide(_ command: Command, at now: Instant) throws(Refusal) -> Event? {
        switch command {
        case .bid(let price, let bidder): return try decideBid(price, by: bidder, at: now)
        case .expire: return try decideExpiry(at: now)
        case .pause: return isPaused ? nil : .paused
        case .resume: return isPaused ? .resumed : nil
        case .hammer:
            _ = try leadingWhileOpen()
            return .hammered(at: now)
        case .void: return .bidVoided(try voidable())
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
