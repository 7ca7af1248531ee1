import AuctionRules

/// Why a command was not done, as an `ERROR` line says it: a stable word, facts, and what to do.
public struct ErrorReply: Equatable, Sendable {
    /// The word that a program can go by.
    public let code: Code

    /// The numbers that belong to it, in the order of the line.
    public let facts: [Fact]

    /// What to do, in plain English.
    public let advice: String

    /// Makes a fault of its parts.
    public init(_ code: Code, facts: [Fact] = [], advice: String) {
        self.code = code
        self.facts = facts
        self.advice = advice
    }

    /// A number under its name, as in `minimum=121`.
    public struct Fact: Equatable, Sendable {
        /// The name: lower-case letters.
        public let name: String
        /// The number.
        public let value: Int64

        /// Makes a fact.
        public init(_ name: String, _ value: Int64) {
            self.name = name
            self.value = value
        }
    }

    /// A stable word for a kind of fault.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// Makes a code of its word, known here or not: a newer server may have more.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

extension ErrorReply.Code {
    /// Less than the least amount.
    public static let tooLow = Self(rawValue: "too-low")
    /// The auctioneer kicked this name, and it cannot be taken yet.
    public static let kicked = Self(rawValue: "kicked")
    /// A bid above the greatest amount accepted.
    public static let tooHigh = Self(rawValue: "too-high")
    /// The bidder leads already.
    public static let leading = Self(rawValue: "leading")
    /// Not a whole number in bounds.
    public static let badAmount = Self(rawValue: "bad-amount")
    /// No lot is open.
    public static let closed = Self(rawValue: "closed")
    /// The sale is interrupted.
    public static let paused = Self(rawValue: "paused")
    /// There is no bid that it could be about.
    public static let noBids = Self(rawValue: "no-bids")
    /// Nobody is connected under this name.
    public static let notHere = Self(rawValue: "not-here")
    /// An order of somebody who is not the auctioneer.
    public static let notAuctioneer = Self(rawValue: "not-auctioneer")
    /// A bid without a name.
    public static let notNamed = Self(rawValue: "not-named")
    /// Not a name.
    public static let badName = Self(rawValue: "bad-name")
    /// A name that somebody else has.
    public static let nameTaken = Self(rawValue: "name-taken")
    /// A token that does not open the name.
    public static let wrongToken = Self(rawValue: "wrong-token")
    /// A second name for one connection.
    public static let alreadyNamed = Self(rawValue: "already-named")
    /// A verb that is none.
    public static let unknownCommand = Self(rawValue: "unknown-command")
    /// Too many or too few words.
    public static let badArguments = Self(rawValue: "bad-arguments")
    /// Over the limit of a line.
    public static let lineTooLong = Self(rawValue: "line-too-long")
    /// Bytes that are no UTF-8.
    public static let notUTF8 = Self(rawValue: "not-utf8")
    /// The journal cannot be written.
    public static let unavailable = Self(rawValue: "unavailable")
    /// No room for another connection.
    public static let full = Self(rawValue: "full")
    /// Too often in a short time.
    public static let slowDown = Self(rawValue: "slow-down")
}

extension ErrorReply {
    /// The fault of a bid under the least amount.
    public static func tooLow(minimum: Int64) -> ErrorReply {
        guard minimum <= Price.highest.amount else {
            return ErrorReply(
                .tooLow, facts: [Fact("minimum", minimum)], advice: "nobody can bid more than this")
        }
        return ErrorReply(
            .tooLow, facts: [Fact("minimum", minimum)], advice: "bid at least \(minimum)")
    }

    /// The fault of a bid above the greatest amount accepted.
    public static func tooHigh(maximum: Int64) -> ErrorReply {
        ErrorReply(.tooHigh, facts: [Fact("maximum", maximum)], advice: "bid at most \(maximum)")
    }

    /// The fault of a bid by whoever leads already.
    public static func leading(at price: Price) -> ErrorReply {
        ErrorReply(
            .leading, facts: [Fact("price", price.amount)],
            advice: "you lead already, wait until somebody bids more")
    }

    /// The fault of a bid between lots.
    public static let closed = ErrorReply(
        .closed, advice: "no lot is open, wait for the next LOT line")

    /// The fault of a bid when every lot is done.
    public static let over = ErrorReply(.closed, advice: "the sale is over, no lot will follow")

    /// The fault of a bid while the sale is paused.
    public static let paused = ErrorReply(.paused, advice: "wait for RESUMED")

    /// The fault of an order about a bid, where there is none.
    public static let noBids = ErrorReply(.noBids, advice: "nobody has bid on this lot")

