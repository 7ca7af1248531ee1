import Basics

/// What a lobby has counted since it was created.
///
/// Everybody may know these metrics, so a sealed bid and a maximum count when their lot has ended.
public struct LobbyMetrics: Equatable, Sendable {
    /// The commands that were understood, whether accepted or refused.
    public var commands = 0
    /// The bids that the rules accepted, by the command.
    public var bidsByCommand = WordCounts(["bid", "take", "buy", "max"])
    /// The bids that were refused, by the code of the error.
    public var bidsRefused = WordCounts([
        "too-low", "too-high", "leading", "closed", "paused", "not-named", "over-purse",
        "wrong-format", "no-buy-price", "other-lot", "outbid",
    ])
    /// The messages of bidders to everybody.
    public var messages = 0
    /// All errors that were replied, by their codes.
    public var errors = WordCounts()
    /// The replies, which are lines to one connection each, without those for its bidder alone.
    public var replies = 0
    /// The bytes of what clients have sent, counted when a line is complete.
    public var receivedBytes = 0
    /// The lots that were sold.
    public var lotsSold = 0
    /// The lots that ended unsold.
    public var lotsPassed = 0
    /// How late each second of a countdown was published, down to 0.
    public var countdownLateness = DurationHistogram()

    /// Creates metrics of 0.
    public init() {}

    /// Adds metrics that were counted separately, without those of the countdown.
    mutating func add(_ other: LobbyMetrics) {
        commands += other.commands
        bidsByCommand.add(other.bidsByCommand)
        bidsRefused.add(other.bidsRefused)
        messages += other.messages
        errors.add(other.errors)
        replies += other.replies
        receivedBytes += other.receivedBytes
        lotsSold += other.lotsSold
        lotsPassed += other.lotsPassed
    }

    /// The bids of all kinds that the rules accepted.
    public var bidsAccepted: Int { bidsByCommand.list.reduce(0) { $0 + $1.count } }
}

/// Counts by word, for a few words that the server itself chooses.
///
/// Finding a word is linear in their number: two comparisons of machine words for each.
public struct WordCounts: Equatable, Sendable {
    private var words: [String]
    private var counts: [Int]

    /// Creates counts of 0 for words that are known already.
    public init(_ words: [String] = []) {
        (self.words, counts) = (words, words.map { _ in 0 })
    }

    /// Counts a word, which may be new.
    public mutating func add(_ word: String, count: Int = 1) {
        if let index = words.firstIndex(of: word) {
            counts[index] += count
        } else {
            words.append(word)
            counts.append(count)
        }
    }

    /// Adds other counts.
    mutating func add(_ other: WordCounts) {
        for (word, count) in other.list { add(word, count: count) }
    }

    /// The words and their counts, in the order in which the words were first counted.
    public var list: [(word: String, count: Int)] {
        zip(words, counts).map { (word: $0, count: $1) }
    }
}
