import AuctionRules
import Sale

/// The lines of the log as text: news as it is sent, and notes that are not sent.
extension Record {
    /// The exact time since the opening of the lot, which the words have in tenths or not at all;
    /// nil if it is not recorded.
    public var elapsedMilliseconds: Int64? {
        switch self {
        case .event(let event): event.message()?.elapsedMilliseconds
        case .bid(let bid): bid.elapsed.wholeMilliseconds
        case .result(let result): result.announcement.elapsedMilliseconds
        case .name, .present, .tally: nil
        }
    }

    /// Appends the line of text, with its LF.
    public func appendText(to bytes: inout [UInt8]) {
        switch self {
        case .event(let event): return event.appendText(to: &bytes)
        case .name(let bidder, let token, let used):
            bytes.append("NAME ")
            bytes.append(bidder)
            bytes.append(" ")
            bytes.append(token.description)
            bytes.append(" bid")
            if let used {
                bytes.append(" ")
                UTCTime.append(millisecondsSince1970: used, to: &bytes)
            }
            bytes.appendLineFeed()
        case .present(let bidder): ServerMessage.who(bidder).appendText(to: &bytes)
        case .bid(let bid): ServerMessage.lap(bid).appendText(to: &bytes)
        case .result(let result):
            bytes.append("RESULT \(result.lot.number) \(result.number) ")
            UTCTime.append(millisecondsSince1970: result.time, to: &bytes)
            bytes.append(" ")
            result.announcement.appendText(to: &bytes)
        case .tally(let tally):
            bytes.append("TALLY ")
            bytes.append(tally.bidder)
            bytes.append(" \(tally.lots) \(tally.spent) \(tally.profit)\n")
        }
    }
}

extension SaleEvent {
    /// Appends the line of text in the log, with its LF.
    fileprivate func appendText(to bytes: inout [UInt8]) {
        if let message = message() { return message.appendText(to: &bytes) }
        switch self {
        case .gameCreated(let game): bytes.append("GAME \(game)")
        case .nameTaken(let bidder, let token):
            bytes.append("NAME ")
            bytes.append(bidder)
            bytes.append(" ")
            bytes.append(token.description)
        case .nameFreed(let bidder):
            bytes.append("FREE ")
            bytes.append(bidder)
        case .nameKept(let bidder):
            bytes.append("KEPT ")
            bytes.append(bidder)
        case .nameBarred(let bidder, let end):
            bytes.append("OUT ")
            bytes.append(bidder)
            bytes.append(" ")
            UTCTime.append(millisecondsSince1970: end, to: &bytes)
        case .barEnded(let bidder):
            bytes.append("IN ")
            bytes.append(bidder)
        case .timeNoted(let time):
            bytes.append("TIME ")
            UTCTime.append(millisecondsSince1970: time, to: &bytes)
        default: preconditionFailure("every public event has a message")
        }
        bytes.appendLineFeed()
    }
}

extension ServerMessage {
    /// The exact time since the opening of the lot, which the log has beside the line; nil if none.
    public var elapsedMilliseconds: Int64? {
        switch self {
        case .price(let bid, _, _), .lap(let bid): bid.elapsed.wholeMilliseconds
        case .voided(let voided, _): voided.leading?.elapsed.wholeMilliseconds
        case .winner(let sale): sale.elapsed.wholeMilliseconds
        case .passed(_, _, let elapsed): elapsed?.wholeMilliseconds
        default: nil
        }
    }
}
