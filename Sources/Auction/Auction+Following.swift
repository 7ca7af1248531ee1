import Basics

extension Auction {
    /// The event that follows by itself from the state at the given time; nil if none does.
    ///
    /// The caller applies it and asks again until nil, after each event and after a restart, so a
    /// crash between two events loses neither. It does not end a countdown; see `Command.expire`.
    ///
    /// In a lot that no longer takes bids, sealed bids are revealed before the lot ends.
    public func dueEvent(at now: Instant) -> SaleEvent? {
        guard hasTerms || !secretBids.isEmpty || stage == .hammered else { return nil }
        guard stage == .open else { return dueEnd(at: now) }
        return rules.format.logic.dueEvent(in: self, at: now)
    }

    /// The leader's automatic bid that answers a command, and the refusal of the command.
    ///
    /// Nil unless the leader's maximum is at least the amount of the command and less than a step
    /// above it: the leader cannot bid a full step more, but the earlier of two equal maxima leads.
    /// The automatic bid has the amount of the command, which its bidder must be able to pay.
    public func automaticBid(
        against command: Command, at now: Instant
    ) -> (bid: SaleEvent, refusal: Refusal)? {
        guard !secretBids.isEmpty, let leading, let own = maximum(of: leading.bidder),
            let rival = offer(of: command, at: now), rival.bidder != leading.bidder,
            rival.price <= own, own.amount < rival.price.amount + rules.step.amount
        else { return nil }
        let bid = placed(rival.price, by: leading.bidder, at: now)
        return (bid, .outbid(minimum: rules.amounts(at: rival.price)?.lowerBound))
    }

    /// The price at which a decided event buys the lot for its bidder; nil if it does not.
    ///
    /// A bid may take an asking price or be a purchase; a maximum may have to bid the buy price.
    @inlinable public func purchase(by event: SaleEvent, at now: Instant) -> Price? {
        hasTerms ? purchaseByTerms(event, at: now) : nil
    }

    @usableFromInline func purchaseByTerms(_ event: SaleEvent, at now: Instant) -> Price? {
        guard let bidder = event.offer?.bidder, ask != nil || rules.buy != nil else { return nil }
        var next = self
        next.apply(event, at: now)
        while next.stage == .open, let event = next.dueEvent(at: now) {
            next.apply(event, at: now)
        }
        guard next.stage == .ending, let leading = next.leading, leading.bidder == bidder else {
            return nil
        }
        return leading.price
    }

    /// The amount that an acceptable command offers; nil for a purchase, which nothing precedes.
    private func offer(of command: Command, at now: Instant) -> (bidder: Bidder, price: Price)? {
        switch command {
        case .bid(let price, let bidder):
            guard rules.buy.map({ price < $0 }) ?? true, (try? decide(command, at: now)) != nil
            else { return nil }
            return (bidder, price)
        case .setMaximum:
            guard case .maximumSet(let bidder, let price?)? = try? decide(command, at: now) else {
                return nil
            }
            return (bidder, price)
        case .take, .buy, .expire, .pause, .resume, .hammer, .void, .close: return nil
        }
    }

    private func dueEnd(at now: Instant) -> SaleEvent? {
        guard stage == .ending || stage == .hammered else { return nil }
        if let bid = nextRevealed { return .bidRevealed(bid) }
        return ending(at: now)
    }

    /// The event that ends the lot at this instant: `lotSold` or `lotPassed`.
    func ending(at hammer: Instant) -> SaleEvent {
        switch outcome {
        case .sold(let bidder, let price):
            .lotSold(
                SoldLot(
                    number: lot.number, title: lot.title, bidder: bidder, price: price,
                    elapsed: openedAt.duration(to: hammer)))
        case .passed(let reason): passing(reason: reason, at: hammer)
        }
    }

    /// The event that ends the lot without a winner.
    package func passing(reason: Outcome.Reason, at now: Instant) -> SaleEvent {
        .lotPassed(lot, reason: reason.rawValue, elapsed: openedAt.duration(to: now))
    }
}

extension Auction {
    /// How the lot ends if it ends with the bids that it has, or how it ended.
    public var outcome: Outcome {
        if stage == .withdrawn { return .passed(reason: .closed) }
        guard let leading else {
            return rules.format.logic.outcome(of: secretBids, under: rules)
        }
        guard leading.price >= rules.reserve ?? leading.price else {
            return .passed(reason: .reserveNotMet)
        }
        return .sold(to: leading.bidder, for: leading.price)
    }

    /// What each bidder pays if the lot ends with this outcome, the winner first; empty if unsold.
    public var payments: [Payment] {
        guard case .sold(let winner, let price) = outcome else { return [] }
        let others = secretBids.entries.lazy.map(\.bid.bidder).filter { $0 != winner }
        return [Payment(bidder: winner, price: price)]
            + others.compactMap { bidder in
                self.price(losing: bidder).map { Payment(bidder: bidder, price: $0) }
            }
    }

    /// What a bidder who has not won pays for a lot that is sold; nil if nothing.
    ///
    /// After a purchase nobody pays for a secret bid.
    func price(losing bidder: Bidder) -> Price? {
        guard leading == nil, let bid = secretBids[bidder] else { return nil }
        return rules.format.logic.price(ofLosing: bid)
    }

    /// The maximum bid of a bidder; nil if there is none.
    public func maximum(of bidder: Bidder) -> Price? {
        rules.isRising ? secretBids[bidder]?.price : nil
    }

    /// The sealed bid of a bidder; nil if there is none.
    public func sealedBid(of bidder: Bidder) -> SealedBid? {
        rules.format.isSealed ? secretBids[bidder] : nil
    }

    /// The number of sealed bids.
    public var sealedCount: Int { rules.format.isSealed ? secretBids.count : 0 }

    /// The sealed bid that is revealed next, also before the lot ends; nil if all are revealed.
    ///
    /// It is secret until then.
    public var nextRevealed: SealedBid? {
        revealed < sealedCount ? secretBids[revealed] : nil
    }

    /// The sealed bids or the maximum bids, in the order in which they were made; O(n log n).
    package var offersByTime: [SealedBid] { secretBids.inOrderOfTime }

    /// The sealed bid that was revealed last; nil if none was.
    public var lastRevealed: SealedBid? {
        revealed > 0 && revealed <= sealedCount ? secretBids[revealed - 1] : nil
    }

    /// The most that a bidder may have to pay for the lot by what was bid.
    ///
    /// It is 0 once the lot has ended, but not between the auctioneer's hammer and the result.
    public func reserved(by bidder: Bidder) -> Int64 {
        guard !isClosed || stage == .hammered else { return 0 }
        let price = leading?.bidder == bidder ? leading?.price.amount ?? 0 : 0
        guard let bid = secretBids[bidder] else { return price }
        return max(price, rules.format.logic.cost(of: bid, in: self))
    }
}

/// How a lot ends.
public enum Outcome: Hashable, Sendable {
    /// The lot is sold to this bidder, who pays this price.
    case sold(to: Bidder, for: Price)
    /// The lot is not sold.
    case passed(reason: Reason)

    /// Why a lot is not sold; the raw value is the word on the wire.
    public enum Reason: String, CaseIterable, Sendable {
        /// Nobody has bid.
        case noBids = "no-bids"
        /// No bid reached the reserve.
        case reserveNotMet = "reserve-not-met"
        /// The auctioneer closed the lot.
        case closed
    }
}

/// What a bidder pays for a lot.
public struct Payment: Hashable, Sendable {
    /// The bidder.
    public let bidder: Bidder
    /// The amount.
    public let price: Price
}
