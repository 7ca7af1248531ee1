import AuctionRules
import Wire

/// A sale as its journal tells it: what held after the last line that was replayed.
///
/// It begins empty, or with the state in which a segment of a journal began.
public struct History: Equatable, Sendable {
    /// The identity of the game; nil before the first line of a journal.
    public internal(set) var game: GameID?
    /// The number of the last event.
    public internal(set) var seq = 0
    /// The newest lot; nil before the first.
    public internal(set) var lot: Lot?
    /// Earlier lots that have a title of their own; at least the newest 10,000.
    public internal(set) var formerLots: [Lot] = []
    /// The accepted bids of the newest lot, oldest first; the newest 1,000 at least.
    public internal(set) var bids: [Bid] = []
    /// The first accepted bid of the newest lot.
    public internal(set) var first: Bid?
    /// Whether bids no longer reset the countdown of the newest lot.
    public internal(set) var isLast = false
    /// Whether the newest lot is sold, or passed.
    public internal(set) var isClosed = false
    /// Whether every lot of the list is done.
    public internal(set) var isOver = false
    /// Whether the auctioneer has interrupted the sale.
    public internal(set) var isPaused = false
    /// How each lot ended whose end was replayed, or told in a state, by the numbers of the lots.
    public internal(set) var results: [Result] = []

    /// Whether lots had ended before the state from which it begins, which tells no result.
    public internal(set) var lacksResults = false

    /// Whether the auctioneer has let the hammer fall, and the winner is yet to be told.
    var isHammered = false
    /// Whether the bid that leads since another was voided is yet to be told again.
    var isRestating = false
    /// The progress of reading the state at the beginning of a segment.
    var state = StateProgress()
    var board = Board()
    var owners: [Bidder: Owner] = [:]
    /// The tokens of the owners, each used by one name.
    var tokens: Set<String> = []
    /// The highest `Owner.number` given so far.
    var lastNumber = 0
    var time: Int64 = 0
    /// The kicked names, and until when nobody may take them, in milliseconds since 1970.
    var bars: [Bidder: Int64] = [:]

    /// The end of a lot.
    public struct Result: Equatable, Sendable {
        /// The number of the event.
        public let seq: Int
        /// The winner, or that the lot passed.
        public let notice: Notice
        /// The time of day to the second, in milliseconds since 1970.
        public let time: Int64

        /// The end of a lot as it was told; nil for other notices.
        public init?(_ notice: Notice, seq: Int, time: Int64) {
            guard notice.endedLot != nil else { return nil }
            (self.seq, self.notice, self.time) = (seq, notice, time)
        }

        /// The line of a state that tells it.
        public var record: Record { .result(notice, seq: seq, time: time) }

        /// The number of the lot.
        var lot: Int { notice.endedLot ?? 0 }
    }

    /// Somebody who owns a name.
    struct Owner: Equatable {
        let bidder: Bidder
        let token: Token
        var hasBid: Bool
        /// When the owner last left, in milliseconds since 1970.
        var used: Int64
        var isPresent = false
        /// The place of the name in the order in which owners came or went.
        var number: Int

        /// Whether the name is free again: its owner is gone, or never got further than to own it.
        var isFree: Bool { !isPresent && !hasBid }
    }

    /// How many former lots are kept.
    static let mostFormerLots = 10_000

    /// How many results the state of a segment has at most.
    public static let mostResults = 10_000

    /// Begins before the first event.
    public init() {}
}
