import Bidder

/// The state of a control sequence or control string after one more byte.
enum SequenceState {
    /// More bytes must follow.
    case incomplete
    /// It has ended, and is a key.
    case key(Key)
    /// It has ended, and a paste follows.
    case paste
    /// The byte is not part of it, and must be read as the next key.
    case aborted
}

/// The rest of a sequence after `ESC [` or `ESC O`: parameters, and a last byte that names the key.
///
/// Accepts the forms of xterm, rxvt and the Linux console.
///
/// Source: ECMA-48, section 5.4; xterm, "XTerm Control Sequences"; rxvt, "Key Codes".
struct ControlSequence {
    /// The maximum length of a sequence in bytes.
    static let maximumBytes = 4096

    private let isSingleShift: Bool
    private let isMeta: Bool
    private var isConsoleFunction = false
    private var parameters: [UInt8] = []

    /// Begins a sequence after `ESC O` or `ESC [`; `isMeta` means that another escape preceded it.
    init(isSingleShift: Bool, isMeta: Bool) {
        self.isSingleShift = isSingleShift
        self.isMeta = isMeta
    }

    /// Takes the next byte.
    mutating func receive(_ byte: UInt8) -> SequenceState {
        guard (0x20...0x7E).contains(byte), parameters.count < Self.maximumBytes else {
            return .aborted
        }
        if isConsoleFunction { return .key(.unknown) }
        switch byte {
        case UInt8(ascii: "[") where parameters.isEmpty && !isSingleShift:
            isConsoleFunction = true
        case UInt8(ascii: "$") where isNumber:
            // In rxvt a dollar sign after a number ends the sequence and means Shift.
            return state(endingIn: byte)
        case ..<0x40:
            parameters.append(byte)
        default:
            return state(endingIn: byte)
        }
        return .incomplete
    }

    private func state(endingIn last: UInt8) -> SequenceState {
        guard let numbers else { return .key(.unknown) }
        switch last {
        case UInt8(ascii: "~") where numbers.first == 200:
            return .paste
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "@"):
            return .key(numbers.first.map(Self.key(number:)) ?? .unknown)
        default:
            return .key(key(letter: last, modifiers: numbers.last ?? 1))
        }
    }

    /// Whether the parameters are a single number.
    private var isNumber: Bool { !parameters.isEmpty && parameters.allSatisfy(Self.isDigit) }

    /// The parameters as numbers; nil if they contain anything else.
    private var numbers: [Int]? {
        guard !parameters.isEmpty else { return [] }
        let fields = parameters.split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard fields.allSatisfy({ $0.allSatisfy(Self.isDigit) }) else { return nil }
        let numbers = fields.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == fields.count ? numbers : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func key(number: Int) -> Key {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 3: .delete
        case 5: .pageUp
        case 6: .pageDown
        default: .unknown
        }
    }

    private func key(letter: UInt8, modifiers: Int) -> Key {
        // The parameter is 1 plus the sum of Shift 1, Alt 2, Control 4 and Meta 8.
        let isByWord = isMeta || modifiers > 1 && (modifiers - 1) & 0b1110 != 0
        switch letter {
        case UInt8(ascii: "A"), UInt8(ascii: "a"): return .up
        case UInt8(ascii: "B"), UInt8(ascii: "b"): return .down
        case UInt8(ascii: "C"): return isByWord ? .wordRight : .right
        case UInt8(ascii: "D"): return isByWord ? .wordLeft : .left
        // In rxvt a lower-case letter means Control after `ESC O`, and Shift after `ESC [`.
        case UInt8(ascii: "c"): return isByWord || isSingleShift ? .wordRight : .right
        case UInt8(ascii: "d"): return isByWord || isSingleShift ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        default: return .unknown
        }
    }
}

/// A report of the terminal after `ESC ]`, `ESC P` and the like, up to `ESC \` or BEL.
///
/// Its content is discarded.
///
/// Source: ECMA-48, section 5.6; xterm, "XTerm Control Sequences".
struct ControlString {
    /// The maximum length of a string in bytes.
    static let maximumBytes = 4096

    private var length = 0
    /// Whether the last byte was an escape, which ends or aborts the string.
    private(set) var isAfterEscape = false

    /// Takes the next byte.
    mutating func receive(_ byte: UInt8) -> SequenceState {
        if isAfterEscape { return byte == UInt8(ascii: "\\") ? .key(.unknown) : .aborted }
        switch byte {
        case KeyReader.escape: isAfterEscape = true
        case 0x07: return .key(.unknown)
        case 0x20... where length < Self.maximumBytes: length += 1
        default: return .aborted
        }
        return .incomplete
    }
}
