import AuctionRules
import Sale

/// A line of the server.
///
/// News goes to all clients, a snapshot to a new one, and data and answers to the client that
/// asked. A new kind of message is described here, in `ServerMessage+Printing.swift` and in
/// `ServerMessage+Parsing.swift`; code that looks for a few kinds ignores all others, as a client
/// ignores lines that it does not know. A value that only one of the two formats has is optional,
/// and nil if it was parsed from the other.
public enum ServerMessage: Equatable, Sendable {
    /// Greets a connection in a room; `serverID` and `room` are nil from an older server.
    ///
    /// `sale` distinguishes rooms that had the same name; nil in the main room.
    case hello(
        seconds: Int, step: Price, serverID: Identity? = nil, room: RoomName? = nil,
        sale: Identity? = nil)
    /// What everybody may know of the game.
    case game(PublicGame)
    /// A lot opened; the time since then, and `start`, the minimum of its first bid.
    ///
    /// `amounts` is the range in which the next bid is accepted after this news; nil if none is.
    case lot(Lot, start: Price?, elapsed: Duration?, amounts: ClosedRange<Int64>? = nil)
    /// The lot is sold by these terms, which are not those of a plain English auction.
    case terms(Terms)
    /// The lot can be bought at this price, in a falling auction that ends after `remaining`.
    case ask(Price, remaining: Duration?, amounts: ClosedRange<Int64>? = nil)
    /// This number of bidders has a sealed bid on the lot.
    case sealed(Int)
    /// The sealed bid of a bidder; when it was made, which only the journal has.
    case revealed(Bidder, Price, elapsed: Duration? = nil)
    /// The price has met the reserve.
    case reserveMet
    /// The common value of the lot that has ended.
    case value(Int64)
    /// A winner of the game, with the profit, or without values the number of lots.
    case champion(Bidder, score: Int64)
    /// A bidder said something to everybody.
    case said(Bidder, text: String)
    /// What is left of the purse of this client's bidder.
    case purse(left: Int64)
    /// What the lot is worth to this client's bidder: exactly, or as an estimate.
    case worth(Int64, isEstimate: Bool)
    /// Up to which price the server bids for this client's bidder.
    case maximum(Price)
    /// The sealed bid of this client's bidder.
    case ownBid(Price)
    /// A bid was accepted in the lot with this number; the lot is sold after `remaining`.
    case price(Bid, lot: Int?, remaining: Duration?, amounts: ClosedRange<Int64>? = nil)
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
    /// The lot with this title opens after this number of seconds.
    case next(title: String, seconds: Int)
    /// All lots have ended; the value is their number.
    case over(lots: Int)
    /// The auctioneer paused the sale.
    case paused
    /// The sale continues.
    case resumed
    /// The auctioneer sold the lot early.
    case hammered
    /// The last bid of the lot was voided, and the bid before it leads again, if there is one.
    indirect case voided(VoidedBid, lot: Int?, amounts: ClosedRange<Int64>? = nil)
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
    /// The rank of a bidder in the game, as data.
    case standing(StandingsRow)
    /// An open room, as data.
    case room(RoomRow)
    /// A line about the commands, as data.
    case help(String)
    /// A command was accepted.
    case ok(Answer, tag: String?)
    /// A command was refused.
    case error(ErrorReply, tag: String?)

