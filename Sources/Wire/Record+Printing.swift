import AuctionRules
import Sale

/// The lines of the log as text: news as it is sent, and notes that are not sent.
extension Record {
    /// The exact time since the opening of the lot, in milliseconds; nil if it is not recorded.
    ///
    /// The words have it in tenths of a second, or not at all.
    public var elapsedMilliseconds: Int64? {
        switch self {
        case .event(.bidSealed(let bid)): bid.elapsed.wholeMilliseconds
        case .event(let event): event.message()?.elapsedMilliseconds
        case .bid(let bid): bid.elapsed.wholeMilliseconds
        case .result(let result): result.announcement.elapsedMilliseconds
        case .name, .present, .tally, .room, .roomOpened, .roomEnded, .roomState: nil
        }
    }

    /// Appends the line of text, with its LF.
    public func appendText(to bytes: inout [UInt8]) {
        switch self {
        case .event(let event): return event.appendText(to: &bytes)
        case .name(let bidder, let token, let used, let hasBid):
            bytes.append("NAME ")
            bytes.append(bidder)
            bytes.append(" ")
            bytes.append(token.description)
            bytes.append(hasBid ? " bid" : " left")
            if let used {
                bytes.append(" ")
                UTCTime.append(millisecondsSince1970: used, to: &bytes)
            }
            bytes.appendLineFeed()
        case .present(let bidder): ServerMessage.who(bidder).appendText(to: &bytes)
        case .bid(let bid): ServerMessage.lap(bid).appendText(to: &bytes)
        case .tally(let tally):
            bytes.appendBuffered { line in
                line.append("TALLY")
                line.tally(tally)
                line.append("\n")
            }
        case .result(let result):
            bytes.append("RESULT \(result.lot.number) \(result.number) ")
            UTCTime.append(millisecondsSince1970: result.time, to: &bytes)
            bytes.append(" ")
            result.announcement.appendText(to: &bytes)
        case .room, .roomOpened, .roomEnded, .roomState:
            bytes.appendBuffered { line in
                writeRoom(to: &line)
                line.append("\n")
            }
        }
    }

    /// Appends the words of a note of rooms.
    private func writeRoom(to line: inout LineBuffer) {
        switch self {
        case .room(let name): line.note("ROOM", name)
        case .roomOpened(let name, let key, let options):
            line.note("OPEN", name)
            line.append(" ")
            line.appendText(key.description)
            line.append(" ")
            line.appendText(options.line)
        case .roomEnded(let name): line.note("SHUT", name)
        case .roomState(let name, let news, let lines):
            line.note("STATE", name)
            line.number("news", Int64(news))
            line.number("lines", Int64(lines))
        case .event, .name, .present, .bid, .result, .tally:
            preconditionFailure("the record is a note of rooms")
        }
    }
}

extension SaleEvent {
    /// Appends the line of text in the log, with its LF.
    fileprivate func appendText(to bytes: inout [UInt8]) {
        if case .everyone = audience, let message = message() {
            return message.appendText(to: &bytes)
        }
        bytes.appendBuffered { line in
            writeNote(to: &line)
            line.append("\n")
        }
    }

    /// Appends the words of an event that not everybody receives.
    private func writeNote(to line: inout LineBuffer) {
        switch self {
        case .saleBegan(let serverID):
            line.append("GAME ")
            line.appendText(serverID.description)
        case .gameSet(let options):
            line.append("PLAY")
            line.gameOptions(options)
        case .nameTaken(let bidder, let token):
            line.append("NAME")
            line.bidder(bidder)
            line.append(" ")
            line.appendText(token.description)
        case .nameFreed(let bidder): line.note("FREE", bidder)
        case .nameKept(let bidder): line.note("KEPT", bidder)
        case .nameBarred(let bidder, let end):
            line.note("OUT", bidder)
            line.append(" ")
            UTCTime.append(millisecondsSince1970: end, to: &line)
        case .barEnded(let bidder): line.note("IN", bidder)
        case .timeNoted(let time):
            line.append("TIME ")
            UTCTime.append(millisecondsSince1970: time, to: &line)
        case .lotPlanned(let terms, let reserve):
            line.append("PLAN")
            line.terms(terms, reserve: reserve)
        case .lotAdded(let plan):
            line.append("ADD ")
            line.appendText(plan.line)
        case .valueDrawn(let value):
            line.append("DRAWN ")
            line.append(signed: value)
        case .worthDrawn(let worth):
            line.note("WORTH", worth.bidder)
            line.worth(worth.amount, isEstimate: worth.isEstimate)
        case .bidSealed(let bid):
            line.note("BID", bid.bidder)
            line.number("amount", bid.price.amount)
        case .maximumSet(let bidder, let price):
            line.note("MAX", bidder)
            line.number("amount", price?.amount ?? 0)
        case .bidderMuted(let bidder): line.note("MUTE", bidder)
        case .bidderUnmuted(let bidder): line.note("UNMUTE", bidder)
        default: preconditionFailure("every public event has a message")
        }
    }
}

extension LineBuffer {
    fileprivate mutating func note(_ word: StaticString, _ bidder: Bidder) {
        append(word)
        self.bidder(bidder)
    }

    fileprivate mutating func note(_ word: StaticString, _ room: RoomName) {
        append(word)
        append(" ")
        append(room)
    }
}

extension ServerMessage {
    /// The exact time since the opening of the lot, which the log has beside the line; nil if none.
    public var elapsedMilliseconds: Int64? {
        switch self {
        case .price(let bid, _, _, _), .lap(let bid): bid.elapsed.wholeMilliseconds
        case .voided(let voided, _, _): voided.leading?.elapsed.wholeMilliseconds
        case .winner(let sale): sale.elapsed.wholeMilliseconds
        case .passed(_, _, let elapsed), .revealed(_, _, let elapsed): elapsed?.wholeMilliseconds
        default: nil
        }
    }
}
