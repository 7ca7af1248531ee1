import Auction

/// A line of the server.
///
/// News goes to all clients, a snapshot to a new one, and data and answers to the client that
/// asked. Code that looks for a few kinds ignores all others, as a client ignores lines that it
/// does not know. A value that only one of the two formats has is optional, and nil if it was
/// parsed from the other.
public enum ServerMessage: Equatable, Sendable {
    /// Greets a connection in a room; `serverID` and `room` are nil from an older server.
    ///
    /// `sale` distinguishes rooms that had the same name; nil in the main room. `node` is the name
    /// of the node, if several servers share the rooms; only JSON has it.
    case hello(
        seconds: Int, step: Price, serverID: Identity? = nil, room: RoomName? = nil,
        sale: Identity? = nil, node: String? = nil)
    /// What everybody may know of the game.
    case game(PublicGame)
    /// A round of the class begins soon, or this client's bidder plays it now.
    ///
    /// With it are the instructions, as a JSON object; nil if there are none. They are only in JSON.
    indirect case round(ClassNotice, [UInt8]? = nil)
    /// Something happened in the sale.
    ///
    /// With it are the members of `LotState` that it has changed, as a JSON object; nil if there
    /// are none. They are only in JSON.
    case event(SaleEvent, [UInt8]? = nil)
    /// All members of `LotState`, as a JSON object; only connections with JSON receive it.
    case state([UInt8])
    /// The members of `OwnState` that have changed, as a JSON object. Only sent in JSON.
    case you([UInt8])
    /// What is left of the purse of this client's bidder.
    case purse(left: Int64)
    /// What the lot is worth to this client's bidder: exactly, or as an estimate.
    case worth(Int64, isEstimate: Bool)
    /// Up to which price the server bids for this client's bidder.
    case maximum(Price)
    /// The sealed bid of this client's bidder.
    case ownBid(Price)
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
    /// A connected bidder, as data; only JSON has the display name, if there is one.
    case who(Bidder, display: String? = nil)
    /// Where the class stands, as data.
    indirect case classStatus(ClassStatus)
    /// What a student of the class does, as data.
    case student(ClassStudent)
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

    /// The event, if something happened in the sale.
    public var event: SaleEvent? { if case .event(let event, _) = self { event } else { nil } }

    /// The members of `LotState` that it has, as a JSON object; nil if it has none.
    package var stateMembers: [UInt8]? {
        switch self {
        case .state(let members): members
        case .event(_, let members): members
        case .hello, .game, .round, .you, .purse, .worth, .maximum, .ownBid, .skipped, .bye, .lap,
            .result, .who, .classStatus, .student, .standing, .room, .help, .ok, .error:
            nil
        }
    }

    /// Whether it is a line of data, which comes directly before an answer.
    public var isData: Bool {
        switch self {
        case .lap, .result, .who, .classStatus, .student, .standing, .room, .help: true
        case .hello, .game, .round, .event, .state, .you, .purse, .worth, .maximum, .ownBid,
            .skipped,
            .bye, .ok, .error:
            false
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
        /// The node stops or cannot go on for the client, which connects again.
        public static let moved = Self(rawValue: "moved")
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

extension LotResult {
    /// The entry of the list of results.
    public var entry: ServerMessage {
        switch outcome {
        case .sold(let sold):
            .result(lot, winner: sold.bidder, price: sold.price, elapsed: sold.elapsed)
        case .passed(_, let elapsed): .result(lot, winner: nil, price: nil, elapsed: elapsed)
        }
    }
}

/// This release of the project.
public enum Release {
    /// The version of all programs.
    public static let version = "0.1.0"
}
