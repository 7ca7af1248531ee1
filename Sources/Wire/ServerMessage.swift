import AuctionRules

/// What the server says in one line.
///
/// News goes to everybody, a snapshot to a newcomer, and data and answers to who asked. A value
/// that only one of the two formats carries is optional, and nil where it was read from the other.
public enum ServerMessage: Equatable, Sendable {
    /// Greets a new connection; `game` is nil from an older server.
    case hello(seconds: Int, step: Price, game: GameID? = nil)
    /// A lot opened, so long ago; its first bid is at least `start`.
    case lot(Lot, start: Price?, elapsed: Duration?)
    /// A bid was accepted in the lot of this number; the hammer falls after `remaining`.
    case price(Bid, lot: Int?, remaining: Duration?)
    /// So many whole seconds are left.
    case countdown(Int, remaining: Duration?)
    /// Later bids on the lot no longer reset the countdown.
    case last
    /// Gives fair warning.
    case going(Warning)
    /// The hammer fell.
    case winner(SoldLot)
    /// A lot ended unsold, for a reason of one word.
    case passed(Lot, reason: String)
    /// Every lot is done; there were so many.
    case over(lots: Int)
    /// The auctioneer interrupted the sale.
    case paused
    /// The sale goes on.
    case resumed
    /// The auctioneer lets the hammer fall.
    case hammered
    /// The last bid of the lot was taken back, which had this price, bidder and number.
    case voided(Price, by: Bidder, number: Int?, lot: Int?)
    /// The auctioneer sends somebody away, for a reason in words.
    case kicked(Bidder, reason: String)
    /// The auctioneer ends the server.
    case stopped
    /// Somebody took a name.
    case joined(Bidder)
    /// Somebody who had a name went.
    case left(Bidder)
    /// The connection missed so many lines.
    case skipped(Int)
    /// The server closes the connection.
    case bye(CloseReason)
    /// An accepted bid, as data.
    case lap(Bid)
    /// A connected bidder, as data.
    case who(Bidder)
    /// A line about the commands, as data.
    case help(String)
    /// A command was done.
    case ok(Answer, tag: String?)
    /// A command was not done.
    case error(ErrorReply, tag: String?)

    /// The two fair warnings before the hammer falls.
    public enum Warning: String, CaseIterable, Sendable {
        /// The first.
        case once
        /// The last.
        case twice
    }

    /// Why the server closes a connection, in one word.
    public struct CloseReason: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// Makes a farewell of its word, known here or not: a newer server may have more.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The client asked to leave.
        public static let quit = Self(rawValue: "quit")
        /// The client closed its side.
        public static let end = Self(rawValue: "end")
        /// Another connection took over the name.
        public static let replaced = Self(rawValue: "replaced")
        /// The auctioneer sent the client away.
        public static let kicked = Self(rawValue: "kicked")
        /// The server ends.
        public static let shutdown = Self(rawValue: "shutdown")
        /// The journal cannot be written.
        public static let journal = Self(rawValue: "journal")
        /// There is no room for another connection.
        public static let full = Self(rawValue: "full")
        /// The client sent too many wrong tokens in a row.
        public static let wrongToken = Self(rawValue: "wrong-token")
        /// A line was under way for too long.
        public static let idle = Self(rawValue: "idle")
    }
}

/// How a lot was sold.
public struct SoldLot: Equatable, Sendable {
    /// The number of the lot; nil where a line of text does not say it.
    public let number: Int?
    /// The title of the lot.
    public let title: String
    /// Who won.
    public let bidder: Bidder
    /// The price paid.
    public let price: Price
    /// The time from the opening of the lot to the hammer.
    public let elapsed: Duration

    /// Makes the record of a sale; clamps the time to 0 through `Bid.longestElapsed`.
    public init(number: Int?, title: String, bidder: Bidder, price: Price, elapsed: Duration) {
        self.number = number
        self.title = title
        self.bidder = bidder
        self.price = price
        self.elapsed = min(max(elapsed, .zero), Bid.longestElapsed)
    }
}
