import TestSupport

extension [UInt8] {
    /// The bytes in parts of at least one, cut anywhere.
    func split(by random: inout SplitMix64) -> [[UInt8]] {
        var (parts, rest) = ([[UInt8]](), self[...])
        let longest = Int.random(in: 1...200, using: &random)
        while !rest.isEmpty {
            let count = Int.random(in: 1...longest, using: &random)
            parts.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return parts
    }
}
