import AuctionRules
import Sale

/// The events of a sale as messages: which line each of them is, in both directions.
extension SaleEvent {
    /// What the JSON of an event has beside the event.
    public struct Details: Sendable {
        /// The number of the newest lot.
        public var lot: Int?
        /// The minimum of a lot's first bid.
        public var start: Price?
        /// The time since a lot opened.
        public var elapsed: Duration?
        /// The time left of the countdown.
        public var remaining: Duration?

        /// Creates the details that are known.
        public init(
            lot: Int? = nil, start: Price? = nil, elapsed: Duration? = nil,
            remaining: Duration? = nil
        ) {
            (self.lot, self.start, self.elapsed, self.remaining) = (lot, start, elapsed, remaining)
        }
    }

    /// Returns the message that announces the event; nil if the event is for the log alone.
    public func message(_ details: Details = Details()) -> ServerMessage? {
        switch self {
        case .lotOpened(let lot): .lot(lot, start: details.start, elapsed: details.elapsed)
        case .bidPlaced(let bid), .priceRestored(let bid):
            .price(bid, lot: details.lot, remaining: details.remaining)
        case .lastReset: .last
        case .secondsLeft(let seconds):
            .countdown(seconds, remaining: details.remaining ?? (seconds == 0 ? .zero : nil))
        case .warned(let warning): .going(warning)
        case .lotSold(let sold): .winner(sold)
        case .lotPassed(let lot, let reason, let elapsed):
            .passed(lot, reason: reason, elapsed: elapsed)
        case .ended(let lots): .over(lots: lots)
        case .paused: .paused
        case .resumed: .resumed
        case .hammered: .hammered
        case .bidVoided(let price, let bidder, let number):
            .voided(price, by: bidder, number: number, lot: details.lot)
        case .bidderKicked(let bidder, let reason): .kicked(bidder, reason: reason)
        case .stopped: .stopped
        case .bidderJoined(let bidder): .joined(bidder)
        case .bidderLeft(let bidder): .left(bidder)
        case .gameCreated, .nameTaken, .nameFreed, .nameBarred, .timeNoted: nil
        }
    }

    /// Creates the event that a message announces; nil if it announces none.
    public init?(_ message: ServerMessage) {
        switch message {
        case .lot(let lot, _, _): self = .lotOpened(lot)
        case .price(let bid, _, _): self = .bidPlaced(bid)
        case .last: self = .lastReset
        case .countdown(let seconds, _): self = .secondsLeft(seconds)
        case .going(let warning): self = .warned(warning)
        case .winner(let sold): self = .lotSold(sold)
        case .passed(let lot, let reason, let elapsed):
            self = .lotPassed(lot, reason: reason, elapsed: elapsed)
        case .over(let lots): self = .ended(lots: lots)
        case .paused: self = .paused
        case .resumed: self = .resumed
        case .hammered: self = .hammered
        case .voided(let price, let bidder, let number, _):
            self = .bidVoided(price, by: bidder, number: number)
        case .kicked(let bidder, let reason): self = .bidderKicked(bidder, reason: reason)
        case .stopped: self = .stopped
        case .joined(let bidder): self = .bidderJoined(bidder)
        case .left(let bidder): self = .bidderLeft(bidder)
        case .hello, .skipped, .bye, .lap, .result, .who, .help, .ok, .error: return nil
        }
    }
}

extension LotResult {
    /// The message that announced the end of the lot.
    public var announcement: ServerMessage {
        switch outcome {
        case .sold(let sold): .winner(sold)
        case .passed(let reason, let elapsed): .passed(lot, reason: reason, elapsed: elapsed)
        }
    }

    /// The entry of the list of results.
    public var entry: ServerMessage {
        switch outcome {
        case .sold(let sold):
            .result(lot, winner: sold.bidder, price: sold.price, elapsed: sold.elapsed)
        case .passed(_, let elapsed): .result(lot, winner: nil, price: nil, elapsed: elapsed)
        }
    }
}
