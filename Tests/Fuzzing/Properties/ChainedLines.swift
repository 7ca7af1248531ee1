import Basics
import Journal

/// A line of a journal, as a replay receives it.
struct ReadLine: Equatable {
    let kind: EntryKind
    let words: [UInt8]
    let metadata: Int64?
}

/// The lines of a segment as far as each has the sum that follows from the one before: the format
/// once more, read without the code that it is to be compared with.
struct ChainedLines {
    private(set) var lines: [ReadLine] = []
    /// The bytes that they take.
    private(set) var end = 0

    init(of bytes: [UInt8]) {
        var sum: [UInt8]?
        while let feed = bytes[end...].firstIndex(of: UInt8(ascii: "\n")) {
            let text = bytes[end..<feed]
            guard let space = text.firstIndex(of: UInt8(ascii: " ")), space + 10 <= feed,
                text[space + 9] == UInt8(ascii: " "),
                let before = sum ?? Self.start(text[(space + 10)...]),
                let line = ReadLine(text[..<space], text[(space + 10)...]),
                Array(text[(space + 1)..<(space + 9)]) == Self.sum(before, text, space)
            else { return }
            sum = Array(text[(space + 1)..<(space + 9)])
            lines.append(line)
            end = feed + 1
        }
    }

    /// The sum behind the first ` after=` of a header.
    private static func start(_ words: ArraySlice<UInt8>) -> [UInt8]? {
        let words = words.prefix { $0 != UInt8(ascii: "\t") }
        let field = Array(" after=".utf8)
        let place = words.indices.first { words[$0...].starts(with: field) }
        guard let place, place + 15 <= words.endIndex else { return nil }
        return Array(words[(place + 7)..<(place + 15)])
    }

    private static func sum(
        _ before: [UInt8], _ text: ArraySlice<UInt8>, _ space: Int
    ) -> [UInt8] {
        let covered = before + Array(" ".utf8) + text[...space] + text[(space + 10)...]
        let register = covered.withUnsafeBytes { CRC32C().extend(CRC32C.start, by: $0) }
        let digits = String(~register, radix: 16)
        return Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8)
    }
}

extension ReadLine {
    fileprivate init?(_ mark: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) {
        let tab = rest.firstIndex(of: UInt8(ascii: "\t"))
        guard let kind = EntryKind(mark), let metadata = Metadata(tab.map { rest[($0 + 1)...] })
        else {
            return nil
        }
        self.init(
            kind: kind, words: Array(rest[..<(tab ?? rest.endIndex)]), metadata: metadata.number)
    }
}

extension EntryKind {
    fileprivate init?(_ text: ArraySlice<UInt8>) {
        if text.elementsEqual("-".utf8) {
            self = .note
        } else if text.first == UInt8(ascii: "=") {
            guard let number = Int(digits: text.dropFirst(), most: 999_999_999_999_999) else {
                return nil
            }
            self = .restated(number)
        } else {
            guard let number = Int(digits: text, most: 999_999_999_999_999) else { return nil }
            self = .event(number)
        }
    }
}

/// What stands behind a tab: a number, a star, or both.
private struct Metadata {
    let number: Int64?

    init?(_ text: ArraySlice<UInt8>?) {
        guard let text, !text.elementsEqual("*".utf8) else {
            number = nil
            return
        }
        let digits = text.suffix(2).elementsEqual(" *".utf8) ? text.dropLast(2) : text
        guard let value = Int(digits: digits, most: 999_999_999_999) else { return nil }
        number = Int64(value)
    }
}

extension Int {
    fileprivate init?(digits: ArraySlice<UInt8>, most: Int) {
        guard 1...18 ~= digits.count, digits.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(String(decoding: digits, as: UTF8.self)), number <= most
        else { return nil }
        self = number
    }
}
