/// An iterator over the words of a line, which are separated by spaces and tabs.
struct Words {
    private var position = 0

    /// Returns the position of the next word; nil after the last.
    mutating func next(in line: Span<UInt8>) -> Range<Int>? {
        skipBlanks(in: line)
        let start = position
        while position < line.count, !Self.isBlank(line[position]) { position += 1 }
        return start < position ? start..<position : nil
    }

    /// Returns the position of the rest of the line without blanks around it; nil if there is none.
    mutating func remainder(of line: Span<UInt8>) -> Range<Int>? {
        skipBlanks(in: line)
        var end = line.count
        while end > position, Self.isBlank(line[end - 1]) { end -= 1 }
        defer { position = line.count }
        return position < end ? position..<end : nil
    }

    private mutating func skipBlanks(in line: Span<UInt8>) {
        while position < line.count, Self.isBlank(line[position]) { position += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

extension Span<UInt8> {
    func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// The word with its ASCII letters in lower case.
    func lowercasedText(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { buffer in
            for (offset, index) in range.enumerated() {
                let byte = self[index]
                let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                buffer[offset] = isUpper ? byte | 0x20 : byte
            }
            return range.count
        }
    }

    /// The rest of a word that begins with these ASCII letters; nil if it begins otherwise.
    func value(of name: StaticString, in word: Range<Int>) -> Range<Int>? {
        let count = name.utf8CodeUnitCount
        guard word.count >= count else { return nil }
        for offset in 0..<count where self[word.lowerBound + offset] != name.utf8Start[offset] {
            return nil
        }
        return word.lowerBound + count..<word.upperBound
    }

    /// The number in the digits; nil if there is anything else, or it is too large.
    func number(_ range: Range<Int>) -> Int64? {
        guard !range.isEmpty else { return nil }
        var number: Int64 = 0
        for index in range {
            let digit = self[index] &- UInt8(ascii: "0")
            guard digit <= 9, number < Int64.max / 10 else { return nil }
            number = number * 10 + Int64(digit)
        }
        return number
    }

    /// Whether the bytes are UTF-8; pure ASCII is recognized without a copy.
    var isUTF8: Bool {
        for index in indices where self[index] >= 0x80 {
            return withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
        }
        return true
    }
}
