import Basics
import Journal

/// An entry of a journal, without its checksum.
struct TestEntry: Equatable, Sendable {
    var kind: EntryKind
    var words: String
    var metadata: Int64?

    static func event(_ number: Int, metadata: Int64? = nil) -> TestEntry {
        TestEntry(kind: .event(number), words: "PRICE \(number)", metadata: metadata)
    }
}

/// The format of a journal, implemented once more, independently of the code that writes it.
struct Forge {
    private(set) var text = ""
    private(set) var sum = "00000000"

    /// The checksum, a bit at a time.
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

    mutating func begin(first: Int, state: [TestEntry] = [], version: Int = 5) {
        text = ""
        line("-", "JOURNAL auction/\(version) first=\(first) after=\(sum) state=\(state.count)\t*")
        for entry in state { line(entry, isFirst: false) }
    }

    /// Ends a segment, after which another one begins.
    mutating func close(next first: Int) {
        line("-", "NEXT \(fileName(first))\t*")
    }

    mutating func batch(_ lines: [TestEntry]) {
        for (index, entry) in lines.enumerated() { line(entry, isFirst: index == 0) }
    }

    private mutating func line(_ entry: TestEntry, isFirst: Bool) {
        let metadata = [entry.metadata.map { "\($0)" }, isFirst ? "*" : nil].compactMap { $0 }
        let tail = metadata.isEmpty ? "" : "\t" + metadata.joined(separator: " ")
        switch entry.kind {
        case .event(let number): line("\(number)", entry.words + tail)
        case .restated(let number): line("=\(number)", entry.words + tail)
        case .note, .segment: line("-", entry.words + tail)
        }
    }

    var bytes: [UInt8] { Array(text.utf8) }
}

/// The name of a segment's file until it is durable.
func unfinishedName(_ first: Int) -> String { fileName(first) + ".new" }

/// The name of a segment's file.
func fileName(_ first: Int) -> String {
    let digits = "\(first)"
    return String(repeating: "0", count: 12 - digits.count) + digits + ".journal"
}
