/// A validator of a stream of bytes that must be UTF-8.
///
/// Source: The Unicode Standard, table 3-7.
struct UTF8Validator: Equatable, Sendable {
    /// The bytes that may follow.
    private enum Awaited: UInt8 {
        case start
        case last
        case lastTwo
        case lastThree
        case afterE0
        case afterED
        case afterF0
        case afterF4
    }

    private var awaited = Awaited.start

    /// Whether the text may end here.
    var isComplete: Bool { awaited == .start }

    /// Uses the next byte; false if it is not allowed here.
    mutating func receive(_ byte: UInt8) -> Bool {
        guard let next = following(byte) else { return false }
        awaited = next
        return true
    }

    private func following(_ byte: UInt8) -> Awaited? {
        switch awaited {
        case .start: Self.after(first: byte)
        case .last: (0x80...0xBF).contains(byte) ? .start : nil
        case .lastTwo: (0x80...0xBF).contains(byte) ? .last : nil
        case .lastThree: (0x80...0xBF).contains(byte) ? .lastTwo : nil
        case .afterE0: (0xA0...0xBF).contains(byte) ? .last : nil
        case .afterED: (0x80...0x9F).contains(byte) ? .last : nil
        case .afterF0: (0x90...0xBF).contains(byte) ? .lastTwo : nil
        case .afterF4: (0x80...0x8F).contains(byte) ? .lastTwo : nil
        }
    }

    private static func after(first byte: UInt8) -> Awaited? {
        switch byte {
        case 0x00...0x7F: .start
        case 0xC2...0xDF: .last
        case 0xE0: .afterE0
        case 0xED: .afterED
        case 0xE1...0xEF: .lastTwo
        case 0xF0: .afterF0
        case 0xF1...0xF3: .lastThree
        case 0xF4: .afterF4
        default: nil
        }
    }
}
