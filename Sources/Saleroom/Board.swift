import AuctionRules
import Wire

/// What stands on the board for a newcomer to read: the news that still holds.
struct Board: Equatable {
    /// A notice, and the number under which it was news.
    struct Entry: Equatable {
        let notice: Notice
        let seq: Int
    }

    private var lot: Entry?
    private var price: Entry?
    private var countdown: Entry?
    private var result: Entry?
    private var end: Entry?

    /// The sale that ended the newest lot, while no other is open.
    var sale: Sale? {
        if case .winner(let sale) = result?.notice { sale } else { nil }
    }

    /// Writes down news that changes what holds.
    mutating func record(_ notice: Notice, seq: Int) {
        let entry = Entry(notice: notice, seq: seq)
        switch notice {
        case .lot:
            self = Board()
            lot = entry
        case .price: price = entry
        case .countdown: countdown = entry
        case .winner, .passed:
            self = Board()
            result = entry
        case .over: end = entry
        case .hello, .going, .joined, .left, .skipped, .bye, .lap, .who, .help, .ok, .error: break
        }
    }

    /// The snapshot, with the time that is left now in the place of the time that was.
    func snapshot(remaining: Duration?) -> [Entry] {
        [lot, price, countdown, result, end].compactMap { entry in
            entry.map { Entry(notice: $0.notice.with(remaining: remaining), seq: $0.seq) }
        }
    }
}

extension Notice {
    fileprivate func with(remaining: Duration?) -> Notice {
        switch self {
        case .price(let bid, let lot, _): .price(bid, lot: lot, remaining: remaining)
        case .countdown(let seconds, _): .countdown(seconds, remaining: remaining)
        case .hello, .lot, .going, .winner, .passed, .over, .joined, .left, .skipped, .bye, .lap,
            .who, .help, .ok, .error:
            self
        }
    }
}
