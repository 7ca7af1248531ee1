import Auction
import Basics
import Strategies
import Wire

/// When a bot says something to everybody: seldom, and only on what everybody can see.
///
/// It takes a moment to type. A line about a lost lead is dropped if the bot leads again by then.
struct BotTalk: Sendable {
    /// What a bot talks about.
    enum Occasion: Sendable {
        /// Another bidder has taken the lead from it in a rising auction.
        case outbid
        /// It has won a rising auction below the middle of the range of values that all know.
        case bargain
    }

    /// The time to type, shorter than most bots think before they bid again.
    private static let typing = 0.4...0.9
    /// The least time between two lines, in seconds; a server allows five in ten seconds.
    private static let silence = 20.0...40.0

    private let temper: Temper
    private var chance: SeededGenerator
    /// The occasion of the next line, and when it is said.
    private var planned: (occasion: Occasion, due: Instant)?
    /// When it may say something again.
    private var silentUntil = Instant.distantPast
    private var last: Request.Command?
    private var isAllowed: Bool
    /// Whether the server knows reactions, as far as the bot knows.
    private var canReact = true

    /// Makes the talk of a bot; a quiet one says nothing.
    init(_ temper: Temper, isQuiet: Bool, seed: UInt64) {
        (self.temper, isAllowed) = (temper, !isQuiet)
        // Another stream than those of the strategy and of the pace.
        chance = SeededGenerator(seed: ~seed.byteSwapped)
    }

    /// When the next line is due; nil without one.
    var due: Instant? { planned?.due }

    /// Plans a line, unless the bot has spoken a short time ago.
    mutating func plan(_ occasion: Occasion, at now: Instant) {
        guard isAllowed, now >= silentUntil else { return }
        let delay = Double.random(in: Self.typing, using: &chance)
        planned = (occasion, now.advanced(by: .seconds(delay)))
    }

    /// Drops the planned line if it complains about a lost lead.
    mutating func dropComplaint() {
        if planned?.occasion == .outbid { planned = nil }
    }

    /// Drops the planned line.
    mutating func forget() {
        planned = nil
    }

    /// Removes and returns the command that says what is due, which differs from the last one.
    mutating func takeDue(at now: Instant) -> Request.Command? {
        guard let (occasion, due) = planned, now >= due else { return nil }
        planned = nil
        silentUntil = now.advanced(by: .seconds(.random(in: Self.silence, using: &chance)))
        last = temper.utterances(on: occasion)
            .filter { $0 != last && (canReact || !$0.isReaction) }
            .randomElement(using: &chance)
        return last
    }

    /// Learns from the refusal of what it said: a muted bot is silent for good.
    mutating func learn(from error: ErrorReply) {
        switch error.code {
        case .slowDown, .unavailable: break
        case .unknownCommand where last?.isReaction == true: canReact = false
        default: (isAllowed, planned) = (false, nil)
        }
    }
}

extension Request.Command {
    /// Whether it shows a reaction.
    fileprivate var isReaction: Bool { if case .react = self { true } else { false } }
}
