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
        appendLowercased(word)
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
        self.bidder(bidder)
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

    mutating func number(_ name: StaticString, _ number: Int64) {
        appendName(name)
        append(number)
    }

    mutating func content(number name: StaticString, _ number: Int64) {
        if isJSON {
            append(",\"content\":\"")
            append(number)
            append("\"")
        }
        self.number(name, number)
    }

    mutating func bidder(_ bidder: Bidder) {
        append(isJSON ? ",\"bidder\":\"" : " ")
        append(bidder)
        if isJSON { append("\"") }
    }

    /// Appends the name of a room as the main field.
    mutating func content(room: RoomName) {
        append(isJSON ? ",\"content\":\"" : " ")
        append(room)
        guard isJSON else { return }
        append("\",\"room\":\"")
        append(room)
        append("\"")
    }

    /// Appends a word such as `room=blue`, if there is one.
    mutating func setting(_ name: StaticString, _ room: RoomName?) {
        guard let room else { return }
        appendSetting(name)
        if isJSON { append("\"") }
        append(room)
        if isJSON { append("\"") }
    }

    /// Appends the bid that leads again after a void, if there is one, with the fields of a price.
    mutating func leading(_ bid: Bid?) {
        guard let bid else { return }
        number("leadingAmount", bid.price.amount)
        append(isJSON ? ",\"leadingBidder\":\"" : " ")
        append(bid.bidder)
        if isJSON { append("\"") }
        if isJSON {
            number("leadingElapsedMilliseconds", bid.elapsed.wholeMilliseconds)
        } else {
            elapsed(bid.elapsed)
        }
        number("leadingBid", Int64(bid.number))
    }

    /// Appends a number that may be negative.
    mutating func signedNumber(_ name: StaticString, _ number: Int64) {
        appendName(name)
        append(signed: number)
    }

    /// Appends a number that may be negative as the main field.
    mutating func content(signedNumber name: StaticString, _ number: Int64) {
        if isJSON {
            append(",\"content\":\"")
            append(signed: number)
            append("\"")
        }
        signedNumber(name, number)
    }

    mutating func content(bidder: Bidder) {
        if isJSON {
            append(",\"content\":\"")
            append(bidder)
            append("\"")
        }
        self.bidder(bidder)
    }

    mutating func elapsed(_ elapsed: Duration) {
        guard !isJSON else { return number("elapsedMilliseconds", elapsed.wholeMilliseconds) }
        append(" ")
        LotTime.append(elapsed, to: &self)
    }

    /// Appends a field with `write`; without a value a line of text has `-`, and JSON nothing.
    mutating func optional<Value>(
        _ value: Value?, _ write: (inout LineBuffer, Value) -> Void
    ) {
        if let value { write(&self, value) } else if !isJSON { append(" -") }
    }

    /// Appends a text; in a line of text it is a word, or the rest of the line.
    ///
    /// Unprintable characters are escaped, because others read the line: a title may come from a
    /// journal that was edited by hand.
    mutating func text(_ name: StaticString, _ text: String) {
        appendName(name)
        if isJSON { append(quoted: text) } else { appendText(text.escaped) }
    }

    /// Appends the rest of a line of text, which is `content` in JSON.
    mutating func content(rest: String) {
        text("content", rest)
    }

    mutating func content(_ answer: Answer) {
        guard isJSON else {
            append(" ")
            return answer.append(to: &self)
        }
        append(",\"content\":")
        switch answer {
        // A token of another server can be any word.
        case .name(let bidder, let token): append(quoted: "name \(bidder) \(token)")
        case .opened(let room, let key): append(quoted: "open \(room) \(key)")
        default:
            append("\"")
            answer.append(to: &self)
            append("\"")
        }
    }

    mutating func tag(_ tag: String?) {
        guard let tag else { return }
        guard !isJSON else { return text("tag", tag) }
        append(" #")
        appendText(tag)
    }

    mutating func code(_ code: ErrorReply.Code, _ facts: [ErrorReply.Fact]) {
        text("code", code.rawValue)
        for fact in facts {
            append(isJSON ? ",\"" : " ")
            appendText(fact.name)
            append(isJSON ? "\":" : "=")
            append(fact.value)
        }
    }

    mutating func detail(_ name: StaticString, _ number: Int64?) {
        guard isJSON, let number else { return }
        self.number(name, number)
    }

    /// Appends a value that is JSON already.
    mutating func detail(_ name: StaticString, json value: [UInt8]) {
        guard isJSON else { return }
        appendName(name)
        append(value)
    }

    /// Appends the sentence of an event, and what it has changed.
    mutating func details(of event: SaleEvent, state: [UInt8]?) {
        guard isJSON else { return }
        if let sentence = event.sentence() { text("text", sentence) }
        if let state { detail("state", json: state) }
    }

    /// Appends the name of the protocol.
    mutating func version() {
        append(isJSON ? ",\"content\":\"auction/1\"" : " auction/1")
    }

    /// Appends a word such as `seconds=7`.
    mutating func setting(_ name: StaticString, _ number: Int) {
        appendSetting(name)
        append(number)
    }

    /// Appends a word such as `game=k3v9`, if there is one.
    mutating func setting(_ name: StaticString, _ word: String?) {
        guard let word else { return }
        appendSetting(name)
        if isJSON { append(quoted: word) } else { appendText(word) }
    }

    /// Appends a word such as `format=sealed` as the main field.
    mutating func content(setting name: StaticString, _ word: String) {
        if isJSON {
            append(",\"content\":")
            append(quoted: word)
        }
        setting(name, word)
    }

    /// Appends a word such as `profit=-5`, if there is a number.
    mutating func setting(_ name: StaticString, signed number: Int64?) {
        guard let number else { return }
        appendSetting(name)
        append(signed: number)
    }

    /// Appends a word such as `longest=60`, if there is a time.
    mutating func setting(_ name: StaticString, seconds: Duration?) {
        guard let seconds else { return }
        appendSetting(name)
        append(seconds: seconds)
    }

    /// Appends the word `reserve=yes`, in JSON `true`, if the flag is set.
    mutating func flag(_ name: StaticString, _ isSet: Bool) {
        guard isSet else { return }
        appendSetting(name)
        append(isJSON ? "true" : "yes")
    }

    /// Appends what a bidder says: in text the rest of the line, in JSON `content`.
    mutating func speech(of bidder: Bidder, _ text: String) {
        if isJSON {
            content(rest: text)
            self.bidder(bidder)
        } else {
            self.bidder(bidder)
            content(rest: text)
        }
    }

    /// Appends the hint at the end of a greeting.
    mutating func hint() {
        if !isJSON { append(" (type help)") }
    }

    private mutating func appendSetting(_ name: StaticString) {
        appendName(name)
        guard !isJSON else { return }
        append(name)
        append("=")
    }

    /// Appends the separator before a field, and in JSON the name of the field.
    @inline(__always)
    mutating func appendName(_ name: StaticString) {
        guard isJSON else { return append(" ") }
        append(",\"")
        append(name)
        append("\":")
    }

    private mutating func appendLowercased(_ word: StaticString) {
        for index in 0..<word.utf8CodeUnitCount { append(word.utf8Start[index] | 0x20) }
    }
}