    /// The fault of voiding a bid behind which no other is known.
    public static let lastKnown = ErrorReply(
        .noBids, advice: "the bids before the last are not known any more, close the lot instead")

    /// The fault of sending away somebody who is not connected.
    public static func notHere(_ bidder: Bidder) -> ErrorReply {
        ErrorReply(.notHere, advice: "nobody is here as \(bidder), say who for a list")
    }

    /// The fault of an order of somebody who is not the auctioneer.
    public static let notAuctioneer = ErrorReply(
        .notAuctioneer, advice: "say first: auctioneer TOKEN")

    /// The fault of any auctioneer's token on a connection where none is accepted.
    public static let auctioneerElsewhere = ErrorReply(
        .notAuctioneer, advice: "the auctioneer's token counts on the server's Unix socket alone")

    /// The fault of a bid without a name.
    public static let notNamed = ErrorReply(.notNamed, advice: "say first who you are: name <you>")

    /// The fault of a name that somebody else has.
    public static let nameTaken = ErrorReply(
        .nameTaken, advice: "choose another name, or prove it is yours: name <you> <token>")

    /// The fault of a token that does not open the name.
    public static let wrongToken = ErrorReply(
        .wrongToken, advice: "this token does not open the name, choose another name")

    /// The fault of a token that does not prove the auctioneer.
    public static let wrongAuctioneerToken = ErrorReply(
        .wrongToken, advice: "this is not the auctioneer's token")

    /// The fault of a second name for one connection.
    public static func alreadyNamed(_ bidder: Bidder) -> ErrorReply {
        ErrorReply(.alreadyNamed, advice: "you are \(bidder) here, connect again for another name")
    }

    /// The fault of a line over the limit, in bytes.
    public static func lineTooLong(limit: Int) -> ErrorReply {
        ErrorReply(.lineTooLong, advice: "a line has at most \(limit) bytes, this one was ignored")
    }

    /// The fault of a command that came to nothing because the journal cannot be written.
    public static let unavailable = ErrorReply(
        .unavailable, advice: "nothing was accepted, try again later")

    /// The fault of a connection for which there is no room.
    public static let full = ErrorReply(.full, advice: "too many are connected, try again later")

    /// The fault of a connection from an address that has as many as it may.
    public static let addressFull = ErrorReply(
        .full, advice: "too many connections come from your address, close one of them first")

    /// The fault of a connection from an address with too many new connections in a short time.
    public static func tooManyConnects(seconds: Int) -> ErrorReply {
        ErrorReply(
            .slowDown, facts: [Fact("seconds", Int64(seconds))],
            advice: "too many connections came from your address, wait so long before the next")
    }

    /// The fault of a new name from an address that took too many in a short time.
    public static func tooManyNames(seconds: Int) -> ErrorReply {
        ErrorReply(
            .slowDown, facts: [Fact("seconds", Int64(seconds))],
            advice: "too many new names from your address, wait so long before the next")
    }

    /// The fault of a new name when too many names are owned.
    public static let namesFull = ErrorReply(
        .full, advice: "too many names are owned, use one that you own or try again later")

    /// The fault of a name that the auctioneer kicked.
    public static func kicked(seconds: Int) -> ErrorReply {
        ErrorReply(
            .kicked, facts: [Fact("seconds", Int64(seconds))],
            advice: "the auctioneer sent this name away, wait so long")
    }

    /// The fault of a name that was opened too often in a short time.
    public static func openedTooOften(seconds: Int) -> ErrorReply {
        ErrorReply(
            .slowDown, facts: [Fact("seconds", Int64(seconds))],
            advice: "names were opened too often, wait so long before the next time")
    }

    /// The fault of a token from an address that said too many wrong ones in a short time.
    public static func tooManyTokens(seconds: Int) -> ErrorReply {
        ErrorReply(
            .slowDown, facts: [Fact("seconds", Int64(seconds))],
            advice: "too many wrong tokens from your address, wait so long before the next")
    }

    /// The fault of a line that is no request.
    public init(_ reason: ParseError.Reason) {
        switch reason {
        case .notUTF8: self.init(.notUTF8, advice: "send the line again as UTF-8")
        case .unknownCommand: self.init(.unknownCommand, advice: "say help for the commands")
        case .badArguments(let usage): self.init(.badArguments, advice: "say: \(usage)")
        case .badAmount:
            self.init(
                .badAmount, advice: "an amount is a whole number from 1 to \(Price.highest.amount)")
        case .badName:
            self.init(
                .badName, advice: "a name has 1 to \(Bidder.longest) letters, digits, _ or -")
        case .http: self.init(.unknownCommand, advice: "this is no web server, say help")
        }
    }
}
