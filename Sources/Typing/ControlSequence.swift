/// What follows `ESC [` or `ESC O`: bytes of parameters, and a last byte that says which key it is.
///
/// The forms are those of xterm, rxvt and the console of Linux.
///
/// Source: ECMA-48, section 5.4; xterm, "XTerm Control Sequences"; rxvt, "Key Codes".
struct ControlSequence {
    /// What a byte makes of the sequence.
    enum Progress {
        case goesOn
        case key(Key)
        case paste
        /// The byte is no part of a sequence, and is to be read anew.
        case brokenOff
    }

    /// The most bytes that a sequence may have; after them it is given up.
    static let limit = 4096

    private let isSingleShift: Bool
    private let isMeta: Bool
    private var isConsoleFunction = false
    private var parameters: [UInt8] = []

    /// Begins a sequence after `ESC O`, or else `ESC [`; with Alt if one more escape went before.
    init(isSingleShift: Bool, isMeta: Bool) {
        self.isSingleShift = isSingleShift
        self.isMeta = isMeta
    }

    /// Takes the next byte.
    mutating func receive(_ byte: UInt8) -> Progress {
        guard (0x20...0x7E).contains(byte), parameters.count < Self.limit else { return .brokenOff }
        if isConsoleFunction { return .key(.unknown) }
        switch byte {
        case UInt8(ascii: "[") where parameters.isEmpty && !isSingleShift:
            isConsoleFunction = true
        case UInt8(ascii: "$") where isNumber:
            // With rxvt a dollar sign after a number is Shift, and the last byte.
            return progress(endingIn: byte)
        case ..<0x40:
            parameters.append(byte)
        default:
            return progress(endingIn: byte)
        }
        return .goesOn
    }

    private func progress(endingIn last: UInt8) -> Progress {
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

    /// Whether the parameters are one number.
    private var isNumber: Bool { !parameters.isEmpty && parameters.allSatisfy(Self.isDigit) }

    /// The numbers of the parameters; nil if they are anything else.
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
        // One more than the sum of Shift 1, Alt 2, Control 4 and Meta 8.
        let isByWord = isMeta || modifiers > 1 && (modifiers - 1) & 0b1110 != 0
        switch letter {
        case UInt8(ascii: "A"), UInt8(ascii: "a"): return .up
        case UInt8(ascii: "B"), UInt8(ascii: "b"): return .down
        case UInt8(ascii: "C"): return isByWord ? .wordRight : .right
        case UInt8(ascii: "D"): return isByWord ? .wordLeft : .left
        // With rxvt a small letter is Control after `ESC O`, and Shift after `ESC [`.
        case UInt8(ascii: "c"): return isByWord || isSingleShift ? .wordRight : .right
        case UInt8(ascii: "d"): return isByWord || isSingleShift ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        default: return .unknown
        }
    }
}
