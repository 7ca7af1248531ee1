import AuctionRules
import Wire

/// When the lot opened, and how long it was open when it ended.
package struct LotClock: Equatable, Sendable {
    /// The number of the lot.
    private var lot: Int?
    /// When it opened, by the timeline of the view; nil where that cannot be known.
    package private(set) var openedAt: Duration?
    /// The time from the opening to the end; nil while it is open.
    package private(set) var stoppedAt: Duration?

    /// No lot has opened.
    package init() {}

    private init(lot: Int, openedAt: Duration) {
        self.lot = lot
        self.openedAt = openedAt
    }

    /// When the lot that is running opened.
    package var runningSince: Duration? { stoppedAt == nil ? openedAt : nil }

    /// The time since the opening, which stands still when the lot has ended.
    package func elapsed(at now: Duration) -> Duration? {
        stoppedAt ?? openedAt.map { now - $0 }
    }

    /// The clock after one more line of news, heard now.
    package func hearing(_ message: ServerMessage, at now: Duration) -> LotClock {
        var clock = self
        switch message {
        case .lot(let lot, _, let elapsed):
            clock = LotClock(lot: lot.number, openedAt: now - (elapsed ?? .zero))
        case .price(let bid, _, _):
            // Nobody bids in the future: news that was long on its way made the clock slow.
            clock.openedAt = min(openedAt ?? now, now - bid.elapsed)
        case .winner(let sale): clock.stop(sale.number, after: sale.elapsed)
        case .passed(let passed, _):
            // Told again, as in a snapshot, it ended when it was told first.
            let elapsed = stoppedAt ?? openedAt.map { now - $0 }
            clock.stop(passed.number, after: passed.number == lot ? elapsed : nil)
        case .hello, .countdown, .last, .going, .over, .paused, .resumed, .hammered, .voided,
            .kicked,
            .stopped, .joined, .left, .skipped, .bye, .lap, .who, .help, .ok, .error:
            break
        }
        return clock
    }

    /// The end of a lot whose opening was not heard tells nothing of when that was.
    private mutating func stop(_ number: Int?, after elapsed: Duration?) {
        if let number, number != lot { openedAt = nil }
        lot = number ?? lot
        stoppedAt = elapsed
    }
}
