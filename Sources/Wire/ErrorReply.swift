import Auction

/// The reason in an `ERROR` line: a stable word, facts, and advice.
public struct ErrorReply: Equatable, Sendable {
    /// The word by which a program recognizes the error.
    public let code: Code

    /// The numbers that belong to the error, in the order of the line.
    public let facts: [Fact]

    /// The advice, in plain English.
    public let advice: String

    /// Creates an error from its parts.
    public init(_ code: Code, facts: [Fact] = [], advice: String) {
        self.code = code
        self.facts = facts
        self.advice = advice
    }

    /// A named number, such as `minimum=121`.
    public struct Fact: Equatable, Sendable {
        /// The name: lower-case letters.
        public let name: String
        /// The number.
        public let value: Int64

        /// Creates a fact.
        public init(_ name: String, _ value: Int64) {
            self.name = name
            self.value = value
        }
    }

    /// The stable word for a kind of error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// Creates a code from any word, because a newer server may send more codes.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

extension ErrorReply.Code {
    /// The bid is below the minimum.
    public static let tooLow = Self(rawValue: "too-low")
    /// Another bid is as high, and leads now at the amount of the refused one.
    public static let outbid = Self(rawValue: "outbid")
    /// The offer is for another lot than the open one.
    public static let otherLot = Self(rawValue: "other-lot")
    /// The auctioneer kicked this name, and it is still blocked.
    public static let kicked = Self(rawValue: "kicked")
    /// The bid is above the maximum.
    public static let tooHigh = Self(rawValue: "too-high")
    /// The news of a request is no longer kept.
    public static let gone = Self(rawValue: "gone")
    /// The bidder already leads.
    public static let leading = Self(rawValue: "leading")
    /// The amount is not a whole number in bounds.
    public static let badAmount = Self(rawValue: "bad-amount")
    /// The bid is above what is left of the bidder's purse.
    public static let overPurse = Self(rawValue: "over-purse")
    /// The command belongs to another kind of auction.
    public static let wrongFormat = Self(rawValue: "wrong-format")
    /// The lot cannot be bought at once.
    public static let noBuyPrice = Self(rawValue: "no-buy-price")
    /// The auctioneer muted the bidder.
    public static let muted = Self(rawValue: "muted")
    /// No room has this name.
    public static let noRoom = Self(rawValue: "no-room")
    /// A room with this name is open already.
    public static let roomTaken = Self(rawValue: "room-taken")
    /// An option of a lot or a room is not valid.
    public static let badOption = Self(rawValue: "bad-option")
    /// No lot is open.
    public static let closed = Self(rawValue: "closed")
    /// The sale is paused.
    public static let paused = Self(rawValue: "paused")
    /// The sale is not at the point at which the command is possible.
    public static let wrongTime = Self(rawValue: "wrong-time")
    /// The lot has no bid, which the command needs.
    public static let noBids = Self(rawValue: "no-bids")
    /// Nobody is connected under this name.
    public static let notHere = Self(rawValue: "not-here")
    /// The connection is not an auctioneer.
    public static let notAuctioneer = Self(rawValue: "not-auctioneer")
    /// The connection has no name.
    public static let notNamed = Self(rawValue: "not-named")
    /// The word is not a valid name.
    public static let badName = Self(rawValue: "bad-name")
    /// Another client owns the name.
    public static let nameTaken = Self(rawValue: "name-taken")
    /// Somebody else who is present has the display name, or a name like it.
    public static let displayTaken = Self(rawValue: "display-taken")
    /// The token does not belong to the name.
    public static let wrongToken = Self(rawValue: "wrong-token")
    /// The connection already has another name.
    public static let alreadyNamed = Self(rawValue: "already-named")
    /// The verb is unknown.
    public static let unknownCommand = Self(rawValue: "unknown-command")
    /// The command has wrong or missing words.
    public static let badArguments = Self(rawValue: "bad-arguments")
    /// The line is longer than the limit.
    public static let lineTooLong = Self(rawValue: "line-too-long")
    /// The line is not valid UTF-8.
    public static let notUTF8 = Self(rawValue: "not-utf8")
    /// The journal cannot be written.
    public static let unavailable = Self(rawValue: "unavailable")
    /// There is no free place for the connection or the name.
    public static let full = Self(rawValue: "full")
    /// A rate limit was exceeded.
    public static let slowDown = Self(rawValue: "slow-down")
}