    /// Whether it is a line of data, which comes directly before an answer.
    public var isData: Bool {
        switch self {
        case .lap, .result, .who, .standing, .room, .help: true
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
        /// The auctioneer ended the room.
        public static let roomEnded = Self(rawValue: "room-ended")
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

/// The events of a sale as messages: which line each of them is, in both directions.
extension SaleEvent {
    /// What the JSON of an event has beside the event.
    public struct Details: Sendable {
        /// The number of the newest lot.
        public var lot: Int?
        /// The rules of the lot.
        public var rules: Rules?
        /// The time since a lot opened.
        public var elapsed: Duration?
        /// The time left of the countdown.
        public var remaining: Duration?

        /// Creates the details that are known.
        public init(
            lot: Int? = nil, rules: Rules? = nil, elapsed: Duration? = nil,
            remaining: Duration? = nil
        ) {
            (self.lot, self.rules, self.elapsed, self.remaining) = (lot, rules, elapsed, remaining)
        }
    }

    /// Returns the message that announces the event to everybody or to one bidder.
    ///
    /// Nil if the event is for the log alone.
    public func message(_ details: Details = Details()) -> ServerMessage? {
        switch self {
        case .lotOpened(let lot):
            .lot(
                lot, start: details.rules?.start, elapsed: details.elapsed,
                amounts: details.rules?.amounts(at: nil))
        case .termsAnnounced(let terms): .terms(terms)
        case .askFell(let price):
            .ask(
                price, remaining: details.remaining,
                amounts: details.rules.map { _ in Rules.amounts(asking: price) })
        case .bidsSealed(let count): .sealed(count)
        case .bidRevealed(let bid): .revealed(bid.bidder, bid.price, elapsed: bid.elapsed)
        case .reserveMet: .reserveMet
        case .valueRevealed(let value): .value(value)
        case .championNamed(let bidder, let score): .champion(bidder, score: score)
        case .messageSaid(let bidder, let text): .said(bidder, text: text)
        case .worthDrawn(let worth): .worth(worth.amount, isEstimate: worth.isEstimate)
        case .bidPlaced(let bid):
            .price(
                bid, lot: details.lot, remaining: details.remaining,
                amounts: details.rules?.amounts(at: bid.price))
        case .lastReset: .last
        case .secondsLeft(let seconds):
            .countdown(seconds, remaining: details.remaining ?? (seconds == 0 ? .zero : nil))
        case .warned(let warning): .going(warning)
        case .lotSold(let sold): .winner(sold)
        case .lotPassed(let lot, let reason, let elapsed):
            .passed(lot, reason: reason, elapsed: elapsed)
        case .nextAnnounced(let title, let seconds): .next(title: title, seconds: seconds)
        case .ended(let lots): .over(lots: lots)
        case .paused: .paused
        case .resumed: .resumed
        case .hammered: .hammered
        case .bidVoided(let voided):
            .voided(
                voided, lot: details.lot,
                amounts: details.rules?.amounts(at: voided.leading?.price))
        case .bidderKicked(let bidder, let reason): .kicked(bidder, reason: reason)
        case .stopped: .stopped
        case .bidderJoined(let bidder): .joined(bidder)
        case .bidderLeft(let bidder): .left(bidder)
        case .saleBegan, .gameSet, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded,
            .timeNoted, .lotPlanned, .lotAdded, .valueDrawn, .bidSealed, .maximumSet, .bidderMuted,
            .bidderUnmuted:
            nil
        }
    }

    /// Creates the event that a message announces; nil if it announces none.
    public init?(_ message: ServerMessage) {
        switch message {
        case .lot(let lot, _, _, _): self = .lotOpened(lot)
        case .terms(let terms): self = .termsAnnounced(terms)
        case .ask(let price, _, _): self = .askFell(price)
        case .sealed(let count): self = .bidsSealed(count)
        case .revealed(let bidder, let price, let elapsed):
            self = .bidRevealed(
                SealedBid(bidder: bidder, price: price, elapsed: elapsed ?? .zero))
        case .reserveMet: self = .reserveMet
        case .value(let value): self = .valueRevealed(value)
        case .champion(let bidder, let score): self = .championNamed(bidder, score: score)
        case .said(let bidder, let text): self = .messageSaid(bidder, text: text)
        case .price(let bid, _, _, _): self = .bidPlaced(bid)
        case .last: self = .lastReset
        case .countdown(let seconds, _): self = .secondsLeft(seconds)
        case .going(let warning): self = .warned(warning)
        case .winner(let sold): self = .lotSold(sold)
        case .passed(let lot, let reason, let elapsed):
            self = .lotPassed(lot, reason: reason, elapsed: elapsed)
        case .next(let title, let seconds):
            self = .nextAnnounced(title: title, seconds: seconds)
        case .over(let lots): self = .ended(lots: lots)
        case .paused: self = .paused
        case .resumed: self = .resumed
        case .hammered: self = .hammered
        case .voided(let voided, _, _): self = .bidVoided(voided)
        case .kicked(let bidder, let reason): self = .bidderKicked(bidder, reason: reason)
        case .stopped: self = .stopped
        case .joined(let bidder): self = .bidderJoined(bidder)
        case .left(let bidder): self = .bidderLeft(bidder)
        case .hello, .game, .skipped, .bye, .purse, .worth, .maximum, .ownBid, .lap, .result, .who,
            .standing, .room, .help, .ok, .error:
            return nil
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
