import Basics

/// The auction of one lot: its bids, its price, and the deadline that each bid moves.
///
/// `decide` returns what a command would cause, and `apply` records it. There is no timer: the
/// countdown is the `deadline`, and the owner of the auction sends `expire` when it has passed.
public struct Auction: Equatable, Sendable {
    /// The rules of the auction.
    public private(set) var rules: Rules

    /// The lot that is sold.
    public let lot: Lot

    /// When the lot opened; moved by `resume`, so that the time of a stopped server does not count.
    public private(set) var openedAt: Instant

    /// Whether a bid can be followed by anything but a maximum bid.
    @usableFromInline private(set) var hasTerms: Bool

    /// The newest `mostKept` bids, and up to as many older ones, so that removals are rare.
    ///
    /// - Invariant: The numbers have no gap.
    private var kept: [Bid] = []

    /// The first accepted bid, from which `Rules.longest` counts; nil if there is none.
    public private(set) var first: Bid?

    /// The maximum bids of a rising auction, or the bids of a sealed one.
    @usableFromInline private(set) var secretBids = SecretBids()

    /// The number of sealed bids that was announced last.
    public private(set) var announced = 0

    /// How many sealed bids have been revealed, the best first.
    package private(set) var revealed = 0

    /// The asking price; nil where none is asked.
    public private(set) var ask: Price?

    /// Whether it was announced that the leading bid reaches the reserve.
    public private(set) var isReserveMet = false

    /// Whether bids no longer reset the countdown.
    public private(set) var isLast = false

    /// When the lot ends; nil while no countdown runs.
    ///
    /// That is before the first bid, or before the start of an auction that begins at its opening,
    /// while paused, and after the end.
    public private(set) var deadline: Instant?

    /// Whether a countdown that begins at the opening has begun.
    public private(set) var isStarted = false

    /// How far the lot is.
    @usableFromInline private(set) var stage = Stage.open

    /// The stages of a lot; a lot that is not open takes no bids.
    @usableFromInline enum Stage: Sendable {
        case open
        /// Won at once or being revealed: only its end remains.
        case ending
        /// Ended by the auctioneer's hammer, and its result is not recorded.
        case hammered
        case ended
        /// Ended by the auctioneer without a winner.
        case withdrawn
    }

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
        hasTerms = !rules.isPlain || rules.longest != nil
        ask = rules.format.verb == .take ? rules.start : nil
    }

    /// Continues after a restart, with these rules of the same format.
    ///
    /// Nobody could bid meanwhile. A lot with a leader gets the full countdown, unless it is
    /// paused, and one whose countdown begins at the opening waits for `start`. Its clock continues
    /// from the last bid: the time since then does not count.
    public mutating func resume(with rules: Rules, at now: Instant) {
        self.rules = rules
        hasTerms = !rules.isPlain || rules.longest != nil
        let elapsed = secretBids.entries.map(\.bid.elapsed).max() ?? .zero
        openedAt = now.advanced(by: .zero - max(elapsed, leading?.elapsed ?? .zero))
        kept = Array(bids)
        highestNumber = bidCount
        isStarted = false
        restartCountdown(at: now)
    }

    /// Starts the countdown of a lot that begins at its opening; has no effect on others.
    ///
    /// The owner decides when, for instance as soon as a bidder is present.
    public mutating func start(at now: Instant) {
        guard rules.format.beginsAtOpening, !isStarted else { return }
        isStarted = true
        restartCountdown(at: now)
    }

    /// Sets the countdown to the seconds that were announced by the server that decides the lot.
    public mutating func follow(secondsLeft seconds: Int, at now: Instant) {
        guard stage == .open, !isPaused else { return }
        if rules.format.beginsAtOpening { isStarted = true }
        deadline = now.advanced(by: .seconds(seconds))
    }

    /// Moves the deadline so that at least `remaining` is left at an instant, if a countdown runs.
    ///
    /// The owner calls it when a time that was told is sent late.
    public mutating func postponeDeadline(toLeave remaining: Duration, at now: Instant) {
        deadline = deadline.map { max($0, now.advanced(by: remaining)) }
    }

    /// The remaining time at an instant, from 0 to the full countdown; nil if no countdown runs.
    ///
    /// Before the start of the countdown it is the full countdown. Inlined like `isQuiet`.
    @inlinable @inline(__always) public func remaining(at now: Instant) -> Duration? {
        guard let deadline else { return nil }
        return now.duration(to: min(max(deadline, now), now.advanced(by: .seconds(rules.seconds))))
    }

    /// Whether the lot was sold, or ended unsold.
    public var isClosed: Bool { stage != .open && stage != .ending }

    /// Whether the lot is open, and nothing but the next bid can follow from a bid.
    ///
    /// Then `dueEvent` and `automaticBid` are nil. Each bid asks this, so it is inlinable: a
    /// call into another module would copy the auction.
    @inlinable @inline(__always) public var isQuiet: Bool {
        if case .open = stage { !hasTerms && secretBids.isEmpty } else { false }
    }

    /// The accepted bids without the voided ones, oldest first, by rising price.
    ///
    /// Only those among the newest `mostKept` bids; fewer if the auction was resumed with fewer.
    /// O(1).
    public var bids: ArraySlice<Bid> {
        guard let oldest = kept.first else { return [] }
        let forgotten = max(highestNumber - Self.mostKept + 1 - oldest.number, 0)
        return kept[min(forgotten, kept.count - 1)...]
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
    ///
    /// It is the asking price, if there is one, and at most a buy price.
    public var minimum: Int64 { ask?.amount ?? rules.minimum(at: leading?.price) }

    /// The maximum of the next bid.
    public var maximum: Int64 { rules.maximum(at: leading?.price) }
}

