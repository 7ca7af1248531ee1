import Auction

/// The fields of a server message, in order; a missing field is nil.
///
/// In text they are words; in JSON they are members. Details are only in JSON.
struct MessageReader {
    private var text: TextFields?
    private let json: JSONObject
    /// The exact time since the opening of the lot, which a journal has beside a line of text.
    let exactElapsed: Duration?

    init(text: TextFields, exactElapsed: Duration? = nil) {
        (self.text, json, self.exactElapsed) = (text, JSONObject(), exactElapsed)
    }

    init(json: JSONObject) {
        (self.json, exactElapsed) = (json, nil)
    }

    /// Whether a line of text is read to its end.
    var isAtEnd: Bool { text?.isAtEnd ?? true }

    /// Reads a field that is one word of text.
    mutating func field<Value: FieldValue>(_ name: String) -> Value? {
        text == nil ? detail(name) : text?.field()
    }

    /// Reads a word such as `seconds=7`, if it is next; leaves it if its value is not valid.
    mutating func setting<Value: FieldValue>(_ name: String) -> Value? {
        guard var ahead = text else { return detail(name) }
        guard let value = ahead.value(of: name).flatMap({ Value(word: $0) }) else { return nil }
        text = ahead
        return value
    }

    /// Reads a member that a line of text does not have.
    func detail<Value: FieldValue>(_ name: String) -> Value? {
        text == nil ? json[name].flatMap { Value(json: $0) } : nil
    }

    /// Reads the time since the opening; nil if the exact one contradicts it.
    mutating func elapsed(_ name: String = "elapsedMilliseconds") -> Duration? {
        guard text != nil else { return detail(name).map { .milliseconds($0 as Int) } }
        guard let printed = text?.word().flatMap({ LotTime.parse($0) }) else { return nil }
        guard let exactElapsed else { return printed }
        let isSame = printed.wholeMilliseconds / 100 == exactElapsed.wholeMilliseconds / 100
        return isSame ? exactElapsed : nil
    }

    /// Reads a time of day, in milliseconds since 1970; JSON has it under another name.
    mutating func time() -> Int64? {
        text?.word().flatMap { UTCTime.parse($0) }
    }

    /// Reads a field with `read`, or the `-` instead of it; nil if it is neither.
    mutating func optional<Value>(_ read: (inout MessageReader) -> Value?) -> Value?? {
        guard text != nil else { return .some(read(&self)) }
        var ahead = text
        if ahead?.word() == "-" {
            text = ahead
            return .some(nil)
        }
        return read(&self).map { .some($0) }
    }

    /// Reads the bid that leads again after a void, if there is one; nil if it is not a bid.
    mutating func leading() -> Bid?? {
        if text == nil ? json["leadingAmount"] == nil : isAtEnd {
            return exactElapsed == nil ? .some(nil) : nil
        }
        guard let price: Price = field("leadingAmount"),
            let bidder: Bidder = field("leadingBidder"),
            let elapsed = elapsed("leadingElapsedMilliseconds"),
            let number: Int = field("leadingBid"), number > 0
        else { return nil }
        return Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
    }

    /// Reads a bid of a list, whose number comes first.
    mutating func lap() -> Bid? {
        guard let number: Int = field("bid"), number > 0, let price: Price = field("amount"),
            let bidder: Bidder = field("bidder"), let elapsed = elapsed()
        else { return nil }
        return Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
    }

    /// Reads a word of text if it is this one; false if it is another, and in JSON.
    mutating func takesWord(_ expected: String) -> Bool {
        var ahead = text
        guard ahead?.word() == expected else { return false }
        text = ahead
        return true
    }

    /// The rest of a line of text, or a member.
    mutating func rest(_ name: String) -> String? {
        text == nil ? detail(name) : text?.remainder()
    }

    /// The rest of a line of text, or `content`.
    mutating func contentRest() -> String? {
        rest("content")
    }

    /// An object, as it was written, which a line of text does not have.
    func object(_ name: String) -> [UInt8]? {
        text == nil ? json.object(name).map { Array($0.utf8) } : nil
    }

    mutating func version() -> Bool {
        text == nil || text?.word() == "auction/1"
    }

    mutating func hint() -> Bool {
        text == nil || text?.remainder() != nil
    }

    mutating func tag() -> String? {
        text == nil ? detail("tag") : text?.tag()
    }

    /// The words after `OK` and the tag.
    mutating func answer() -> Answer? {
        if var words = text.take() {
            defer { text = words }
            return Answer(&words)
        }
        var words = TextFields(detail("content") ?? "")
        let answer = Answer(&words)
        return words.isAtEnd ? answer : nil
    }

    /// The code of an error, and its facts.
    mutating func code() -> (ErrorReply.Code, [ErrorReply.Fact])? {
        guard text == nil else {
            guard let code = text?.word() else { return nil }
            return (ErrorReply.Code(rawValue: code), text?.facts() ?? [])
        }
        guard let code: String = detail("code") else { return nil }
        let facts = json.members.compactMap { member -> ErrorReply.Fact? in
            guard case .number(let value) = member.value, member.name != "seq" else { return nil }
            return ErrorReply.Fact(read: member.name, value)
        }
        return (ErrorReply.Code(rawValue: code), facts)
    }
}
