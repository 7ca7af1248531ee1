import EventLog
import Storage

/// A line as it is told, whatever its sum.
struct Told: Equatable, Sendable {
    var kind: EntryKind
    var words: String
    var metadata: Int64?

    static func event(_ number: Int, metadata: Int64? = nil) -> Told {
        Told(kind: .event(number), words: "PRICE \(number)", metadata: metadata)
    }
}

/// The format of a journal once more, by somebody who has not read the code that writes it.
struct Forge {
    private(set) var text = ""
    private(set) var sum = "00000000"

    /// The sum, a bit at a time.
    static func sum(_ text: String) -> String {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in text.utf8 {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register % 2 == 1 ? register / 2 ^ 0x82F6_3B78 : register / 2
            }
        }
        let digits = String(~register, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    mutating func line(_ mark: String, _ rest: String) {
        sum = Self.sum("\(sum) \(mark) \(rest)")
        text += "\(mark) \(sum) \(rest)\n"
    }

    mutating func begin(first: Int, state: [Told] = []) {
        text = ""
        line("-", "JOURNAL auction/2 first=\(first) after=\(sum) state=\(state.count)\t*")
        for told in state { line(told, isFirst: false) }
    }

    /// Ends a segment behind which another one begins.
    mutating func close(next first: Int) {
        line("-", "NEXT \(fileName(first))\t*")
    }

    mutating func batch(_ lines: [Told]) {
        for (index, told) in lines.enumerated() { line(told, isFirst: index == 0) }
    }

    private mutating func line(_ told: Told, isFirst: Bool) {
        let metadata = [told.metadata.map { "\($0)" }, isFirst ? "*" : nil].compactMap { $0 }
        let tail = metadata.isEmpty ? "" : "\t" + metadata.joined(separator: " ")
        switch told.kind {
        case .event(let number): line("\(number)", told.words + tail)
        case .restated(let number): line("=\(number)", told.words + tail)
        case .note, .segment: line("-", told.words + tail)
        }
    }

    var bytes: [UInt8] { Array(text.utf8) }
}

/// The name of a segment's file until it is whole.
func draftName(_ first: Int) -> String { fileName(first) + ".new" }

/// The name of a segment's file.
func fileName(_ first: Int) -> String {
    let digits = "\(first)"
    return String(repeating: "0", count: 12 - digits.count) + digits + ".journal"
}
