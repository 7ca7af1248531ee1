import Auction
import Strategies
import Wire

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
