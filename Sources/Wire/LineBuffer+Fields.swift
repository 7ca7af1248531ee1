import Auction
import Basics

/// The fields of a server message; `content` is the main one.
///
/// In text they are words, in the order of the calls; in JSON they are members. Details are only in
/// JSON.
extension LineBuffer {
    private var isJSON: Bool { format == .json }

    @inline(__always)
    mutating func begin(_ word: StaticString) {
        guard isJSON else { return append(word) }
        append("\"type\":\"")
        for index in 0..<word.utf8CodeUnitCount { append(word.utf8Start[index] | 0x20) }
        append("\"")
    }

    /// Begins a line without other fields.
    mutating func begin(alone word: StaticString) {
        begin(word)
        if isJSON { append(",\"content\":\"\"") }
    }

    /// Begins a line of the journal about a bidder.
    mutating func note(_ word: StaticString, _ bidder: Bidder) {
        begin(word)
        field("bidder", bidder)
    }

    /// Appends the rest of a line of the journal.
    mutating func rest(_ text: String) {
        append(" ")
        appendText(text)
    }

    /// Appends a time of day to a line of the journal.
    mutating func time(_ milliseconds: Int64) {
        append(" ")
        UTCTime.append(millisecondsSince1970: milliseconds, to: &self)
    }

    /// Appends a field, which is one word of text or the rest of the line.
    @inline(__always)
    mutating func field<Value: FieldValue>(_ name: StaticString, _ value: Value) {
        appendName(name)
        value.write(to: &self)
    }

    /// Appends the main field.
    @inline(__always)
    mutating func content<Value: FieldValue>(_ name: StaticString, _ value: Value) {
        appendContent(value)
        field(name, value)
    }

    /// Appends a word such as `seconds=7`, if there is a value.
    mutating func setting<Value: FieldValue>(_ name: StaticString, _ value: Value?) {
        guard let value else { return }
        appendSetting(name)
        value.write(to: &self)
    }

    /// Appends a word such as `format=sealed` as the main field.
    mutating func content<Value: FieldValue>(setting name: StaticString, _ value: Value) {
        appendContent(value)
        setting(name, value)
    }

    /// Appends the bid that leads again after a void, if there is one, with the fields of a price.
    mutating func leading(_ bid: Bid?) {
        guard let bid else { return }
        field("leadingAmount", bid.price)
        field("leadingBidder", bid.bidder)
        elapsed(bid.elapsed, as: "leadingElapsedMilliseconds")
        field("leadingBid", bid.number)
    }

    /// Appends the time since the opening, in text as `LotTime`.
    mutating func elapsed(
        _ elapsed: Duration, as name: StaticString = "elapsedMilliseconds"
    ) {
        appendName(name)
        guard !isJSON else { return append(elapsed.wholeMilliseconds) }
        LotTime.append(elapsed, to: &self)
    }

    /// Appends a field with `write`; without a value a line of text has `-`, and JSON nothing.
    mutating func optional<Value>(
        _ value: Value?, _ write: (inout LineBuffer, Value) -> Void
    ) {
        if let value { write(&self, value) } else if !isJSON { append(" -") }
    }

    mutating func content(_ answer: Answer) {
        guard isJSON else {
            append(" ")
            return answer.append(to: &self)
        }
        append(",\"content\":")
        // A token of another server can be any word.
        if let words = answer.wordsWithToken {
            append(quoted: words)
        } else {
            append("\"")
            answer.append(to: &self)
            append("\"")
        }
    }

    mutating func tag(_ tag: String?) {
        guard let tag else { return }
        guard !isJSON else { return field("tag", tag) }
        append(" #")
        appendText(tag)
    }

    mutating func code(_ code: ErrorReply.Code, _ facts: [ErrorReply.Fact]) {
        field("code", code.rawValue)
        for fact in facts {
            append(isJSON ? ",\"" : " ")
            appendText(fact.name)
            append(isJSON ? "\":" : "=")
            append(fact.value)
        }
    }

    mutating func detail<Value: FieldValue>(_ name: StaticString, _ value: Value?) {
        guard isJSON, let value else { return }
        field(name, value)
    }

    /// Appends a value that is JSON already.
    mutating func detail(_ name: StaticString, json value: [UInt8]?) {
        guard isJSON, let value else { return }
        appendName(name)
        append(value)
    }

    /// Appends the name of the protocol.
    mutating func version() {
        append(isJSON ? ",\"content\":\"auction/1\"" : " auction/1")
    }

    /// Appends what a bidder says, if anything: in text the rest of the line, in JSON `content`.
    mutating func speech(of bidder: Bidder, _ text: String) {
        if isJSON { field("content", text) }
        field("bidder", bidder)
        if !isJSON, !text.isEmpty { field("content", text) }
    }

    /// Appends the hint at the end of a greeting.
    mutating func hint() {
        if !isJSON { append(" (type help)") }
    }

    /// Appends the separator before a field, and in JSON the name of the field.
    @inline(__always)
    mutating func appendName(_ name: StaticString) {
        guard isJSON else { return append(" ") }
        append(",\"")
        append(name)
        append("\":")
    }

    private mutating func appendSetting(_ name: StaticString) {
        appendName(name)
        guard !isJSON else { return }
        append(name)
        append("=")
    }

    @inline(__always)
    private mutating func appendContent<Value: FieldValue>(_ value: Value) {
        guard isJSON else { return }
        append(",\"content\":")
        if !Value.isString { append("\"") }
        value.write(to: &self)
        if !Value.isString { append("\"") }
    }
}
