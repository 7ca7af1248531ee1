/// A byte, or a copy of earlier bytes: the distance and the length.
///
/// Source: RFC 1951, section 4.
enum Token {
    case byte(UInt8)
    case copy(length: Int, distance: Int)

    /// The tokens from which the bytes follow.
    static func tokens(of bytes: [UInt8]) -> [Token] {
        var search = CopySearch(in: bytes)
        var tokens: [Token] = []
        var index = 0
        while index < bytes.count {
            let copy = search.longest(at: index)
            search.advance(to: index + 1)
            // A longer copy from the next byte on is worth the byte before it.
            if let copy, search.longest(at: index + 1)?.length ?? 0 <= copy.length {
                tokens.append(.copy(length: copy.length, distance: copy.distance))
                index += copy.length
            } else {
                tokens.append(.byte(bytes[index]))
                index += 1
            }
            search.advance(to: index)
        }
        return tokens
    }
}

/// Finds where bytes were before, by their first three.
private struct CopySearch {
    private static let lengths = 3...258
    private static let longestDistance = 32_768
    /// The number of places that are compared.
    private static let mostTries = 64
    /// The number of lists of places; three bytes share a list with others.
    private static let listCount = 1 << 12

    private let bytes: [UInt8]
    /// The newest place of each list, and for each place the one before it; -1 for none.
    private var newest = [Int](repeating: -1, count: listCount)
    private var before: [Int]
    /// The places before this one have been added.
    private var end = 0

    init(in bytes: [UInt8]) {
        self.bytes = bytes
        before = [Int](repeating: -1, count: bytes.count)
    }

    /// Adds the places before this one.
    mutating func advance(to index: Int) {
        while end < index {
            if let list = list(at: end) {
                before[end] = newest[list]
                newest[list] = end
            }
            end += 1
        }
    }

    /// The longest earlier copy of the bytes from this place on; of equal ones the nearest.
    func longest(at index: Int) -> (length: Int, distance: Int)? {
        guard let list = list(at: index) else { return nil }
        var longest = (length: Self.lengths.lowerBound - 1, distance: 0)
        var place = newest[list]
        for _ in 0..<Self.mostTries {
            guard place >= 0, index - place <= Self.longestDistance else { break }
            let length = commonLength(place, index)
            if length > longest.length { longest = (length, index - place) }
            place = before[place]
        }
        return longest.distance > 0 ? longest : nil
    }

    private func list(at index: Int) -> Int? {
        guard index + Self.lengths.lowerBound <= bytes.count else { return nil }
        let (first, second, third) = (bytes[index], bytes[index + 1], bytes[index + 2])
        return (Int(first) << 8 ^ Int(second) << 4 ^ Int(third)) % Self.listCount
    }

    private func commonLength(_ start: Int, _ index: Int) -> Int {
        let most = min(Self.lengths.upperBound, bytes.count - index)
        var length = 0
        while length < most, bytes[start + length] == bytes[index + length] { length += 1 }
        return length
    }
}
