import Auction
import Basics
import Strategies
import Wire

/// The state of the sale that a bot has received, from the JSON messages `state` and `you`.
struct BotKnowledge: Sendable {
    private let prior: ClosedRange<Int64>
    private let seed: UInt64
    private var sale: FollowedSale
    /// Whether the bot does nothing more on this lot, because no further command can succeed.
    private var isGivenUp = false

    /// Knows nothing yet; if the server draws no values, they are drawn from `prior` with the seed.
    ///
    /// A game that announces the range of its values replaces `prior`.
    init(of bidder: Bidder, prior: ClosedRange<Int64>, seed: UInt64) {
        (self.prior, self.seed) = (prior, seed)
        sale = FollowedSale(of: bidder)
    }

    private var state: LotState { sale.state }

    /// Whether a lot is open on which the bot may act.
    var canAct: Bool { state.stage == .open && !isGivenUp }

    /// Whether all lots have ended.
    var isOver: Bool { state.stage == .over }

    /// Whether another bidder leads an open lot.
    var isOutbid: Bool {
        state.stage == .open && state.leader.map { $0 != sale.own?.name } ?? false
    }

    /// Whether everybody can see that the bot has won a rising auction at a low price.
    ///
    /// Its own value does not count, so that nothing it says tells that.
    func isBargain(_ end: LotEnd) -> Bool {
        guard end.isWon, state.format.isRising, let price = end.price,
            let range = state.game?.values?.range
        else { return false }
        return price.amount < range.lowerBound + (range.upperBound - range.lowerBound) / 2
    }

    /// The time left of the countdown; nil while none runs.
    func remaining(at now: Instant) -> Duration? {
        sale.timeLeft(at: now.sinceOrigin)?.remaining
    }

    /// What a strategy may know now; nil if there is no lot to act on, or its value is not known.
    func view(at now: Instant) -> LotView? {
        guard canAct, let own = sale.own, let amounts = state.amounts,
            let worth = own.worth ?? drawnWorth
        else { return nil }
        let terms = Terms(
            format: state.format, seconds: state.seconds, start: state.start, step: state.step,
            hasReserve: state.reserve != .none, buy: state.buy)
        var view = LotView(
            lot: state.lot, terms: terms, rivals: max(state.people - 1, 0), worth: worth,
            prior: state.game?.values?.range ?? prior,
            noise: own.isEstimate ? state.game?.values?.noise ?? 0 : nil)
        view.lotsLeft = state.lots.map { max($0 - state.lot, 0) }
        view.price = state.isFalling ? nil : state.price
        view.isLeading = state.leader == own.name
        view.purse = own.most
        (view.minimum, view.ceiling) = (amounts.lowerBound, amounts.upperBound)
        view.ask = state.isFalling ? state.price : nil
        view.sealedBid = own.sealed
        view.maximum = own.maximum
        view.remaining = remaining(at: now)
        return view
    }

    /// The value that the bot draws itself in a game without values.
    private var drawnWorth: Int64? {
        guard state.game?.values == nil else { return nil }
        var chance = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: state.lot))
        return .random(in: prior, using: &chance)
    }

    /// Learns from a message, and returns what it says about the price.
    mutating func receive(_ message: ServerMessage, at now: Instant) -> BotPace.News {
        let (lot, leader) = (state.lot, state.leader)
        sale.follow(message, at: now.sinceOrigin)
        if state.lot != lot { isGivenUp = false }
        guard case .bidPlaced(let bid)? = message.event, bid.bidder != sale.own?.name else {
            return .other
        }
        return leader == sale.own?.name ? .outbid : .raised
    }

    /// Learns from the refusal of its own command.
    mutating func learn(from error: ErrorReply) {
        switch error.code {
        // The command was refused because the state changed or because of a temporary limit, so the
        // bot may try again.
        case .tooLow, .tooHigh, .outbid, .overPurse, .leading, .closed, .otherLot, .paused,
            .slowDown, .unavailable:
            break
        default: isGivenUp = true
        }
    }
}

/// The delay before a bot decides: none, or a random time to think.
struct BotPace: Sendable {
    /// What news means for the time to think.
    enum News: Sendable {
        /// Another bidder has raised the price.
        case raised
        /// Another bidder has raised the price, and the bot had led.
        case outbid
        /// Anything else.
        case other
    }

    /// The share of the remaining time after which the bot decides even if it would think longer.
    private static let haste = 0.7

    private let mean: Duration
    private let temper: Temper
    private var chance: SeededGenerator
    /// When the bot decides next; nil if it waits for news.
    private(set) var due: Instant?
    /// Whether the next decision follows news, and not a period.
    private var isThinking = false

    /// Makes a pace with the mean time to think; with zero the bot decides at once.
    init(mean: Duration, _ temper: Temper, seed: UInt64) {
        (self.mean, self.temper) = (mean, temper)
        chance = SeededGenerator(seed: ~seed)
    }

    /// Schedules a decision after news, before the countdown ends.
    ///
    /// At a new price it thinks anew: else one of several bots would answer each bid at once, and a
    /// person would bid too late.
    mutating func notice(_ news: News, at now: Instant, remaining: Duration?) {
        if !isThinking || news != .other {
            isThinking = true
            let time = temper.thinkingTime(isOutbid: news == .outbid)
            due = now.advanced(by: mean * .random(in: time, using: &chance))
        }
        guard let remaining, let due else { return }
        self.due = min(due, now.advanced(by: remaining * Self.haste))
    }

    /// Records a decision; schedules the next after `period`, or only after news if nil.
    mutating func looked(at now: Instant, again period: Duration?) {
        isThinking = false
        due = period.map { now.advanced(by: $0) }
    }

    /// Cancels the next decision, because the connection is lost.
    mutating func forget() {
        (isThinking, due) = (false, nil)
    }
}
