import AuctionRules
import Sale

/// The lines of messages, in text and in JSON, written and parsed.
///
/// Each kind of message is described once for both formats, by its fields in the order of its line:
/// in `write(to:)` for printing, and in `init(_:_:)` for parsing. `LineBuffer` and `MessageReader`
/// define how a field looks in each format.
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

    /// Parses a line of text without its end; nil if it is not a server message.
    public init?(text line: some StringProtocol) {
        var fields = TextFields(line)
        guard let word = fields.word() else { return nil }
        self.init(word, MessageReader(text: fields))
    }

    /// Parses a line of JSON without its end; nil if it is not a server message.
    ///
    /// Unknown members are ignored, because a newer server may send more.
    public init?(json line: String) {
        guard let object = JSONObject(line) else { return nil }
        self.init(object)
    }

    fileprivate init?(_ object: JSONObject) {
        guard let type = object.text("type"), let word = Word(type: type) else { return nil }
        self.init(word.rawValue, MessageReader(json: object))
    }

    /// The first word of a line of text; in lower case, the type in JSON.
    enum Word: String {
        case hello = "HELLO"
        case lot = "LOT"
        case terms = "TERMS"
        case ask = "ASK"
        case sealed = "SEALED"
        case revealed = "REVEALED"
        case reserve = "RESERVE"
        case value = "VALUE"
        case champion = "CHAMPION"
        case said = "SAID"
        case purse = "PURSE"
        case worth = "WORTH"
        case maximum = "MAX"
        case ownBid = "YOURS"
        case price = "PRICE"
        case countdown = "COUNTDOWN"
        case last = "LAST"
        case going = "GOING"
        case winner = "WINNER"
        case passed = "PASSED"
        case next = "NEXT"
        case over = "OVER"
        case paused = "PAUSED"
        case resumed = "RESUMED"
        case hammered = "HAMMERED"
        case voided = "VOIDED"
        case kicked = "KICKED"
        case stopped = "STOPPED"
        case joined = "JOINED"
        case left = "LEFT"
        case skipped = "SKIPPED"
        case bye = "BYE"
        case lap = "LAP"
        case result = "RESULT"
        case who = "WHO"
        case standing = "STANDING"
        case room = "ROOM"
        case help = "HELP"
        case ok = "OK"
        case error = "ERROR"

        init?(type: String) {
            guard !type.utf8.contains(where: { $0 < UInt8(ascii: "a") }) else { return nil }
            self.init(rawValue: type.uppercased())
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
        case .lot(let lot, let start, let elapsed):
            line.begin("LOT")
            line.number("lot", Int64(lot.number))
            line.content(rest: lot.title)
            line.detail("start", start?.amount)
            line.detail("elapsedMilliseconds", elapsed?.wholeMilliseconds)
        case .terms(let terms):
            line.begin("TERMS")
            line.terms(terms)
        case .ask(let price, let remaining):
            line.begin("ASK")
            line.content(number: "amount", price.amount)
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
        case .price(let bid, let lot, let remaining):
            line.begin("PRICE")
            line.content(number: "amount", bid.price.amount)
            line.bidder(bid.bidder)
            line.elapsed(bid.elapsed)
            line.number("bid", Int64(bid.number))
            line.detail("lot", lot.map { Int64($0) })
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
        case .voided(let voided, let lot):
            line.begin("VOIDED")
            line.content(number: "amount", voided.price.amount)
            line.bidder(voided.bidder)
            line.number("bid", Int64(voided.number))
            line.leading(voided.leading)
            line.detail("lot", lot.map { Int64($0) })
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

    private init?(_ word: String, _ reader: consuming MessageReader) {
        guard let word = Word(rawValue: word), let message = Self.read(word, from: &reader),
            reader.isAtEnd
        else { return nil }
        self = message
    }

    private static func read(_ word: Word, from line: inout MessageReader) -> ServerMessage? {
        switch word {
        case .hello:
            guard line.version(), let seconds = line.setting("seconds"),
                let step = line.setting("step").flatMap({ Price($0) })
            else { return nil }
            let (serverID, room) = (line.identity("game"), line.roomSetting())
            let sale = line.identity("sale")
            guard line.hint() else { return nil }
            return .hello(
                seconds: Int(seconds), step: step, serverID: serverID, room: room, sale: sale)
        case .lot:
            guard let number = line.number("lot"), let title = line.contentRest() else {
                return nil
            }
            return .lot(
                Lot(number: number, title: title),
                start: line.detail("start").flatMap { Price($0) },
                elapsed: line.detail("elapsedMilliseconds").map { .milliseconds($0) })
        case .terms: return line.terms().map { .terms($0) }
        case .ask: return line.price("amount").map { .ask($0, remaining: line.remaining()) }
        case .sealed: return line.number("bids").map { .sealed($0) }
        case .revealed:
            guard let price = line.price("amount"), let bidder = line.bidder() else { return nil }
            return .revealed(bidder, price)
        case .reserve: return line.contentRest() == "met" ? .reserveMet : nil
        case .value: return line.signedNumber("value").map { .value($0) }
        case .champion:
            guard let bidder = line.bidder(), let score = line.signedNumber("score") else {
                return nil
            }
            return .champion(bidder, score: score)
        case .said:
            guard let bidder = line.bidder(), let text = line.contentRest() else { return nil }
            return .said(bidder, text: text)
        case .purse: return line.signedNumber("left").map { .purse(left: $0) }
        case .worth:
            return line.worth().map { .worth($0.amount, isEstimate: $0.isEstimate) }
        case .maximum: return line.price("amount").map { .maximum($0) }
        case .ownBid: return line.price("amount").map { .ownBid($0) }
        case .price:
            guard let price = line.price("amount"), let bidder = line.bidder(),
                let elapsed = line.elapsed(), let number = line.number("bid")
            else { return nil }
            return .price(
                Bid(number: number, price: price, bidder: bidder, elapsed: elapsed),
                lot: line.detail("lot").map { Int($0) }, remaining: line.remaining())
        case .countdown:
            return line.number("seconds").map { .countdown($0, remaining: line.remaining()) }
        case .last: return .last
        case .going:
            return line.contentRest().flatMap { Warning(rawValue: $0) }.map { .going($0) }
        case .winner:
            guard let bidder = line.bidder(), let price = line.price("amount"),
                let elapsed = line.elapsed(), let title = line.rest("title")
            else { return nil }
            return .winner(
                SoldLot(
                    number: line.detail("lot").map { Int($0) }, title: title, bidder: bidder,
                    price: price, elapsed: elapsed))
        case .passed:
            guard let number = line.number("lot"), let reason = line.word("reason"),
                let title = line.contentRest()
            else { return nil }
            return .passed(
                Lot(number: number, title: title), reason: reason,
                elapsed: line.detail("elapsedMilliseconds").map { .milliseconds($0) })
        case .next:
            guard let seconds = line.number("seconds"), let title = line.contentRest() else {
                return nil
            }
            return .next(title: title, seconds: seconds)
        case .over: return line.number("lots").map { .over(lots: $0) }
        case .paused: return .paused
        case .resumed: return .resumed
        case .hammered: return .hammered
        case .voided:
            guard let price = line.price("amount"), let bidder = line.bidder(),
                let number = line.number("bid"), let leading = line.leading()
            else { return nil }
            return .voided(
                VoidedBid(number: number, price: price, bidder: bidder, leading: leading),
                lot: line.detail("lot").map { Int($0) })
        case .kicked:
            guard let bidder = line.bidder(), let reason = line.rest("reason") else { return nil }
            return .kicked(bidder, reason: reason)
        case .stopped: return .stopped
        case .joined: return line.bidder().map { .joined($0) }
        case .left: return line.bidder().map { .left($0) }
        case .skipped: return line.number("lines").map { .skipped($0) }
        case .bye: return line.contentRest().map { .bye(CloseReason(rawValue: $0)) }
        case .lap:
            guard let number = line.number("bid"), let price = line.price("amount"),
                let bidder = line.bidder(), let elapsed = line.elapsed()
            else { return nil }
            return .lap(Bid(number: number, price: price, bidder: bidder, elapsed: elapsed))
        case .result:
            guard let number = line.number("lot") else { return nil }
            // A bidder may be called `-`, a price may not.
            let bidder = line.bidder()
            guard let price = line.optional({ $0.price("amount") }),
                let elapsed = line.optional({ $0.elapsed() }), let title = line.contentRest(),
                price == nil || bidder != nil
            else { return nil }
            return .result(
                Lot(number: number, title: title), winner: price == nil ? nil : bidder,
                price: price, elapsed: elapsed)
        case .who: return line.bidder().map { .who($0) }
        case .standing: return line.standing().map { .standing($0) }
        case .room: return line.room().map { .room($0) }
        case .help: return .help(line.contentRest() ?? "")
        case .ok:
            let tag = line.tag()
            return line.answer().map { .ok($0, tag: tag) }
        case .error:
            let tag = line.tag()
            guard let (code, facts) = line.code() else { return nil }
            return .error(
                ErrorReply(code, facts: facts, advice: line.contentRest() ?? ""), tag: tag)
        }
    }
}

/// A message with the further members that each line of JSON may have.
public struct StampedMessage: Equatable, Sendable {
    /// The message.
    public let message: ServerMessage
    /// The number of the event; nil for an answer.
    public let number: Int?
    /// Whether a snapshot repeats the message, so that it is no new event.
    public let isSnapshot: Bool
    private let time: String?

    /// Parses a line of JSON without its end; nil if it is not a server message.
    public init?(json line: String) {
        guard let object = JSONObject(line), let message = ServerMessage(object) else { return nil }
        self.message = message
        number = object.number("seq").map { Int($0) }
        isSnapshot = object.isTrue("snapshot")
        time = object.text("time")
    }

    /// When the server sent it, in milliseconds since 1970 by its clock; nil if that is unknown.
    public var millisecondsSince1970: Int64? { time.flatMap { UTCTime.parse($0) } }
}
