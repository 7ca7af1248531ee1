import AuctionRules
import Sale

/// A line of the server.
///
/// News goes to all clients, a snapshot to a new one, and data and answers to the client that
/// asked. A new kind of message is described here and in `ServerMessage+Lines.swift`; code that
/// looks for a few kinds ignores all others, as a client ignores lines that it does not know. A
/// value that only one of the two formats has is optional, and nil if it was parsed from
/// the other.
public enum ServerMessage: Equatable, Sendable {
    /// Greets a new connection; `game` is nil from an older server.
    case hello(seconds: Int, step: Price, game: GameID? = nil)
    /// A lot opened; the time since then, and `start`, the minimum of its first bid.
    case lot(Lot, start: Price?, elapsed: Duration?)
    /// A bid was accepted in the lot with this number; the lot is sold after `remaining`.
    case price(Bid, lot: Int?, remaining: Duration?)
    /// The remaining whole seconds.
    case countdown(Int, remaining: Duration?)
    /// Later bids on the lot no longer reset the countdown.
    case last
    /// Fair warning before the lot is sold.
    case going(Warning)
    /// A lot was sold.
    case winner(SoldLot)
    /// A lot ended unsold, for a reason of one word; the time since it opened.
    case passed(Lot, reason: String, elapsed: Duration? = nil)
    /// All lots have ended; the value is their number.
    case over(lots: Int)
    /// The auctioneer paused the sale.
    case paused
    /// The sale continues.
    case resumed
    /// The auctioneer sold the lot early.
    case hammered
    /// The last bid of the lot was voided; its price, bidder and number.
    case voided(Price, by: Bidder, number: Int?, lot: Int?)
    /// The auctioneer removed a bidder, with a reason in words.
    case kicked(Bidder, reason: String)
    /// The auctioneer stops the server.
    case stopped
    /// A bidder with this name joined.
    case joined(Bidder)
    /// The bidder with this name left.
    case left(Bidder)
    /// The connection missed this number of lines.
    case skipped(Int)
    /// The server closes the connection.
    case bye(CloseReason)
    /// An accepted bid, as data.
    case lap(Bid)
    /// The end of an earlier lot, as data: winner and price, both nil if it was not sold.
    ///
    /// The time since it opened is nil if it is not recorded.
    case result(Lot, winner: Bidder?, price: Price?, elapsed: Duration?)
    /// A connected bidder, as data.
    case who(Bidder)
    /// A line about the commands, as data.
    case help(String)
    /// A command was accepted.
    case ok(Answer, tag: String?)
    /// A command was refused.
    case error(ErrorReply, tag: String?)

    /// Whether it is a line of data, which comes directly before an answer.
    public var isData: Bool {
        switch self {
        case .lap, .result, .who, .help: true
        default: false
        }
    }

    /// The reason why the server closes a connection, in one word.
    public struct CloseReason: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// Creates a reason from any word, because a newer server may send more reasons.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The client sent `quit`.
        public static let quit = Self(rawValue: "quit")
        /// The client closed its side.
        public static let end = Self(rawValue: "end")
        /// Another connection took over the name.
        public static let replaced = Self(rawValue: "replaced")
        /// The auctioneer removed the client.
        public static let kicked = Self(rawValue: "kicked")
        /// The server stops.
        public static let shutdown = Self(rawValue: "shutdown")
        /// The journal cannot be written.
        public static let journal = Self(rawValue: "journal")
        /// There is no free place for the connection.
        public static let full = Self(rawValue: "full")
        /// The client sent too many wrong tokens in a row.
        public static let wrongToken = Self(rawValue: "wrong-token")
        /// A line had no end for too long.
        public static let idle = Self(rawValue: "idle")
    }
}
