import Basics

/// The members of a JSON object, in the order of the line.
///
/// They are strings, numbers, booleans, `null`, arrays of whole numbers, of strings or of objects,
/// and objects. An object in an object stays text.
///
/// Source: RFC 8259.
package struct JSONObject {
    /// The value of a member.
    package enum Value: Equatable {
        case text(String)
        case number(Int64)
        /// A number with a decimal point, as it was written.
        case decimal(String)
        case boolean(Bool)
        case numbers([Int64])
        case texts([String])
        case null
        /// An object, as it was written.
        case object(String)
        /// An array of objects, each as it was written.
        case objects([String])
    }

    package private(set) var members: [(name: String, value: Value)] = []

    /// Creates an object without members.
    package init() {}

    /// Parses one object; nil if the line is anything else, or has a value of another type.
    package init?(_ line: String) {
        var reader = Reader(bytes: Array(line.utf8))
        guard reader.take("{") else { return nil }
        if !reader.take("}") {
            repeat {
                guard let name = reader.text(), reader.take(":"), let value = reader.value() else {
                    return nil
                }
                members.append((name, value))
            } while reader.take(",")
            guard reader.take("}") else { return nil }
        }
        guard reader.isAtEnd else { return nil }
    }

    /// The value with this name; the first, if there are several.
    package subscript(name: String) -> Value? { members.first { $0.name == name }?.value }

    /// The object with this name, as it was written.
    package func object(_ name: String) -> String? {
        if case .object(let object)? = self[name] { object } else { nil }
    }

    /// Adds a member at the end.
    package mutating func append(_ name: String, _ value: Value) { members.append((name, value)) }

    /// The object as JSON without blanks.
    package var text: String {
        let members = members.map { "\($0.name.quotedJSON):\($0.value.text)" }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, Value)...) {
        for (name, value) in members { append(name, value) }
    }
}

extension JSONObject.Value {
    /// The value as JSON without blanks.
    fileprivate var text: String {
        switch self {
        case .text(let text): text.quotedJSON
        case .number(let number): String(number)
        case .decimal(let text), .object(let text): text
        case .boolean(let isTrue): String(isTrue)
        case .numbers(let numbers): "[" + numbers.map(String.init).joined(separator: ",") + "]"
        case .texts(let texts): "[" + texts.map(\.quotedJSON).joined(separator: ",") + "]"
        case .objects(let texts): "[" + texts.joined(separator: ",") + "]"
        case .null: "null"
        }
    }
}

extension String {
    fileprivate var quotedJSON: String {
        var bytes: [UInt8] = []
        appendQuotedJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A scanner of the tokens of a JSON object.
private struct Reader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether only white space is left.
    var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return index == bytes.count
        }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let isNext = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
        if isNext { index += word.utf8CodeUnitCount }
        return isNext
    }

    mutating func value() -> JSONObject.Value? {
        skipBlanks()
        guard index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: "\"") { return text().map { .text($0) } }
        if take(word: "true") { return .boolean(true) }
        if take(word: "false") { return .boolean(false) }
        if take(word: "null") { return .null }
        if take("[") { return array() }
        if bytes[index] == UInt8(ascii: "{") { return object().map { .object($0) } }
        return number()
    }

    /// Skips an object; it counts brackets, and checks neither their kinds nor the members.
    private mutating func object() -> String? {
        let start = index
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard text() != nil else { return nil }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return text(from: start) }
        }
        return nil
    }

    /// Reads the rest of an array; nil unless it has only whole numbers, strings or objects.
    private mutating func array() -> JSONObject.Value? {
        if take("]") { return .numbers([]) }
        if index < bytes.count, bytes[index] == UInt8(ascii: "{") { return objects() }
        var (numbers, texts): ([Int64], [String]) = ([], [])
        repeat {
            skipBlanks()
            guard index < bytes.count else { return nil }
            if bytes[index] == UInt8(ascii: "\"") {
                guard numbers.isEmpty, let text = text() else { return nil }
                texts.append(text)
            } else {
                guard texts.isEmpty, case .number(let number)? = number() else { return nil }
                numbers.append(number)
            }
        } while take(",")
        guard take("]") else { return nil }
        return texts.isEmpty ? .numbers(numbers) : .texts(texts)
    }

    /// Reads the rest of an array of objects.
    private mutating func objects() -> JSONObject.Value? {
        var objects: [String] = []
        repeat {
            skipBlanks()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "{"), let object = object()
            else { return nil }
            objects.append(object)
        } while take(",")
        return take("]") ? .objects(objects) : nil
    }

    private mutating func number() -> JSONObject.Value? {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        skipDigits()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ".") else {
            return Int64(signedDigits: text(from: start)).map { .number($0) }
        }
        let point = index
        guard Int64(signedDigits: text(from: start)) != nil else { return nil }
        index += 1
        skipDigits()
        return index > point + 1 ? .decimal(text(from: start)) : nil
    }

    private mutating func skipDigits() {
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<index], as: UTF8.self)
    }

    mutating func text() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text.append(contentsOf: String(scalar).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        switch bytes[index] {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): return unicodeEscape()
        case let byte where "\"\\/".utf8.contains(byte): return Unicode.Scalar(byte)
        default: return nil
        }
    }

    /// Reads the four digits after `\u`, and a second escape if the first is half of a surrogate
    /// pair.
    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let unit = codeUnit() else { return nil }
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\\"),
            bytes[index + 2] == UInt8(ascii: "u")
        else { return nil }
        index += 2
        guard let trail = codeUnit(), UTF16.isTrailSurrogate(trail) else { return nil }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    /// Reads four hexadecimal digits and stays on the last.
    private mutating func codeUnit() -> UInt16? {
        guard index + 4 < bytes.count else { return nil }
        let digits = bytes[index + 1...index + 4]
        index += 4
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }
}
