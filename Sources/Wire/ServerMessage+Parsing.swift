import Auction

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
        guard let type = object["type"].flatMap({ String(json: $0) }),
            !type.utf8.contains(where: { $0 < UInt8(ascii: "a") })
        else { return nil }
        self.init(type.uppercased(), MessageReader(json: object))
    }

    private init?(_ word: String, _ reader: consuming MessageReader) {
        guard let message = Self.read(word, from: &reader), reader.isAtEnd else { return nil }
        self = message
    }

    private static func read(_ word: String, from line: inout MessageReader) -> ServerMessage? {
        switch word {
        case "HELLO":
            guard line.version(), let seconds: Int = line.setting("seconds"),
                let step: Price = line.setting("step")
            else { return nil }
            let (serverID, room): (Identity?, RoomName?) = (
                line.setting("game"), line.setting("room")
            )
            let sale: Identity? = line.setting("sale")
            let node: String? = line.detail("node")
            guard line.hint() else { return nil }
            return .hello(
                seconds: seconds, step: step, serverID: serverID, room: room, sale: sale,
                node: node)
        case "GAME": return line.game().map { .game($0) }
        case "ROUND": return line.notice().map { .round($0, line.object("instructions")) }
        case "YOU": return line.object("you").map { .you($0) }
        case "STATE": return line.object("state").map { .state($0) }
        case "PURSE": return line.field("left").map { .purse(left: $0) }
        case "WORTH":
            return line.worth().map { .worth($0.amount, isEstimate: $0.isEstimate) }
        case "MAX": return line.field("amount").map { .maximum($0) }
        case "YOURS": return line.field("amount").map { .ownBid($0) }
        case "SKIPPED": return line.field("lines").map { .skipped($0) }
        case "BYE": return line.contentRest().map { .bye(CloseReason(rawValue: $0)) }
        case "LAP": return line.lap().map { .lap($0) }
        case "RESULT":
            guard let number: Int = line.field("lot") else { return nil }
            // A bidder may be called `-`, a price may not.
            let bidder: Bidder? = line.field("bidder")
            guard let price = line.optional({ $0.field("amount") as Price? }),
                let elapsed = line.optional({ $0.elapsed() }), let title = line.contentRest(),
                price == nil || bidder != nil
            else { return nil }
            return .result(
                Lot(number: number, title: title), winner: price == nil ? nil : bidder,
                price: price, elapsed: elapsed)
        case "WHO":
            return line.field("bidder").map { .who($0, display: line.detail("display")) }
        case "CLASS": return line.status().map { .classStatus($0) }
        case "STUDENT": return line.student().map { .student($0) }
        case "STANDING": return line.standing().map { .standing($0) }
        case "ROOM": return line.room().map { .room($0) }
        case "HELP": return .help(line.contentRest() ?? "")
        case "OK":
            let tag = line.tag()
            return line.answer().map { .ok($0, tag: tag) }
        case "ERROR":
            let tag = line.tag()
            guard let (code, facts) = line.code() else { return nil }
            return .error(
                ErrorReply(code, facts: facts, advice: line.contentRest() ?? ""), tag: tag)
        default:
            return SaleEvent.read(word, from: &line).map { .event($0, line.object("state")) }
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
        number = object["seq"].flatMap { Int(json: $0) }
        isSnapshot = object["snapshot"] == .boolean(true)
        time = object["time"].flatMap { String(json: $0) }
    }

    /// When the server sent it, in milliseconds since 1970 by its clock; nil if that is unknown.
    public var millisecondsSince1970: Int64? { time.flatMap { UTCTime.parse($0) } }
}
