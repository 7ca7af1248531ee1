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
    private var last: Entry?
    private var result: Entry?
    private var end: Entry?
    private var interruption: Entry?

    /// The sale that ended the newest lot, while no other is open.
    var sale: Sale? {
        if case .winner(let sale) = result?.notice { sale } else { nil }
    }

    /// Whether the price that leads is there to be read.
    var hasPrice: Bool { price != nil }

    /// Whether it has a countdown.
    var hasCountdown: Bool { countdown != nil }

    /// Whether it is empty, or has only a lot and a lot is allowed.
    func isBlank(but allowsLot: Bool) -> Bool {
        places.dropFirst().allSatisfy { $0 == nil } && (lot == nil || allowsLot)
    }

    /// Whether the event numbers are in an order that is possible.
    var isInOrder: Bool {
        func follows(_ entry: Entry?, _ before: Entry?) -> Bool {
            guard let entry, let before else { return true }
            return entry.seq > before.seq
        }
        return follows(price, lot) && follows(countdown, lot) && follows(last, lot)
            && follows(end, result)
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
        case .last: last = entry
        case .voided: (price, countdown, last) = (nil, nil, nil)
        case .winner, .passed:
            (lot, price, countdown, last) = (nil, nil, nil, nil)
            (result, end) = (entry, nil)
        case .over: (end, interruption) = (entry, nil)
        case .paused: interruption = entry
        case .resumed: interruption = nil
        case .hello, .going, .hammered, .kicked, .stopped, .joined, .left, .skipped, .bye, .lap,
            .who, .help, .ok, .error:
            break
        }
    }

    private var places: [Entry?] { [lot, price, countdown, last, result, end, interruption] }

    /// The news that holds, in order, as it was told.
    var entries: [Entry] { places.compactMap { $0 } }

    /// The snapshot, with the times of now in the place of those that were.
    func snapshot(start: Price, elapsed: Duration, remaining: Duration?) -> [Entry] {
        places.compactMap { entry in
            entry.map {
                let notice = $0.notice.with(start: start, elapsed: elapsed, remaining: remaining)
                return Entry(notice: notice, seq: $0.seq)
            }
        }
    }
}

extension Notice {
    fileprivate func with(start: Price, elapsed: Duration, remaining: Duration?) -> Notice {
        switch self {
        case .lot(let lot, _, _): .lot(lot, start: start, elapsed: elapsed)
        case .price(let bid, let lot, _): .price(bid, lot: lot, remaining: remaining)
        case .countdown(let seconds, _): .countdown(seconds, remaining: remaining)
        case .hello, .last, .going, .winner, .passed, .over, .paused, .resumed, .hammered, .voided,
            .kicked, .stopped, .joined, .left, .skipped, .bye, .lap, .who, .help, .ok, .error:
            self
        }
    }
}
