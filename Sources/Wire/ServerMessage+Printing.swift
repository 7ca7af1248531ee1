import AuctionRules
import Sale

/// The lines of messages, written in text and in JSON.
///
/// Each kind of message is described once for both formats, by its fields in the order of its line:
/// in `write(to:)` for printing, and in `read(_:from:)` for parsing. `LineBuffer` and
/// `MessageReader` define how a field looks in each format.
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
        case .hello(let seconds, let step, let serverID, let room, let sale):
            line.begin("HELLO")
            line.version()
            line.setting("seconds", seconds)
            line.setting("step", Int(step.amount))
            line.setting("game", serverID?.description)
            line.setting("room", room)
            line.setting("sale", sale?.description)
            line.hint()
        case .game(let game):
            line.begin("GAME")
            line.game(game)
        case .lot(let lot, let start, let elapsed, let amounts):
            line.begin("LOT")
            line.number("lot", Int64(lot.number))
            line.content(rest: lot.title)
            line.detail("start", start?.amount)
            line.detail("elapsedMilliseconds", elapsed?.wholeMilliseconds)
            line.detail(amounts: amounts)
        case .terms(let terms):
            line.begin("TERMS")
            line.terms(terms)
        case .ask(let price, let remaining, let amounts):
            line.begin("ASK")
            line.content(number: "amount", price.amount)
            line.detail(amounts: amounts)
            line.detail(remaining: remaining)
        case .sealed(let count):
            line.begin("SEALED")
            line.content(number: "bids", Int64(count))
        case .revealed(let bidder, let price, _):
            line.begin("REVEALED")
            line.content(number: "amount", price.amount)
            line.bidder(bidder)
        case .reserveMet:
            line.begin("RESERVE")
            line.content(rest: "met")
        case .value(let value):
            line.begin("VALUE")
            line.content(signedNumber: "value", value)
        case .champion(let bidder, let score):
            line.begin("CHAMPION")
            line.content(bidder: bidder)
            line.signedNumber("score", score)
        case .said(let bidder, let text):
            line.begin("SAID")
            line.speech(of: bidder, text)
        case .purse(let left):
            line.begin("PURSE")
            line.content(signedNumber: "left", left)
        case .worth(let amount, let isEstimate):
            line.begin("WORTH")
            line.worth(amount, isEstimate: isEstimate)
        case .maximum(let price):
            line.begin("MAX")
            line.content(number: "amount", price.amount)
        case .ownBid(let price):
            line.begin("YOURS")
            line.content(number: "amount", price.amount)
        case .price(let bid, let lot, let remaining, let amounts):
            line.begin("PRICE")
            line.content(number: "amount", bid.price.amount)
            line.bidder(bid.bidder)
            line.elapsed(bid.elapsed)
            line.number("bid", Int64(bid.number))
            line.detail("lot", lot.map { Int64($0) })
            line.detail(amounts: amounts)
            line.detail(remaining: remaining)
        case .countdown(let seconds, let remaining):
            line.begin("COUNTDOWN")
            line.content(number: "seconds", Int64(seconds))
            line.detail(remaining: remaining)
        case .last: line.begin(alone: "LAST")
        case .going(let warning):
            line.begin("GOING")
            line.content(rest: warning.rawValue)
        case .winner(let sold):
            line.begin("WINNER")
            line.content(bidder: sold.bidder)
            line.number("amount", sold.price.amount)
            line.elapsed(sold.elapsed)
            line.text("title", sold.title)
            line.detail("lot", sold.number.map { Int64($0) })
        case .passed(let lot, let reason, let elapsed):
            line.begin("PASSED")
            line.number("lot", Int64(lot.number))
            line.text("reason", reason)
            line.content(rest: lot.title)
            line.detail("elapsedMilliseconds", elapsed?.wholeMilliseconds)
        case .next(let title, let seconds):
            line.begin("NEXT")
            line.number("seconds", Int64(seconds))
            line.content(rest: title)
        case .over(let lots):
            line.begin("OVER")
            line.content(number: "lots", Int64(lots))
        case .paused: line.begin(alone: "PAUSED")
        case .resumed: line.begin(alone: "RESUMED")
        case .hammered: line.begin(alone: "HAMMERED")
        case .voided(let voided, let lot, let amounts):
            line.begin("VOIDED")
            line.content(number: "amount", voided.price.amount)
            line.bidder(voided.bidder)
            line.number("bid", Int64(voided.number))
            line.leading(voided.leading)
            line.detail("lot", lot.map { Int64($0) })
            line.detail(amounts: amounts)
        case .kicked(let bidder, let reason):
            line.begin("KICKED")
            line.content(bidder: bidder)
            line.text("reason", reason)
        case .stopped: line.begin(alone: "STOPPED")
        case .joined(let bidder):
            line.begin("JOINED")
            line.content(bidder: bidder)
        case .left(let bidder):
            line.begin("LEFT")
            line.content(bidder: bidder)
        case .skipped(let lines):
            line.begin("SKIPPED")
            line.content(number: "lines", Int64(lines))
        case .bye(let farewell):
            line.begin("BYE")
            line.content(rest: farewell.rawValue)
        case .lap(let bid):
            line.begin("LAP")
            line.number("bid", Int64(bid.number))
            line.content(number: "amount", bid.price.amount)
            line.bidder(bid.bidder)
            line.elapsed(bid.elapsed)
        case .result(let lot, let winner, let price, let elapsed):
            line.begin("RESULT")
            line.number("lot", Int64(lot.number))
            line.optional(winner) { $0.bidder($1) }
            line.optional(price) { $0.number("amount", $1.amount) }
            line.optional(elapsed) { $0.elapsed($1) }
            line.content(rest: lot.title)
        case .who(let bidder):
            line.begin("WHO")
            line.content(bidder: bidder)
        case .standing(let standing):
            line.begin("STANDING")
            line.standing(standing)
        case .room(let row):
            line.begin("ROOM")
            line.room(row)
        case .help(let text):
            line.begin("HELP")
            line.content(rest: text)
        case .ok(let answer, let tag):
            line.begin("OK")
            line.tag(tag)
            line.content(answer)
        case .error(let fault, let tag):
            line.begin("ERROR")
            line.tag(tag)
            line.code(fault.code, fault.facts)
            line.content(rest: fault.advice)
        }
    }
}
