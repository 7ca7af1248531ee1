import AuctionRules
import Sale

/// The lines of messages, parsed from text and from JSON.
///
/// The fields of each kind are in the order of `write(to:)`.
extension ServerMessage {
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

    /// Makes the message of a JSON object; nil if it is not a server message.
    init?(_ object: JSONObject) {
        guard let type = object.text("type"), let word = Word(type: type) else { return nil }
        self.init(word.rawValue, MessageReader(json: object))
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
        case .game: return line.game().map { .game($0) }
        case .lot:
            guard let number = line.number("lot"), let title = line.contentRest() else {
                return nil
            }
            return .lot(
                Lot(number: number, title: title),
                start: line.detail("start").flatMap { Price($0) },
                elapsed: line.detail("elapsedMilliseconds").map { .milliseconds($0) },
                amounts: line.amounts())
        case .terms: return line.terms().map { .terms($0) }
        case .ask:
            return line.price("amount").map {
                .ask($0, remaining: line.remaining(), amounts: line.amounts())
            }
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
                lot: line.detail("lot").map { Int($0) }, remaining: line.remaining(),
                amounts: line.amounts())
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
                lot: line.detail("lot").map { Int($0) }, amounts: line.amounts())
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

    /// The first word of a line of text; in lower case, the type in JSON.
    enum Word: String {
        case hello = "HELLO"
        case game = "GAME"
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
