/// One lot under the hammer: its bids, its price, and the one deadline that a bid moves.
///
/// `decide` says what a command would cause and `apply` records it. There is no timer: the
/// countdown is the `deadline`, and whoever owns the auction asks it to expire when that has come.
public struct Auction: Equatable, Sendable {
    /// What was agreed.
    public let rules: Rules

    /// What is sold.
    public let lot: Lot

    /// When the lot opened.
    public let openedAt: Instant

    /// The accepted bids, oldest first; prices rise from each to the next.
    ///
    /// All of them, unless the auction was resumed with the newest alone.
    public private(set) var bids: [Bid] = []

    /// When the hammer falls; nil before the first bid, and after the hammer.
    public private(set) var deadline: Instant?

    /// Whether the hammer has fallen.
    public private(set) var isClosed = false

    /// Opens a lot for bids.
    public init(_ lot: Lot, rules: Rules, openedAt: Instant) {
        self.lot = lot
        self.rules = rules
        self.openedAt = openedAt
    }

    /// Goes on with a lot whose bids are known, oldest first, or at least the newest of them.
    ///
    /// A lot that is open for more bids gets its full seconds again. Its clock goes on from the last
    /// bid: the time in between was nobody's.
    public init(resuming lot: Lot, rules: Rules, bids: [Bid], isClosed: Bool, at now: Instant) {
        let elapsed = bids.last?.elapsed ?? .zero
        self.init(lot, rules: rules, openedAt: now.advanced(by: .zero - elapsed))
        self.bids = bids
        self.isClosed = isClosed
        if !isClosed, !bids.isEmpty { deadline = now.advanced(by: rules.countdown) }
    }

    /// Lets the countdown of the leading bid begin at this instant, when everybody hears of it.
    public mutating func beginCountdown(at now: Instant) {
        guard deadline != nil else { return }
        deadline = now.advanced(by: rules.countdown)
    }

    /// How many bids were accepted in all.
    public var bidCount: Int { leading?.number ?? 0 }

    /// The bid that leads, and has won once the auction is closed; nil before the first.
    public var leading: Bid? { bids.last }

    /// The least amount that is accepted next; it passes `Price.highest` when nothing can be.
    public var minimum: Int64 {
        leading.map { $0.price.amount + rules.step.amount } ?? rules.start.amount
    }
}

extension Auction {
    /// What somebody asks of an auction.
    public enum Command: Equatable, Sendable {
        /// Asks to make this price, by this bidder.
        case bid(Price, by: Bidder)
        /// Asks to let the hammer fall, as the deadline has come.
        case expire
    }

    /// What happened in an auction.
    public enum Event: Equatable, Sendable {
        /// A bid was accepted, and the hammer will fall at the new deadline unless another follows.
        case bidPlaced(Bid, deadline: Instant)
        /// The deadline passed: the leading bid has won.
        case hammerFell
    }

    /// Why the rules refuse a command.
    public enum Refusal: Error, Equatable {
        /// The hammer has fallen.
        case closed
        /// The bidder leads already, at this price.
        case leading(Price)
        /// The amount is under the least that is accepted.
        case belowMinimum(Int64)
        /// The deadline has not come, or there is none.
        case notDue
    }

    /// Returns what the command causes at the given time, and changes nothing.
    ///
    /// Nil means granted with nothing to record: the bid one leads with, sent again. A bid is in
    /// time until `hammerFell` is applied, however late `now` is, for then it was heard first.
    ///
    /// - Throws: The `Refusal` that the rules give, `closed` before `leading` before
    ///   `belowMinimum`.
    public func decide(_ command: Command, at now: Instant) throws(Refusal) -> Event? {
        guard !isClosed else { throw .closed }
        switch command {
        case .bid(let price, let bidder):
            return try decideBid(price, by: bidder, at: now)
        case .expire:
            guard let deadline, now >= deadline else { throw .notDue }
            return .hammerFell
        }
    }

    private func decideBid(
        _ price: Price, by bidder: Bidder, at now: Instant
    ) throws(Refusal) -> Event? {
        if let leading, leading.bidder == bidder {
            guard price != leading.price else { return nil }
            guard rules.allowsSelfRaise else { throw .leading(leading.price) }
        }
        guard price.amount >= minimum else { throw .belowMinimum(minimum) }
        let bid = Bid(
            number: bidCount + 1, price: price, bidder: bidder,
            elapsed: openedAt.duration(to: now))
        return .bidPlaced(bid, deadline: now.advanced(by: rules.countdown))
    }

    /// Records what happened.
    ///
    /// Total: an event that was decided once is never refused, so a history can be replayed.
    public mutating func apply(_ event: Event) {
        switch event {
        case .bidPlaced(let bid, let newDeadline):
            bids.append(bid)
            deadline = newDeadline
        case .hammerFell:
            deadline = nil
            isClosed = true
        }
    }
}
