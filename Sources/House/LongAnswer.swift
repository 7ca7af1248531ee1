import Auction
import Wire

/// An answer of many lines, sent in parts.
///
/// Each part is made when the one before has been sent, so only one part waits in memory.
struct LongAnswer {
    /// What is still to be sent.
    enum Rest {
        /// Entries of a numbered list.
        case list(List, Numbers)
        /// The bidders with these arrival numbers who were present when the first part was sent;
        /// `listed` were listed before.
        case who(after: Int, upTo: Int, listed: Int)
        /// The snapshot, and what holds for the bidder alone; short enough for one part.
        ///
        /// With `withRule` the rule of the lot follows its terms.
        case status(Bidder?, withRule: Bool)
        /// The rows of the standings from this index on.
        case standings([StandingsRow], from: Int)
        /// The rooms after the one with this name, or all; `listed` were listed before.
        case rooms(after: RoomName?, listed: Int)
        /// The lines of the help for a lot of this format, from this index on.
        case help(AuctionFormat, from: Int)
    }

    /// A list whose entries have numbers without a gap, from 1.
    enum List {
        /// The bids of the lot with this number, as long as no bid is voided after this many.
        case laps(lot: Int, voids: Int)
        /// How the lots ended.
        case results
        /// The news; all of it is sent, or none.
        case news
    }

    /// The entries of a list that are still to be sent.
    struct Numbers {
        /// The numbers of the entries.
        var left: Range<Int>
        /// The number of entries that the list had when it was requested.
        let count: Int
    }

    var rest: Rest
    let tag: String?
    /// Whether news is held back until the answer is complete, because a part of it was sent.
    var holdsNews = false
    /// Whether the client has closed its side, so that the connection ends after the answer.
    var isLast = false
    /// Whether the answer repeats news, which may contradict what only the bidder was told.
    var repeatsNews: Bool {
        if case .list(.news, _) = rest { true } else { false }
    }
    /// Whether the connection fell behind the news, so that a snapshot follows the answer.
    var needsSnapshot = false
}

extension LongAnswer.List {
    /// The numbers of the entries that are kept; nil if the list is gone.
    func numbers(in live: LiveSale) -> Range<Int>? {
        let (sale, auction) = (live.sale, live.sale.auction)
        switch self {
        case .laps(let lot, let voids):
            guard auction.lot.number == lot, live.voidCount == voids else { return nil }
            return (auction.bids.first?.number ?? 1)..<auction.bidCount + 1
        case .results: return sale.lotsEnded - sale.results.count + 1..<sale.lotsEnded + 1
        case .news: return sale.recentNews.numbers
        }
    }

    /// The answer after the list, which had this number of entries when it was requested.
    func answer(_ count: Int) -> Answer {
        switch self {
        case .laps: .laps(count)
        case .results: .results(count)
        case .news: .resumed(count)
        }
    }

    /// Whether the list must be complete; if an entry is lost, a snapshot follows the error.
    var isWhole: Bool {
        switch self {
        case .laps, .results: false
        case .news: true
        }
    }

    /// The error if entries are no longer kept.
    var lossError: ErrorReply {
        switch self {
        case .laps, .results: .unavailable
        case .news: .gone
        }
    }
}
