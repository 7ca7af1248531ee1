import AuctionRules

/// A line of the journal: news as it was sent, or a note for the journal only.
public enum Record: Equatable, Sendable {
    /// A line as all clients received it, or `LAP` and `WHO` in the state of a segment.
    case message(ServerMessage)
    /// A name has an owner; its token, and whether a bid was accepted under it.
    ///
    /// `used` is when it was last used, in milliseconds since 1970, if its owner is not present.
    case name(Bidder, token: String, hasBid: Bool, used: Int64? = nil)
    /// A name became free.
    case freed(Bidder)
    /// A name cannot be taken before this time, in milliseconds since 1970.
    case barred(Bidder, until: Int64)
    /// The time of day of the following lines, in milliseconds since 1970.
    case time(Int64)
    /// The result of an earlier lot: the winner with the number of the lot, or `passed`; the number
    /// of that event, and its time of day in milliseconds since 1970.
    case result(ServerMessage, seq: Int, time: Int64)
    /// The identity of the game, before its first event.
    case game(GameID)
}

extension Record {
    /// The exact time since the opening of the lot, which the words have in tenths or not at all;
    /// nil if it is not recorded.
    public var elapsedMilliseconds: Int64? {
        switch self {
        case .message(let message), .result(let message, _, _):
            message.elapsed?.wholeMilliseconds
        case .name, .freed, .barred, .time, .game: nil
        }
    }

    /// Appends the line of text, with its LF.
    public func appendText(to bytes: inout [UInt8]) {
        switch self {
        case .message(let message): return message.appendText(to: &bytes)
        case .name(let bidder, let token, let hasBid, let used):
            bytes.append("NAME ")
            bytes.append(bidder)
            bytes.append(" ")
            bytes.append(token)
            if hasBid { bytes.append(" bid") }
            if let used {
                bytes.append(" ")
                UTCTime.append(millisecondsSince1970: used, to: &bytes)
            }
        case .result(let message, let seq, let time):
            bytes.append("RESULT \(message.endedLot ?? 0) \(seq) ")
            UTCTime.append(millisecondsSince1970: time, to: &bytes)
            bytes.append(" ")
            return message.appendText(to: &bytes)
        case .freed(let bidder):
            bytes.append("FREE ")
            bytes.append(bidder)
        case .barred(let bidder, let until):
            bytes.append("OUT ")
            bytes.append(bidder)
            bytes.append(" ")
            UTCTime.append(millisecondsSince1970: until, to: &bytes)
        case .time(let milliseconds):
            bytes.append("TIME ")
            UTCTime.append(millisecondsSince1970: milliseconds, to: &bytes)
        case .game(let game): bytes.append("GAME \(game)")
        }
        bytes.appendLineFeed()
    }
}

extension ServerMessage {
    /// The time since the opening of the lot, of which the journal has the exact value.
    fileprivate var elapsed: Duration? {
        switch self {
        case .price(let bid, _, _), .lap(let bid): bid.elapsed
        case .winner(let sale): sale.elapsed
        case .passed(_, _, let elapsed): elapsed
        default: nil
        }
    }

    /// The number of the lot that this message ends; nil if it ends none, or the number is unknown.
    public var endedLot: Int? {
        switch self {
        case .winner(let sale): sale.number
        case .passed(let lot, _, _): lot.number
        default: nil
        }
    }
}
