import Auction

/// A value of a field, in both of its forms: a word of a line of text, and a value of JSON.
protocol FieldValue {
    /// Whether it is a string in JSON.
    static var isString: Bool { get }

    /// Reads a word; nil if it is no such value.
    init?(word: String)

    /// Reads a value of JSON; nil if it is no such value.
    init?(json: JSONObject.Value)

    /// Appends the form that a line has.
    func write(to line: inout LineBuffer)
}

extension FieldValue {
    static var isString: Bool { true }
}

/// A string of JSON with the bytes of the word.
extension FieldValue where Self: RawRepresentable, RawValue == String {
    init?(word: String) { self.init(rawValue: word) }

    init?(json: JSONObject.Value) {
        guard case .text(let text) = json else { return nil }
        self.init(rawValue: text)
    }

    func write(to line: inout LineBuffer) { rawValue.write(to: &line) }
}

extension AuctionFormat: FieldValue {}
extension Warning: FieldValue {}
extension Reaction: FieldValue {}
extension LotState.Stage: FieldValue {}
extension LotState.Reserve: FieldValue {}

/// A count, with at most as many digits as any count needs.
extension Int: FieldValue {
    static var isString: Bool { false }

    init?(word: String) {
        guard word.utf8.count <= TextFields.mostDigits, let number = Int64(digits: word) else {
            return nil
        }
        self.init(number)
    }

    init?(json: JSONObject.Value) {
        guard case .number(let number) = json, (0...TextFields.most).contains(number) else {
            return nil
        }
        self.init(number)
    }

    func write(to line: inout LineBuffer) { line.append(self) }
}

/// A number that may be negative.
extension Int64: FieldValue {
    static var isString: Bool { false }

    init?(word: String) { self.init(signedDigits: word) }

    init?(json: JSONObject.Value) {
        guard case .number(let number) = json else { return nil }
        self = number
    }

    func write(to line: inout LineBuffer) { line.append(signed: self) }
}

extension Price: FieldValue {
    static var isString: Bool { false }

    init?(word: String) {
        guard let amount = Int64(digits: word) else { return nil }
        self.init(amount)
    }

    init?(json: JSONObject.Value) {
        guard case .number(let amount) = json else { return nil }
        self.init(amount)
    }

    func write(to line: inout LineBuffer) { line.append(amount) }
}

/// A flag, whose word is `yes`.
extension Bool: FieldValue {
    static var isString: Bool { false }

    init?(word: String) {
        guard word == "yes" else { return nil }
        self = true
    }

    init?(json: JSONObject.Value) {
        guard case .boolean(let flag) = json else { return nil }
        self = flag
    }

    func write(to line: inout LineBuffer) {
        if line.format == .json { line.append(self ? "true" : "false") } else { line.append("yes") }
    }
}

/// A word, or the rest of a line.
///
/// Unprintable characters are escaped, because others read the line: a title may come from a
/// journal that was edited by hand.
extension String: FieldValue {
    init?(word: String) { self = word }

    init?(json: JSONObject.Value) {
        guard case .text(let text) = json else { return nil }
        self = text
    }

    func write(to line: inout LineBuffer) {
        if line.format == .json { line.append(quoted: self) } else { line.appendText(escaped) }
    }
}

extension Bidder: FieldValue {
    init?(word: String) { self.init(word) }

    init?(json: JSONObject.Value) {
        guard case .text(let name) = json else { return nil }
        self.init(name)
    }

    func write(to line: inout LineBuffer) { line.appendName { $0.append(self) } }
}

extension RoomName: FieldValue {
    init?(word: String) { self.init(word) }

    init?(json: JSONObject.Value) {
        guard case .text(let name) = json else { return nil }
        self.init(name)
    }

    func write(to line: inout LineBuffer) { line.appendName { $0.append(self) } }
}

extension Identity: FieldValue {
    init?(word: String) { self.init(word) }

    init?(json: JSONObject.Value) {
        guard case .text(let word) = json else { return nil }
        self.init(word)
    }

    func write(to line: inout LineBuffer) { description.write(to: &line) }
}

/// A range of values such as `50..150`, in JSON an array of the two numbers.
extension ClosedRange<Int64>: FieldValue {
    static var isString: Bool { false }

    init?(word: String) { self.init(values: word) }

    init?(json: JSONObject.Value) {
        guard case .numbers(let bounds) = json else { return nil }
        self.init(values: bounds)
    }

    func write(to line: inout LineBuffer) {
        let isJSON = line.format == .json
        if isJSON { line.append("[") }
        line.append(lowerBound)
        line.append(isJSON ? "," : "..")
        line.append(upperBound)
        if isJSON { line.append("]") }
    }
}

extension LineBuffer {
    /// Appends a name, whose characters need no escapes, with quotation marks in JSON.
    @inline(__always)
    fileprivate mutating func appendName(_ write: (inout LineBuffer) -> Void) {
        if format == .json { append("\"") }
        write(&self)
        if format == .json { append("\"") }
    }
}
