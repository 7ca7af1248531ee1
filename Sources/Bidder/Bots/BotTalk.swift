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

/// The temper of a bot: how long it thinks, and what it says.
///
/// What it bids is the matter of its strategy.
package enum Temper: String, CaseIterable, Sendable {
    /// Thinks long.
    case calm
    /// Thinks little.
    case bold
    /// Hesitates, but answers at once when it is outbid.
    case nervous

    /// Chooses a temper by a seed.
    package init(seed: UInt64) {
        // Another stream than that of the strategy, which has the seed itself.
        var chance = SeededGenerator(seed: seed.byteSwapped)
        self = Self.allCases.randomElement(using: &chance) ?? .calm
    }

    /// How it behaves, in a few words.
    package var summary: String {
        switch self {
        case .calm: "thinks long"
        case .bold: "thinks little"
        case .nervous: "hesitates, but answers at once when it is outbid"
        }
    }

    /// The time to think, in means; an outbid bot answers in another time.
    ///
    /// - Invariant: at least half a mean, in which a person can bid before any bot does.
    func thinkingTime(isOutbid: Bool) -> ClosedRange<Double> {
        switch self {
        case .calm: 0.9...1.5
        case .bold: 0.5...0.9
        case .nervous: isOutbid ? 0.5...0.6 : 1...1.5
        }
    }

    /// What it says or shows on an occasion: nothing that depends on what only it can know.
    func utterances(on occasion: BotTalk.Occasion) -> [Request.Command] {
        lines(on: occasion).map { .say($0) } + reactions(on: occasion).map { .react($0) }
    }

    private func lines(on occasion: BotTalk.Occasion) -> [String] {
        switch (self, occasion) {
        case (.calm, .outbid):
            [
                "No hurry. I have tea.", "Somebody is eager today.", "Enjoy it while it lasts.",
                "My grandmother bids faster. She sends her regards.",
                "How exciting. I nearly raised an eyebrow.",
            ]
        case (.calm, .bargain):
            ["Patience is cheaper.", "Worth getting up for.", "Thank you. I was about to nap."]
        case (.bold, .outbid):
            [
                "You dare?", "I was only warming up.", "Nice wallet. May I see it again?",
                "My arm is not even tired.", "Careful, that was my favourite!",
            ]
        case (.bold, .bargain):
            ["Mine! As planned.", "Did you all fall asleep?", "Wrap it up. Next, please!"]
        case (.nervous, .outbid):
            [
                "Oh no, not again!", "Who was that? Was it you?", "I need a biscuit.",
                "I looked away for one second!", "My paddle is shaking.",
            ]
        case (.nervous, .bargain):
            ["Wait, did I win? Really?", "I could not look!", "Quick, before somebody notices!"]
        }
    }

    private func reactions(on occasion: BotTalk.Occasion) -> [Reaction] {
        switch (self, occasion) {
        case (.calm, .outbid): [.thinking, .applause]
        case (.calm, .bargain): [.applause]
        case (.bold, .outbid): [.fire, .laughter]
        case (.bold, .bargain): [.party]
        case (.nervous, .outbid): [.shock, .shyness]
        case (.nervous, .bargain): [.party]
        }
    }
}
