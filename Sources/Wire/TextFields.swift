import Auction

/// The fields of a server message in text, read one after the other; a missing field is nil.
struct TextFields {
    /// The most digits of a number: more than any count needs, and its successor still fits.
    static let mostDigits = 15
    /// The greatest number with `mostDigits`: 30,000 years in milliseconds.
    ///
    /// Computations with it do not overflow.
    static let most: Int64 = 999_999_999_999_999

    private var rest: Substring

    init(_ line: some StringProtocol) {
        rest = Substring(line)
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads up to the next space, and the space.
    ///
    /// It searches for the byte and not the character: a combining mark may follow the space.
    mutating func word() -> String? {
        let bytes = rest.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.endIndex
        guard end > bytes.startIndex else { return nil }
        defer { rest = Substring(bytes[end...].dropFirst()) }
        return String(rest[..<end])
    }

    /// Reads the rest.
    mutating func remainder() -> String? {
        guard !rest.isEmpty else { return nil }
        defer { rest = "" }
        return String(rest)
    }

    /// Reads a word that is a value of this kind.
    mutating func field<Value: FieldValue>() -> Value? { word().flatMap { Value(word: $0) } }

    /// Reads a word such as `format=sealed` if it is next, and returns what follows its `=`.
    mutating func value(of name: String) -> String? {
        var ahead = self
        guard let word = ahead.word(), word.utf8.count > name.utf8.count,
            word.utf8.starts(with: name.utf8),
            word.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: "=")
        else { return nil }
        self = ahead
        return String(word.utf8.dropFirst(name.utf8.count + 1))
    }

    /// Reads the tag, if the next word is one.
    mutating func tag() -> String? {
        rest.utf8.first == UInt8(ascii: "#") ? word().map { String($0.dropFirst()) } : nil
    }

    /// Reads words such as `name=7` while there are some.
    mutating func facts() -> [ErrorReply.Fact] {
        var facts: [ErrorReply.Fact] = []
        var ahead = self
        while let parts = ahead.word()?.split(separator: "="), parts.count == 2,
            let value = Int64(digits: parts[1]), let fact = ErrorReply.Fact(read: parts[0], value)
        {
            facts.append(fact)
            self = ahead
        }
        return facts
    }
}

extension ErrorReply.Fact {
    /// Creates a fact from its parts; nil if the name is not valid.
    init?(read name: some StringProtocol, _ value: Int64) {
        let isName = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard isName, !name.isEmpty, value >= 0 else { return nil }
        self.init(String(name), value)
    }
}

extension Int64 {
    /// Creates a number from ASCII digits; nil if there is anything else, or it is too large.
    public init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else {
            return nil
        }
        self.init(digits)
    }

    /// Creates a number from ASCII digits after an optional minus sign; nil if it is too large.
    init?(signedDigits text: some StringProtocol) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else {
            return nil
        }
        self.init(String(text))
    }
}

extension ClosedRange<Int64> {
    /// Creates the range of a game's values from its bounds; nil if they are none.
    init?(values bounds: [Int64]) {
        guard bounds.count == 2, bounds[0] <= bounds[1],
            bounds.allSatisfy(GameOptions.Values.allowed.contains)
        else { return nil }
        self = bounds[0]...bounds[1]
    }

    /// Creates the range of a game's values from text such as `50..150`, the lower bound first.
    ///
    /// Nil if there is anything else, or a bound is not in `GameOptions.Values.allowed`.
    init?(values text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, let low = Int64(digits: parts[0]),
            let high = Int64(digits: parts[2]), low <= high,
            GameOptions.Values.allowed.contains(high)
        else { return nil }
        self = low...high
    }
}

extension String {
    /// The lines of a file that a person has written.
    package var linesOfFile: [Substring] {
        // Editors of some systems begin a file with a mark, and end lines with CR LF.
        let marked = unicodeScalars.first == "\u{FEFF}"
        return Substring(unicodeScalars.dropFirst(marked ? 1 : 0))
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}
