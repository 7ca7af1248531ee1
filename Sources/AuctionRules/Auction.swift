import MonotonicTime

/// The auction of one lot: its bids, its price, and the deadline that each bid moves.
///
/// `decide` returns what a command would cause, and `apply` records it. There is no timer: the
/// countdown is the `deadline`, and the owner of the auction sends `expire` when it has passed.
public struct Auction: Equatable, Sendable {
    /// The rules of the auction.
    public let rules: Rules

    /// The lot that is sold.
    public let lot: Lot

    /// When the lot opened.
    public let openedAt: Instant

    /// The newest `mostKept` bids, and up to as many older ones, so that removals are rare.
    private var kept: [Bid] = []

    /// The first accepted bid, from which `Rules.longest` counts; nil if there is none.
    public private(set) var first: Bid?

    /// Whether bids no longer reset the countdown.
    public private(set) var isLast = false

    /// When the lot is sold; nil before the first bid, while paused, and after the end.
    public private(set) var deadline: Instant?

    /// Whether the lot was sold, or ended unsold.
    public private(set) var isClosed = false

    /// Whether bids are refused and the countdown stands still until the auctioneer resumes.
    public private(set) var isPaused = false

    /// The highest number of any bid, including voided ones.
    private(set) var highestNumber = 0

    /// How many of the newest bids of a lot are kept, including voided ones.
    public static let mostKept = 1_000

    /// How many of the newest bids can be voided.
    ///
    /// It is less than the bids at the start of a segment of the journal, so that a reader of the
    /// segment knows the bid that leads again.
    public static let mostVoided = 900

    /// Opens a lot for bids.
    public init(_ lot: Lot, rules: Rules, openedAt: Instant) {
        self.lot = lot
        self.rules = rules
        self.openedAt = openedAt
    }

    /// Resumes a lot from its bids, oldest first, or from the newest of them.
    ///
    /// An open lot gets the full countdown, unless it is paused. Its clock continues from the last
    /// bid: the time since then does not count.
    ///
    /// `first` is the first bid, if it is not in `bids`.
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

    /// Starts the countdown of the leading bid at the instant when its price is sent.
    public mutating func beginCountdown(at now: Instant) {
        guard deadline != nil else { return }
        deadline = now.advanced(by: rules.countdown)
    }

    /// The remaining time at an instant, from 0 to the full countdown; nil if no countdown runs.
    ///
    /// Before the start of the countdown it is the full countdown.
    public func remaining(at now: Instant) -> Duration? {
        deadline.map { min(max(now.duration(to: $0), .zero), rules.countdown) }
    }

    /// The accepted bids without the voided ones, oldest first, by rising price.
    ///
    /// Only those among the newest `mostKept` bids; fewer if the auction was resumed with fewer.
    /// O(1).
    public var bids: ArraySlice<Bid> {
        guard let oldest = kept.first else { return [] }
        return kept[max(highestNumber - Self.mostKept + 1 - oldest.number, 0)...]
    }

    /// The bid with this number; nil if there is none, or it is no longer known.
    ///
    /// O(1).
    public func bid(number: Int) -> Bid? {
        let bids = bids
        guard let oldest = bids.first, number >= oldest.number, number <= bidCount else {
            return nil
        }
        return bids[bids.startIndex + number - oldest.number]
    }

    /// The total number of accepted bids without the voided ones.
    public var bidCount: Int { leading?.number ?? 0 }

    /// The leading bid, which has won once the lot is sold; nil before the first bid.
    public var leading: Bid? { kept.last }

    /// The minimum of the next bid; above `Price.highest` if no higher bid is possible.
    public var minimum: Int64 {
        leading.map { $0.price.amount + rules.step.amount } ?? rules.start.amount
    }

    /// The maximum of the next bid.
    public var maximum: Int64 {
        guard let mostRaise = rules.mostRaise else { return Price.highest.amount }
        let price = leading?.price.amount ?? rules.start.amount
        return min(price + mostRaise.amount, Price.highest.amount)
    }
}

extension Auction {
    /// An event of an auction.
    public enum Event: Equatable, Sendable {
        /// A bid was accepted.
        case bidPlaced(Bid)
        /// Later bids no longer reset the countdown.
        case lastReset
        /// The deadline passed: the leading bid has won.
        case hammerFell(at: Instant)
        /// The auctioneer sold the lot: the leading bid has won.
        case hammered(at: Instant)
        /// The auctioneer paused the sale: no countdown runs.
        case paused
        /// The sale continues.
        case resumed
        /// The last bid was voided: the bid before it leads again, if there is one.
        case bidVoided(Bid, leading: Bid?)
        /// The auctioneer closed the lot: there is no winner.
        case lotClosed
    }

    /// Whether `lastReset` follows: the leading bid is the first after `Rules.longest`.
    public var isLastResetDue: Bool {
        guard !isLast, let longest = rules.longest, let first, let leading else { return false }
        return leading.elapsed - first.elapsed >= longest
    }

    /// Records an event at the given time.
    ///
    /// It cannot fail: an event that was decided is never refused, so a log can be replayed.
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
            // A bid that was received before the hammer is in time, so the lot must not end before
            // it.
            self.deadline = max(deadline, now)
        } else {
            deadline = now.advanced(by: rules.countdown)
        }
    }

    /// Starts the full countdown, if there is a leader and the sale is not paused.
    private mutating func restartCountdown(at now: Instant) {
        let isCounting = !isClosed && !isPaused && leading != nil
        deadline = isCounting ? now.advanced(by: rules.countdown) : nil
    }
}

/// A point on a monotonic clock, in nanoseconds.
public typealias Instant = MonotonicTime.Instant
