import Auction

/// The lines of messages, written in text and in JSON.
///
/// Each kind of message is described once for both formats, by its fields in the order of its line:
/// in `write(to:)` for printing, and in `read(_:from:)` for parsing. An event describes its own
/// line.
extension ServerMessage {
    /// The line of text, without its LF.
    public var text: String {
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// Appends the line of text, with its LF.
    public func appendText(to bytes: inout [UInt8]) {
        bytes.appendBuffered { line in
            write(to: &line)
            line.append("\n")
        }
    }

    /// Appends the message as a JSON object on one line, with its LF.
    ///
    /// `seq` is the number of the event, nil for a reply; `isSnapshot` marks news that is repeated
    /// because it still holds; the time is that of sending, or of the event if it is an earlier
    /// one, and nil if that is not known.
    public func appendJSON(
        to bytes: inout [UInt8], seq: Int?, isSnapshot: Bool = false,
        millisecondsSince1970 milliseconds: Int64?
    ) {
        bytes.appendBuffered(as: .json) { line in
            line.append("{")
            if let seq {
                line.append("\"seq\":")
                line.append(seq)
                line.append(",")
            }
            if isSnapshot { line.append("\"snapshot\":true,") }
            write(to: &line)
            if let milliseconds {
                line.append(",\"time\":\"")
                UTCTime.append(millisecondsSince1970: milliseconds, to: &line)
                line.append("\"")
            }
            line.append("}\n")
        }
    }

    private func write(to line: inout LineBuffer) {
        switch self {
        case .hello(let seconds, let step, let serverID, let room, let sale, let node):
            line.begin("HELLO")
            line.version()
            line.setting("seconds", seconds)
            line.setting("step", step)
            line.setting("game", serverID)
            line.setting("room", room)
            line.setting("sale", sale)
            line.detail("node", node)
            line.detail("reactions", json: Reaction.list)
            line.hint()
        case .game(let game):
            line.begin("GAME")
            line.game(game)
        case .round(let notice, let instructions):
            line.begin("ROUND")
            line.notice(notice)
            line.detail("instructions", json: instructions)
        case .event(let event, let state):
            event.write(to: &line)
            line.detail("text", line.format == .json ? event.sentence() : nil)
            line.detail("state", json: state)
        case .state(let state):
            line.begin(alone: "STATE")
            line.detail("state", json: state)
        case .you(let state):
            line.begin(alone: "YOU")
            line.detail("you", json: state)
        case .purse(let left):
            line.begin("PURSE")
            line.content("left", left)
        case .worth(let amount, let isEstimate):
            line.begin("WORTH")
            line.worth(amount, isEstimate: isEstimate)
        case .maximum(let price):
            line.begin("MAX")
            line.content("amount", price)
        case .ownBid(let price):
            line.begin("YOURS")
            line.content("amount", price)
        case .skipped(let lines):
            line.begin("SKIPPED")
            line.content("lines", lines)
        case .bye(let farewell):
            line.begin("BYE")
            line.field("content", farewell.rawValue)
        case .lap(let bid):
            line.begin("LAP")
            line.field("bid", bid.number)
            line.content("amount", bid.price)
            line.field("bidder", bid.bidder)
            line.elapsed(bid.elapsed)
        case .result(let lot, let winner, let price, let elapsed):
            line.begin("RESULT")
            line.field("lot", lot.number)
            line.optional(winner) { $0.field("bidder", $1) }
            line.optional(price) { $0.field("amount", $1) }
            line.optional(elapsed) { $0.elapsed($1) }
            line.field("content", lot.title)
        case .who(let bidder, let display):
            line.begin("WHO")
            line.content("bidder", bidder)
            line.detail("display", display)
        case .classStatus(let status):
            line.begin("CLASS")
            line.status(status)
        case .student(let student):
            line.begin("STUDENT")
            line.student(student)
        case .standing(let standing):
            line.begin("STANDING")
            line.standing(standing)
        case .room(let row):
            line.begin("ROOM")
            line.room(row)
        case .help(let text):
            line.begin("HELP")
            line.field("content", text)
        case .ok(let answer, let tag):
            line.begin("OK")
            line.tag(tag)
            line.content(answer)
        case .error(let fault, let tag):
            line.begin("ERROR")
            line.tag(tag)
            line.code(fault.code, fault.facts)
            line.field("content", fault.advice)
        }
    }
}

extension Reaction {
    /// All reactions as a JSON array of strings, with which clients make their buttons.
    fileprivate static let list = Array(
        ("[" + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]").utf8)
}
