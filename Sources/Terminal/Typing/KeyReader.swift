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
    static let replacement = Key.character(Character(ScalarReader.replacement))
}

extension Unicode.Scalar {
    /// Whether this is a control character: C0, DEL or C1.
    var isControl: Bool { properties.generalCategory == .control }
}

/// A parser that turns the bytes of a terminal in raw mode into keys.
///
/// Stores at most 4 KiB of an incomplete sequence. A byte that cannot be part of the sequence, such
/// as Control-C, aborts it and is a key of its own.
package struct KeyReader: Sendable {
    private enum Mode {
        case text
        /// After one or two `ESC`.
        case escape(isDoubled: Bool)
        /// After `ESC` and the first byte of a scalar, which together are one unknown key.
        case metaText
        /// After `ESC [` or `ESC O`.
        case sequence
        /// After `ESC ]` and the like.
        case string
        case paste
    }

    static let escape: UInt8 = 0x1B

    private var mode = Mode.text
    private var scalars = ScalarReader()
    private var sequence = ControlSequence(isSingleShift: false, isMeta: false)
    private var string = ControlString()
    private var paste = Paste()

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
    package var awaitsMore: Bool {
        switch mode {
        case .text: scalars.isHolding
        case .paste: paste.endsInEscape
        case .escape, .metaText, .sequence, .string: true
        }
    }

    /// Ends an incomplete sequence, and returns its keys; an escape alone is the escape key.
    ///
    /// A paste continues, so that its rest is not read as keys. An escape alone ends it, in case
    /// the terminal omitted the end mark.
    package mutating func flush() -> [Key] {
        guard awaitsMore else { return [] }
        defer { leave() }
        switch mode {
        case .text: return [.replacement]
        case .escape(isDoubled: false): return [.escape]
        case .escape(isDoubled: true): return [.escape, .escape]
        case .metaText, .sequence: return [.unknown]
        case .string: return string.isAfterEscape ? [.unknown, .escape] : [.unknown]
        case .paste:
            paste.finish()
            return [.pasted(paste.text)]
        }
    }

    private mutating func leave() {
        (mode, scalars, paste) = (.text, ScalarReader(), Paste())
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch mode {
        case .text: takeText(byte, &keys)
        case .escape(let isDoubled): takeAfterEscape(byte, isDoubled: isDoubled, &keys)
        case .metaText: takeMetaText(byte, &keys)
        case .sequence: takeSequence(byte, &keys)
        case .string: takeString(byte, &keys)
        case .paste: takePaste(byte, &keys)
        }
    }

    private mutating func takeText(_ byte: UInt8, _ keys: inout [Key]) {
        if scalars.isCutOff(by: byte) { keys.append(.replacement) }
        if byte == Self.escape {
            mode = .escape(isDoubled: false)
        } else if let scalar = scalars.receive(byte) {
            keys.append(Key(scalar))
        }
    }

    private mutating func takeAfterEscape(_ byte: UInt8, isDoubled: Bool, _ keys: inout [Key]) {
        let isSequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
        if isSequence {
            sequence = ControlSequence(isSingleShift: byte == UInt8(ascii: "O"), isMeta: isDoubled)
            mode = .sequence
            return
        }
        if isDoubled { keys.append(.escape) }
        mode = .text
        switch byte {
        case Self.escape:
            mode = .escape(isDoubled: true)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
            UInt8(ascii: "_"):
            (mode, string) = (.string, ControlString())
        case UInt8(ascii: "b"): keys.append(.wordLeft)
        case UInt8(ascii: "f"): keys.append(.wordRight)
        case 0x08, 0x7F: keys.append(.control("w"))
        case ..<0x20:
            keys.append(.escape)
            takeText(byte, &keys)
        default:
            mode = .metaText
            takeMetaText(byte, &keys)
        }
    }

    private mutating func takeMetaText(_ byte: UInt8, _ keys: inout [Key]) {
        let isCutOff = scalars.isCutOff(by: byte)
        guard isCutOff || scalars.receive(byte) != nil else { return }
        keys.append(.unknown)
        mode = .text
        if isCutOff { takeText(byte, &keys) }
    }

    private mutating func takeSequence(_ byte: UInt8, _ keys: inout [Key]) {
        switch sequence.receive(byte) {
        case .incomplete:
            break
        case .key(let key):
            keys.append(key)
            mode = .text
        case .paste:
            mode = .paste
        case .aborted:
            keys.append(.unknown)
            mode = .text
            takeText(byte, &keys)
        }
    }

    private mutating func takeString(_ byte: UInt8, _ keys: inout [Key]) {
        let state = string.receive(byte)
        if case .incomplete = state { return }
        keys.append(.unknown)
        mode = .text
        guard case .aborted = state else { return }
        if string.isAfterEscape {
            takeAfterEscape(byte, isDoubled: false, &keys)
        } else {
            takeText(byte, &keys)
        }
    }

    private mutating func takePaste(_ byte: UInt8, _ keys: inout [Key]) {
        guard paste.receive(byte) else { return }
        keys.append(.pasted(paste.text))
        leave()
    }
}
