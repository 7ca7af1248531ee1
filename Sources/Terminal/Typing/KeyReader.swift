import Bidder

/// A key pressed at a terminal, or a text pasted there.
package enum Key: Equatable, Sendable {
    /// A scalar of text, which may be a combining mark.
    case character(Character)
    /// A text of at most 4 KiB; line ends and tabs are spaces, other controls are removed.
    case pasted(String)
    /// The keys with a name of their own.
    case enter, tab, backspace, delete, left, right, up, down, home, end, pageUp, pageDown, escape
    /// Control or Alt with left arrow, or Alt-B.
    case wordLeft
    /// Control or Alt with right arrow, or Alt-F.
    case wordRight
    /// Control with a lower-case letter, or with one of `@ \ ] ^ _`; line feed is `control("j")`.
    case control(Character)
    /// Any other key, or a report of the terminal.
    case unknown
}

extension Key {
    /// Makes the key that sends a scalar.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x08, 0x7F: self = .backspace
        case 0x09: self = .tab
        case 0x0D: self = .enter
        case 1...26: self = .control(Character(Unicode.Scalar(UInt8(scalar.value) | 0x60)))
        case ..<0x20: self = .control(Character(Unicode.Scalar(UInt8(scalar.value) | 0x40)))
        default: self = scalar.isControl ? .unknown : .character(Character(scalar))
        }
    }

    /// U+FFFD, the replacement for invalid UTF-8.
    static let replacement = Key.character("\u{FFFD}")
}

extension Unicode.Scalar {
    /// Whether this is a control character: C0, DEL or C1.
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}

/// A parser that turns the bytes of a terminal in raw mode into keys.
///
/// Stores at most 4 KiB of an incomplete sequence. A byte that cannot be part of the sequence, such
/// as Control-C, aborts it and is a key of its own. Accepts the sequences of xterm, rxvt and the
/// Linux console.
///
/// Source: ECMA-48, sections 5.4 and 5.6; xterm, "XTerm Control Sequences"; rxvt, "Key Codes".
package struct KeyReader: Sendable {
    /// What the bytes of a sequence mean, of which the last one is new.
    private enum Reading {
        /// More bytes must follow.
        case incomplete
        /// A key, of this number of bytes; the others begin anew.
        case key(Key, bytes: Int)
        /// A paste follows.
        case paste
    }

    /// The maximum length of a sequence in bytes.
    private static let maximumBytes = 4096
    fileprivate static let escape: UInt8 = 0x1B

    /// The bytes of an incomplete sequence or scalar.
    private var pending: [UInt8] = []
    private var paste: Paste?

    /// Makes a reader with no incomplete sequence.
    package init() {}

    /// Reads bytes, and returns the keys that they complete, in order.
    package mutating func receive(_ bytes: Span<UInt8>) -> [Key] {
        var keys: [Key] = []
        for index in bytes.indices { take(bytes[index], &keys) }
        return keys
    }

    /// Whether an escape, or an incomplete sequence or scalar, waits for its next byte.
    ///
    /// If no byte follows for about 50 ms, call `flush`. False within a paste, which may take any
    /// time.
    package var awaitsMore: Bool { paste?.endsInEscape ?? !pending.isEmpty }

    /// Ends an incomplete sequence, and returns its keys; an escape alone is the escape key.
    ///
    /// A paste continues, so that its rest is not read as keys. An escape alone ends it, in case
    /// the terminal omitted the end mark.
    package mutating func flush() -> [Key] {
        guard awaitsMore else { return [] }
        defer { (pending, paste) = ([], nil) }
        if let paste { return [.pasted(paste.text)] }
        guard pending.first == Self.escape else { return [.replacement] }
        let first: Key = pending.dropFirst().allSatisfy { $0 == Self.escape } ? .escape : .unknown
        return [first] + (pending.count > 1 && pending.last == Self.escape ? [.escape] : [])
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        if let isEnd = paste?.receive(byte) {
            guard isEnd, let text = paste.take()?.text else { return }
            return keys.append(.pasted(text))
        }
        pending.append(byte)
        switch Self.read(pending) {
        case .incomplete: break
        case .paste: (pending, paste) = ([], Paste())
        case .key(let key, let count):
            keys.append(key)
            let rest = pending.dropFirst(count)
            pending = []
            for byte in rest { take(byte, &keys) }
        }
    }

    private static func read(_ bytes: [UInt8]) -> Reading {
        guard bytes[0] == escape else { return readScalar(bytes) }
        // In rxvt a second escape means Meta.
        let isMeta = bytes.count > 1 && bytes[1] == escape
        let place = isMeta ? 2 : 1
        guard bytes.count > place else { return .incomplete }
        switch bytes[place] {
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            return readSequence(bytes.dropFirst(place), isMeta: isMeta)
        case _ where isMeta: return .key(.escape, bytes: 1)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
            UInt8(ascii: "_"):
            return readReport(bytes)
        case UInt8(ascii: "b"): return .key(.wordLeft, bytes: 2)
        case UInt8(ascii: "f"): return .key(.wordRight, bytes: 2)
        case 0x08, 0x7F: return .key(.control("w"), bytes: 2)
        case ..<0x20: return .key(.escape, bytes: 1)
        default:
            guard case .key(_, let count) = readScalar(bytes.dropFirst()) else {
                return .incomplete
            }
            return .key(.unknown, bytes: 1 + count)
        }
    }

    /// Reads UTF-8; each maximal part of an invalid scalar is one error, as in a `String`.
    private static func readScalar(_ bytes: some Collection<UInt8>) -> Reading {
        var (parser, iterator) = (UTF8.ForwardParser(), bytes.makeIterator())
        switch parser.parseScalar(from: &iterator) {
        case .valid(let scalar): return .key(Key(UTF8.decode(scalar)), bytes: scalar.count)
        case .error(let count):
            // Of what is no scalar yet, only these bytes begin one.
            let isBeginning =
                count == bytes.count && bytes.first.map { $0 >= 0xC2 && $0 <= 0xF4 } == true
            return isBeginning ? .incomplete : .key(.replacement, bytes: count)
        case .emptyInput: return .incomplete
        }
    }

    /// Reads a report of the terminal, whose content is discarded, up to `ESC \` or BEL.
    private static func readReport(_ bytes: [UInt8]) -> Reading {
        guard bytes.count > 2, let last = bytes.last else { return .incomplete }
        if bytes.count > 3, bytes[bytes.count - 2] == escape {
            return .key(.unknown, bytes: bytes.count - (last == UInt8(ascii: "\\") ? 0 : 2))
        }
        switch last {
        case 0x07: return .key(.unknown, bytes: bytes.count)
        case escape: return .incomplete
        case 0x20... where bytes.count <= maximumBytes: return .incomplete
        default: return .key(.unknown, bytes: bytes.count - 1)
        }
    }

    /// Reads a sequence from its `[` or `O`: parameters, and a last byte that names the key.
    private static func readSequence(_ bytes: ArraySlice<UInt8>, isMeta: Bool) -> Reading {
        guard bytes.count > 1, let last = bytes.last else { return .incomplete }
        let isSingleShift = bytes.first == UInt8(ascii: "O")
        let parameters = bytes.dropFirst().dropLast()
        let isConsoleFunction = parameters.first == UInt8(ascii: "[")
        guard (0x20...0x7E).contains(last), parameters.count < maximumBytes else {
            return .key(.unknown, bytes: bytes.endIndex - 1)
        }
        switch last {
        case _ where isConsoleFunction: return .key(.unknown, bytes: bytes.endIndex)
        case UInt8(ascii: "[") where parameters.isEmpty && !isSingleShift: return .incomplete
        // In rxvt a dollar sign after a number ends the sequence and means Shift.
        case UInt8(ascii: "$") where !parameters.isEmpty && parameters.allSatisfy(isDigit): break
        case ..<0x40: return .incomplete
        default: break
        }
        guard let numbers = numbers(in: parameters) else {
            return .key(.unknown, bytes: bytes.endIndex)
        }
        switch last {
        case UInt8(ascii: "~") where numbers.first == 200: return .paste
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "@"):
            return .key(key(number: numbers.first), bytes: bytes.endIndex)
        default:
            // The parameter is 1 plus the sum of Shift 1, Alt 2, Control 4 and Meta 8.
            let modifiers = max((numbers.last ?? 1) - 1, 0)
            let isByWord = isMeta || modifiers & 0b1110 != 0
            return .key(
                key(letter: last, isByWord: isByWord, isSingleShift: isSingleShift),
                bytes: bytes.endIndex)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The parameters as numbers; nil if they contain anything else.
    private static func numbers(in parameters: ArraySlice<UInt8>) -> [Int]? {
        guard !parameters.isEmpty else { return [] }
        let fields = parameters.split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard fields.allSatisfy({ $0.allSatisfy(isDigit) }) else { return nil }
        let numbers = fields.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == fields.count ? numbers : nil
    }

    private static func key(number: Int?) -> Key {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 3: .delete
        case 5: .pageUp
        case 6: .pageDown
        default: .unknown
        }
    }

    private static func key(letter: UInt8, isByWord: Bool, isSingleShift: Bool) -> Key {
        switch letter {
        case UInt8(ascii: "A"), UInt8(ascii: "a"): .up
        case UInt8(ascii: "B"), UInt8(ascii: "b"): .down
        case UInt8(ascii: "C"): isByWord ? .wordRight : .right
        case UInt8(ascii: "D"): isByWord ? .wordLeft : .left
        // In rxvt a lower-case letter means Control after `ESC O`, and Shift after `ESC [`.
        case UInt8(ascii: "c"): isByWord || isSingleShift ? .wordRight : .right
        case UInt8(ascii: "d"): isByWord || isSingleShift ? .wordLeft : .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: .unknown
        }
    }
}

