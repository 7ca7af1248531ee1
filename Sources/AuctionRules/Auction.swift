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

    /// The newest bids, and up to as many older ones, so that old bids are rarely removed.
    private var kept: [Bid] = []

    /// The first accepted bid, from which `Rules.longest` counts; nil if there is none.
    public private(set) var first: Bid?

    /// Whether bids no longer reset the countdown.
    public private(set) var isLast = false

    /// When the hammer falls; nil before the first bid, while paused, and after the hammer.
    public private(set) var deadline: Instant?

    /// Whether the hammer has fallen, or the lot has passed.
    public private(set) var isClosed = false

    /// Whether no bid is taken and no countdown runs, until the auctioneer goes on.
    public private(set) var isPaused = false

    /// The highest number that a bid had, voided ones included.
    private(set) var highestNumber = 0

    /// How many of the newest bids of a lot are known, voided ones included.
    public static let mostKept = 1_000

    /// How many of the newest bids can be voided: less than a journal begins a segment with, so that
    /// whoever reads it knows the bid that leads again.
    public static let mostVoided = 900

    /// Opens a lot for bids.
    public init(_ lot: Lot, rules: Rules, openedAt: Instant) {
        self.lot = lot
        self.rules = rules
        self.openedAt = openedAt
    }

    /// Goes on with a lot whose bids are known, oldest first, or at least the newest of them.
    ///
    /// A lot that is open for more bids gets its full seconds again, unless it is paused. Its clock
    /// goes on from the last bid: the time in between was nobody's.
    ///
    /// `first` is the first bid, where it is not among those known.
    public init(
        resuming lot: Lot, rules: Rules, bids: [Bid], first: Bid? = nil, isLast: Bool = false,
        isClosed: Bool, isPaused: Bool = false, at now: Instant
    ) {
        let elapsed = bids.last?.elapsed ?? .zero
        self.init(lot, rules: rules, openedAt: now.advanced(by: .zero - elapsed))
        kept = bids.suffix(Self.mostKept)
        self.first = first ?? bids.first
        self.isLast = isLast
        self.isClosed = isClosed
        self.isPaused = isPaused
        highestNumber = bidCount
        restartCountdown(at: now)
    }

    /// Lets the countdown of the leading bid begin at this instant, when everybody hears of it.
    public mutating func beginCountdown(at now: Instant) {
        guard deadline != nil else { return }
        deadline = now.advanced(by: rules.countdown)
    }

    /// The time left at an instant: never negative, and never more than the full countdown; nil
    /// while no countdown runs.
    ///
    /// Before the countdown began, its full time is left.
    public func remaining(at now: Instant) -> Duration? {
        deadline.map { min(max(now.duration(to: $0), .zero), rules.countdown) }
    }

    /// The accepted bids without the voided ones, oldest first, in order of rising prices.
    ///
    /// Only those of the newest `mostKept` bids; fewer if the auction was resumed with fewer. O(1).
    public var bids: ArraySlice<Bid> {
        guard let oldest = kept.first else { return [] }
        return kept[max(highestNumber - Self.mostKept + 1 - oldest.number, 0)...]
    }

    /// The bid of this number; nil if there is none, or it is not known any more.
    ///
    /// O(1).
    public func bid(number: Int) -> Bid? {
        let bids = bids
        guard let oldest = bids.first, number >= oldest.number, number <= bidCount else {
            return nil
        }
        return bids[bids.startIndex + number - oldest.number]
    }

    /// How many bids were accepted in all, and not voided.
    public var bidCount: Int { leading?.number ?? 0 }

    /// The bid that leads, and has won once the hammer has fallen; nil before the first.
    public var leading: Bid? { kept.last }

    /// The least amount that is accepted next; it passes `Price.highest` when nothing can be.
    public var minimum: Int64 {
        leading.map { $0.price.amount + rules.step.amount } ?? rules.start.amount
    }

    /// The greatest amount that is accepted next.
    public var maximum: Int64 {
        guard let mostRaise = rules.mostRaise else { return Price.highest.amount }
        let price = leading?.price.amount ?? rules.start.amount
        return min(price + mostRaise.amount, Price.highest.amount)
    }
}

extension Auction {
    /// What happened in an auction.
    public enum Event: Equatable, Sendable {
        /// A bid was accepted.
        case bidPlaced(Bid)
        /// Later bids do not reset the countdown any more.
        case lastReset
        /// The deadline passed: the leading bid has won.
        case hammerFell(at: Instant)
        /// The auctioneer let the hammer fall: the leading bid has won.
        case hammered(at: Instant)
        /// The auctioneer interrupted the sale: no countdown runs.
        case paused
        /// The sale goes on.
        case resumed
        /// The last bid was taken back: the one before leads again, if there is one.
        case bidVoided(Bid)
        /// The auctioneer closed the lot: nobody has won.
        case lotClosed
    }

    /// Whether `lastReset` follows: the leading bid is the first after `Rules.longest`.
    public var isLastResetDue: Bool {
        guard !isLast, let longest = rules.longest, let first, let leading else { return false }
        return leading.elapsed - first.elapsed >= longest
    }

    /// Records what happened, at the time given.
    ///
    /// Total: an event that was decided once is never refused, so a log can be replayed.
    public mutating func apply(_ event: Event, at now: Instant) {
        switch event {
        case .bidPlaced(let bid): place(bid, at: now)
        case .lastReset: isLast = true
        case .hammerFell, .hammered, .lotClosed:
            deadline = nil
            isClosed = true
        case .paused:
            deadline = nil
            isPaused = true
        case .resumed:
            isPaused = false
            restartCountdown(at: now)
        case .bidVoided:
            kept.removeLast()
            if kept.isEmpty { (first, isLast) = (nil, false) }
            restartCountdown(at: now)
        }
    }

    private mutating func place(_ bid: Bid, at now: Instant) {
        if kept.count >= 2 * Self.mostKept { kept.removeFirst(Self.mostKept) }
        kept.append(bid)
        if bid.number == 1 { first = bid }
        highestNumber = max(highestNumber, bid.number)
        if isLast, let deadline {
            // A bid heard before the hammer is in time, so the lot must not end before the bid.
            self.deadline = max(deadline, now)
        } else {
            deadline = now.advanced(by: rules.countdown)
        }
    }

    /// Gives the full seconds, if somebody leads and the sale is not paused.
    private mutating func restartCountdown(at now: Instant) {
        let isCounting = !isClosed && !isPaused && leading != nil
        deadline = isCounting ? now.advanced(by: rules.countdown) : nil
    }
}
