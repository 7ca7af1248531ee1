import Auction

/// The lines of the journal as text: news as it is sent, and notes that are not sent.
extension Record {
    /// The exact time since the opening of the lot, in milliseconds; nil if it is not recorded.
    ///
    /// The words have it in tenths of a second, or not at all.
    public var elapsedMilliseconds: Int64? {
        switch self {
        case .event(let event): event.exactElapsed?.wholeMilliseconds
        case .bid(let bid): bid.elapsed.wholeMilliseconds
        case .result(let result): result.event.exactElapsed?.wholeMilliseconds
        case .name, .present, .tally, .award, .room, .roomOpened, .roomEnded, .roomState: nil
        }
    }

    /// Appends the line of text, with its LF.
    public func appendText(to bytes: inout [UInt8]) {
        switch self {
        case .event(let event): event.appendText(to: &bytes)
        case .name(let bidder, let hash, let used, let hasBid):
            bytes.append("NAME ")
            bytes.append(bidder)
            bytes.append(" ")
            bytes.append(hash.description)
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
        case .award(let award):
            bytes.appendBuffered { line in
                line.append("BEST")
                line.award(award)
                line.append("\n")
            }
        case .result(let result):
            bytes.append("RESULT \(result.lot.number) \(result.number) ")
            UTCTime.append(millisecondsSince1970: result.time, to: &bytes)
            bytes.append(" ")
            result.event.appendText(to: &bytes)
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
        case .roomOpened(let name, let keyHash, let options):
            line.note("OPEN", name)
            line.append(" ")
            line.appendText(keyHash.description)
            line.append(" ")
            line.appendText(options.line)
        case .roomEnded(let name): line.note("SHUT", name)
        case .roomState(let name, let news, let lines):
            line.note("STATE", name)
            line.field("news", news)
            line.field("lines", lines)
        case .event, .name, .present, .bid, .result, .tally, .award:
            preconditionFailure("the record is a note of rooms")
        }
    }
}

extension SaleEvent {
    /// Appends the line of text, with its LF.
    public func appendText(to bytes: inout [UInt8]) {
        bytes.appendBuffered { line in
            write(to: &line)
            line.append("\n")
        }
    }
}

extension LineBuffer {
    fileprivate mutating func note(_ word: StaticString, _ room: RoomName) {
        append(word)
        append(" ")
        append(room)
    }
}
