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

    mutating func number(_ name: String) -> Int? {
        text == nil ? json.number(name).map { Int($0) } : text?.integer()
    }

    /// Reads a number that may be negative.
    mutating func signedNumber(_ name: String) -> Int64? {
        text == nil ? json.integer(name) : text?.signedInteger()
    }

    mutating func price(_ name: String) -> Price? {
        text == nil ? json.number(name).flatMap { Price($0) } : text?.price()
    }

    mutating func bidder() -> Bidder? {
        text == nil ? json.text("bidder").flatMap { Bidder($0) } : text?.bidder()
    }

    /// Reads the time since the opening; nil if the exact one contradicts it.
    mutating func elapsed() -> Duration? {
        guard text != nil else {
            return json.number("elapsedMilliseconds").map { .milliseconds($0) }
        }
        guard let printed = text?.elapsed() else { return nil }
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
        if text == nil ? json.number("leadingAmount") == nil : isAtEnd {
            return exactElapsed == nil ? .some(nil) : nil
        }
        let price = price("leadingAmount")
        let bidder = text == nil ? json.text("leadingBidder").flatMap { Bidder($0) } : bidder()
        let elapsed =
            text == nil
            ? json.number("leadingElapsedMilliseconds").map { .milliseconds($0) } : elapsed()
        guard let price, let bidder, let elapsed, let number = number("leadingBid") else {
            return nil
        }
        return Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
    }

    /// Reads a bid of a list, whose number comes first.
    mutating func lap() -> Bid? {
        guard let number = number("bid"), let price = price("amount"), let bidder = bidder(),
            let elapsed = elapsed()
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

    mutating func word(_ name: String) -> String? {
        text == nil ? json.text(name) : text?.word()
    }

    /// The rest of a line of text, or a member.
    mutating func rest(_ name: String) -> String? {
        text == nil ? json.text(name) : text?.remainder()
    }

    /// The rest of a line of text, or `content`.
    mutating func contentRest() -> String? {
        rest("content")
    }

    func detail(_ name: String) -> Int64? {
        text == nil ? json.number(name) : nil
    }

    /// An object, as it was written, which a line of text does not have.
    func object(_ name: String) -> [UInt8]? {
        text == nil ? json.object(name).map { Array($0.utf8) } : nil
    }

    func isDetailSet(_ name: String) -> Bool {
        text == nil && json.isTrue(name)
    }

    mutating func version() -> Bool {
        text == nil || text?.word() == "auction/1"
    }

    /// A word such as `seconds=7`.
    mutating func setting(_ name: String) -> Int64? {
        text == nil ? json.number(name) : text?.setting(name)
    }

    /// A word such as `format=sealed`, if it is next.
    mutating func word(of name: String) -> String? {
        text == nil ? json.text(name) : value(of: name) { $0 }
    }

    /// A word such as `profit=-5`, if it is next.
    mutating func signedSetting(_ name: String) -> Int64? {
        text == nil ? json.integer(name) : value(of: name) { Int64(signedDigits: $0) }
    }

    /// A word such as `buy=500`, if it is next.
    mutating func priceSetting(_ name: String) -> Price? {
        text == nil
            ? json.number(name).flatMap { Price($0) }
            : value(of: name) { Int64(digits: $0).flatMap { Price($0) } }
    }

    /// A word such as `worth=50..150`, if it is next; in JSON an array of two numbers.
    mutating func range(_ name: String) -> ClosedRange<Int64>? {
        text == nil
            ? json.numbers(name).flatMap { ClosedRange(values: $0) }
            : value(of: name) { ClosedRange(values: $0) }
    }

    /// A word such as `longest=60`, if it is next.
    mutating func secondsSetting(_ name: String) -> Duration? {
        text == nil ? json.seconds(name) : value(of: name) { Duration(seconds: $0) }
    }

    /// The word `reserve=yes`, if it is next.
    mutating func flag(_ name: String) -> Bool {
        text == nil ? json.isTrue(name) : value(of: name) { $0 == "yes" ? true : nil } ?? false
    }

    /// Reads a word of text with this name; leaves it if its value is not valid.
    mutating func value<Value>(of name: String, _ read: (String) -> Value?) -> Value? {
        var ahead = text
        guard let value = ahead?.value(of: name).flatMap(read) else { return nil }
        text = ahead
        return value
    }

    /// A word such as `game=k3v9`, if it is next.
    mutating func identity(_ name: String) -> Identity? {
        text == nil ? json.text(name).flatMap { Identity($0) } : value(of: name) { Identity($0) }
    }

    /// The word `room=blue`, if it is next.
    mutating func roomSetting() -> RoomName? {
        text == nil
            ? json.text("room").flatMap { RoomName($0) } : value(of: "room") { RoomName($0) }
    }

    /// The name of a room, which is a word of text.
    mutating func roomWord() -> RoomName? {
        word("room").flatMap { RoomName($0) }
    }

    mutating func hint() -> Bool {
        text == nil || text?.remainder() != nil
    }

    mutating func tag() -> String? {
        text == nil ? json.text("tag") : text?.tag()
    }

    /// The words after `OK` and the tag.
    mutating func answer() -> Answer? {
        if var words = text.take() {
            defer { text = words }
            return Answer(&words)
        }
        var words = TextFields(json.text("content") ?? "")
        let answer = Answer(&words)
        return words.isAtEnd ? answer : nil
    }

    /// The code of an error, and its facts.
    mutating func code() -> (ErrorReply.Code, [ErrorReply.Fact])? {
        guard text == nil else {
            guard let code = text?.word() else { return nil }
            return (ErrorReply.Code(rawValue: code), text?.facts() ?? [])
        }
        guard let code = json.text("code") else { return nil }
        let facts = json.members.compactMap { member -> ErrorReply.Fact? in
            guard case .number(let value) = member.value, member.name != "seq" else { return nil }
            return ErrorReply.Fact(read: member.name, value)
        }
        return (ErrorReply.Code(rawValue: code), facts)
    }
}