/// A pasted text, read from its start mark to its end mark.
///
/// Source: xterm, "Bracketed Paste Mode".
private struct Paste {
    /// The maximum length of the text in bytes; the rest is discarded.
    private static let maximumBytes = 4096
    private static let endMark = Array("\u{1B}[201~".utf8)

    /// The bytes, of which some are controls that the text does not have.
    private var bytes: [UInt8] = []
    private var markLength = 0

    /// Whether the last byte was an escape, which may be a key of its own.
    var endsInEscape: Bool { markLength == 1 }

    /// Takes a byte, and returns whether it completed the end mark.
    mutating func receive(_ byte: UInt8) -> Bool {
        if byte == Self.endMark[markLength] {
            markLength += 1
            return markLength == Self.endMark.count
        }
        if bytes.count < 4 * Self.maximumBytes { bytes += Self.endMark.prefix(markLength) }
        markLength = byte == KeyReader.escape ? 1 : 0
        if markLength == 0, bytes.count < 4 * Self.maximumBytes { bytes.append(byte) }
        return false
    }

    /// The text in one line, without controls.
    var text: String {
        var (text, isAfterReturn) = ("", false)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            let isBlank = "\r\n\t\u{85}\u{2028}\u{2029}".unicodeScalars.contains(scalar)
            if scalar == "\n" && isAfterReturn || scalar.isControl && !isBlank { continue }
            let shown = isBlank ? " " : scalar
            guard text.utf8.count + UTF8.width(shown) <= Self.maximumBytes else { break }
            text.unicodeScalars.append(shown)
        }
        return text
    }
}
