extension PeerAddress {
    /// Reads an address as it is written, `192.0.2.1` or `2001:db8::1`; nil if it is none.
    ///
    /// An address of IPv4 has four numbers without zeros before them. No zone, no brackets.
    ///
    /// Source: RFC 4291, section 2.2; RFC 6943, section 3.1.1.
    public init?(_ text: some StringProtocol) {
        if let bits = Self.version4(text) {
            self.init(version4: bits)
        } else if let groups = Self.groups(text) {
            self.init(high: Self.word(groups[..<4]), low: Self.word(groups[4...]))
            if self == .local { return nil }
        } else {
            return nil
        }
    }

    /// The 32 bits of an address of IPv4.
    static func version4(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.count == 1 || part.first != "0",
                let number = UInt8(decimal: part)
            else { return nil }
            bits = bits << 8 | UInt32(number)
        }
        return bits
    }

    /// The eight groups of 16 bits of an address of IPv6.
    private static func groups(_ text: some StringProtocol) -> [UInt16]? {
        let bytes = Array(text.utf8)
        guard let gap = gap(in: bytes) else {
            let groups = groups(bytes[...], isEnd: true)
            return groups?.count == 8 ? groups : nil
        }
        guard let before = groups(bytes[..<gap], isEnd: false),
            let after = groups(bytes[(gap + 2)...], isEnd: true),
            before.count + after.count < 8
        else { return nil }
        return before + Array(repeating: 0, count: 8 - before.count - after.count) + after
    }

    /// Where the first `::` stands.
    private static func gap(in bytes: [UInt8]) -> Int? {
        let colon = UInt8(ascii: ":")
        return bytes.indices.dropLast().first { bytes[$0] == colon && bytes[$0 + 1] == colon }
    }

    /// Groups with a colon between each two; the last two of all may be an address of IPv4.
    private static func groups(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> [UInt16]? {
        guard !bytes.isEmpty else { return [] }
        let parts = bytes.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if let group = group(part) {
                groups.append(group)
            } else if isEnd, index == parts.count - 1,
                let bits = version4(String(decoding: part, as: UTF8.self))
            {
                groups += [UInt16(bits >> 16), UInt16(bits & 0xFFFF)]
            } else {
                return nil
            }
        }
        return groups
    }

    private static func group(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count),
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func word(_ groups: ArraySlice<UInt16>) -> UInt64 {
        groups.reduce(0) { $0 << 16 | UInt64($1) }
    }
}

extension UInt8 {
    /// Reads decimal digits alone; nil for anything else, and for more than 255.
    init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        self.init(text, radix: 10)
    }
}