extension Auction {
    /// Records an event at the given time; an event that does not concern a lot changes nothing.
    ///
    /// Total: an event is never refused, so a journal can be replayed.
    public mutating func apply(_ event: SaleEvent, at now: Instant) {
        switch event {
        case .bidPlaced(let bid): if bid.number != bidCount { place(bid, at: now) }
        case .askFell(let price): ask = ask.map { min($0, price) }
        case .bidSealed(let bid): secretBids.set(bid)
        case .bidsSealed(let count): announced = count
        case .bidRevealed(let bid):
            revealed = secretBids.place(of: bid.bidder).map { $0 + 1 } ?? revealed
            if stage == .open { end(as: .ending) }
        case .maximumSet(let bidder, let price?):
            secretBids.set(SealedBid(bidder: bidder, price: price, elapsed: .zero))
        case .maximumSet(let bidder, nil): secretBids.remove(bidder)
        case .reserveMet: isReserveMet = true
        case .lastReset: isLast = true
        case .lotSold: end(as: .ended)
        case .hammered: end(as: .hammered)
        case .lotPassed(_, let reason, _):
            end(as: reason == Outcome.Reason.closed.rawValue ? .withdrawn : .ended)
        case .paused:
            deadline = nil
            isPaused = true
        case .resumed:
            isPaused = false
            restartCountdown(at: now)
        case .bidVoided(let voided):
            _ = kept.popLast()
            if kept.isEmpty { (first, isLast) = (nil, false) }
            secretBids.remove(voided.bidder)
            isReserveMet = false
            restartCountdown(at: now)
        // A leading bid stays until it is voided.
        case .bidderKicked(let bidder, _): if stage == .open { secretBids.remove(bidder) }
        case .lotOpened, .secondsLeft, .warned, .nextAnnounced, .ended, .stopped, .bidderJoined,
            .bidderLeft, .termsAnnounced, .valueRevealed, .championNamed, .awardGiven, .messageSaid,
            .reacted,
            .waiting, .rematchBegan, .displayNameSet, .worthDrawn,
            .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded, .timeNoted,
            .gameSet, .lotPlanned, .lotAdded, .lotRenamed, .optionsSet, .roundBegan, .memberDrawn,
            .memberEarned, .valueDrawn, .bidderMuted,
            .bidderUnmuted:
            break
        }
    }

    private mutating func place(_ bid: Bid, at now: Instant) {
        if kept.count >= 2 * Self.mostKept { kept.removeFirst(Self.mostKept) }
        if bid.number != bidCount + 1 {
            // A journal restates the first bid and the newest ones.
            (kept, highestNumber) = ([], 0)
        }
        kept.append(bid)
        if bid.number == 1 { first = bid }
        highestNumber = max(highestNumber, bid.number)
        if hasTerms, rules.wins(at: bid.price) {
            end(as: .ending)
        } else if isLast, let deadline {
            // A bid that was received before the hammer is in time, so the lot must not end before
            // it.
            self.deadline = max(deadline, now)
        } else {
            deadline = now.advanced(by: rules.countdown)
        }
    }

    private mutating func end(as stage: Stage) {
        self.stage = stage
        deadline = nil
    }

    /// The time of a countdown that begins now.
    public var countdownLeft: Duration { rules.format.logic.countdown(of: self) }

    /// Starts the countdown again, if one can run.
    private mutating func restartCountdown(at now: Instant) {
        let isWaiting = rules.format.beginsAtOpening ? !isStarted : leading == nil
        let isCounting = stage == .open && !isPaused && !isWaiting
        deadline = isCounting ? now.advanced(by: countdownLeft) : nil
    }
}
