import Auction
import Basics
import Wire

/// The sale according to the server: the newest state, and what the state does not have.
///
/// Times are those of the timeline of the view.
package struct FollowedSale: Equatable, Sendable {
    /// The most revealed bids, and the most champions, that are kept.
    private static let mostKept = 100

    /// The newest greeting of the server.
    package private(set) var greeting: Greeting?
    /// The newest state, whose times are those at which it was sent.
    package private(set) var state = LotState()
    /// What only the user may know; nil for an observer.
    package private(set) var own: OwnState?
    /// The revealed bids, highest first; empty before the end.
    package private(set) var revealed: [SealedBid] = []
    /// The winners of the sale, once they are named; more than one only if they tie.
    package private(set) var champions: [Champion] = []
    /// The awards at the end of the sale.
    package private(set) var awards: [Award] = []
    /// When the lot opened; nil if unknown.
    package private(set) var openedAt: Duration?
    /// When the next lot opens; nil if none is planned.
    package private(set) var nextOpening: Duration?
    /// When the countdown ends; nil if none runs.
    private var countdownEnd: Duration?
    /// The lot that the news was about.
    private var newsLot = 0

    /// Makes a sale without news, followed by a bidder, or by an observer if nil.
    package init(of bidder: Bidder? = nil) {
        own = bidder.map { OwnState($0) }
    }

    /// The lot that is open, or was open last.
    package var lot: Lot? { state.lot > 0 ? Lot(number: state.lot, title: state.title) : nil }

    /// When the lot opened; nil if it has ended.
    package var runningSince: Duration? { state.isOpen ? openedAt : nil }

    /// The time since the opening, which stops at the end of the lot.
    package func elapsed(at now: Duration) -> Duration? {
        state.isOpen ? openedAt.map { now - $0 } : state.elapsed
    }

    /// The time left of the countdown; nil if none runs.
    package func timeLeft(at now: Duration) -> TimeLeft? {
        countdownEnd.map { TimeLeft(remaining: max(.zero, $0 - now), warning: state.warning) }
    }

    /// Follows a message that was received at `now`.
    package mutating func follow(_ message: ServerMessage, at now: Duration) {
        if let greeting = message.greeting { greet(greeting) }
        if let event = message.event { note(event) }
        if case .you(let members) = message { own?.merge(json: members) }
        guard let members = message.stateMembers else { return }
        let isSecond = if case .secondsLeft? = message.event { true } else { false }
        merge(members, isSecond: isSecond, at: now)
    }

    /// Begins with a greeting; nothing is left of another sale.
    private mutating func greet(_ greeting: Greeting) {
        if let known = self.greeting, !known.isOfSameSale(as: greeting) {
            self = FollowedSale(of: own?.name)
        }
        self.greeting = greeting
    }

    private mutating func merge(_ members: [UInt8], isSecond: Bool, at now: Duration) {
        let (former, games) = (state.lot, state.games)
        let clocks = state.merge(json: members)
        if state.games != games { (champions, awards) = ([], []) }
        if clocks.contains(.remaining) {
            setCountdownEnd(to: state.remaining.map { now + $0 }, isSecond: isSecond)
        }
        if clocks.contains(.nextOpening) { nextOpening = state.nextOpening.map { now + $0 } }
        if state.lot != former {
            openedAt = nil
            // The worth of the new lot may arrive in a later read.
            own?.beginLot()
        }
        if clocks.contains(.elapsed), state.isOpen { openedAt = state.elapsed.map { now - $0 } }
    }

    /// Moves the end of the countdown to an announced time.
    ///
    /// A second that is late by less than a second was delayed by the network, and ignored.
    private mutating func setCountdownEnd(to announced: Duration?, isSecond: Bool) {
        guard isSecond, let announced, let known = countdownEnd, announced < known + .seconds(1)
        else { return countdownEnd = announced }
        countdownEnd = min(known, announced)
    }

    private mutating func note(_ event: SaleEvent) {
        if case .lotOpened(let lot) = event {
            begin(lot: lot.number)
            (champions, awards) = ([], [])
        } else if case .lotSold(let sold) = event, sold.number != newsLot {
            begin(lot: sold.number ?? newsLot)
        } else if case .lotPassed(let lot, _, _) = event, lot.number != newsLot {
            begin(lot: lot.number)
        } else if case .bidRevealed(let bid) = event, revealed.count < Self.mostKept,
            !revealed.contains(where: { $0.bidder == bid.bidder })
        {
            revealed.append(bid)
        } else if case .ended = event {
            (champions, awards) = ([], [])
        } else if case .championNamed(let bidder, let score) = event,
            champions.count < Self.mostKept,
            !champions.contains(where: { $0.bidder == bidder })
        {
            champions.append(Champion(bidder: bidder, score: score))
        } else if case .awardGiven(let award) = event {
            awards = awards.filter { $0.kind != award.kind } + [award]
        }
    }

    private mutating func begin(lot: Int) {
        (newsLot, revealed) = (lot, [])
    }
}

extension Instant {
    /// The time since the clock's origin, which is the time of a `FollowedSale`.
    package var sinceOrigin: Duration { Instant(nanoseconds: 0).duration(to: self) }
}

extension OwnState {
    /// What stays on a lot if the bidder leaves, as a sentence; nil if nothing does.
    package func stayingOffer(on lot: LotState) -> String? {
        guard lot.isOpen else { return nil }
        let maximum = maximum.map { "the server bids for you up to \($0.grouped)" }
        if lot.leader == name, let price = lot.price {
            return "your bid of \(price.grouped) stays and may win"
                + (maximum.map { ", and \($0)" } ?? "")
        }
        return sealed.map { "your sealed bid of \($0.grouped) stays and may win" } ?? maximum
    }

    /// Forgets what concerns the last lot, because another one has opened.
    fileprivate mutating func beginLot() {
        (leads, worth, isEstimate) = (false, nil, false)
        (maximum, sealed, paid) = (nil, nil, nil)
    }
}

extension LotState {
    /// Whether the newest lot has not ended; bids are accepted while it is not paused.
    package var isOpen: Bool {
        stage == .open || stage == .paused && (amounts != nil || secondsAtPause != nil)
    }

    /// Whether no lot of the game has opened yet.
    package var isBeforeFirst: Bool { stage == .waiting || lot < firstLot }

    /// The minimum of the next bid; nil if no bid is possible.
    package var least: Price? { amounts.flatMap { Price($0.lowerBound) } }

    /// Who has won the lot; nil if it is open, or was not sold.
    package var winner: Bidder? { isOpen ? nil : leader }

    /// Whether the price is an asking price, which falls until a bidder takes it.
    package var isFalling: Bool { format.verb == .take }
}

/// A winner of a sale.
package struct Champion: Equatable, Sendable {
    /// The bidder.
    package let bidder: Bidder
    /// The profit, or without values the number of lots.
    package let score: Int64
}

/// The time left of the countdown at one instant.
package struct TimeLeft: Equatable, Sendable {
    /// The time left, not negative.
    package let remaining: Duration
    /// The last warning in this countdown.
    package let warning: Warning?

    package init(remaining: Duration, warning: Warning?) {
        self.remaining = remaining
        self.warning = warning
    }

    /// The whole seconds left, rounded up as the server does.
    package var seconds: Int64 {
        let (seconds, attoseconds) = remaining.components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }

    /// The part of a full countdown that is left, from 0 to 1.
    package func fraction(ofSeconds seconds: Int) -> Double {
        min(1, remaining / .seconds(max(1, seconds)))
    }
}
