/// The hash function of the WebSocket handshake, which is not secure for any other purpose.
///
/// Source: RFC 3174.
package enum SHA1 {
    /// Computes the hash of the bytes, which has 20 bytes.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = padding(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            update(&state, with: padded[start..<start + 64])
        }
        return state.flatMap(\.bigEndianBytes)
    }

    /// The message with a 1 bit, zeros and its length in bits, a multiple of 64 bytes.
    private static func padding(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) * 8
        padded += UInt32(truncatingIfNeeded: bits >> 32).bigEndianBytes
        padded += UInt32(truncatingIfNeeded: bits).bigEndianBytes
        return padded
    }

    private static func update(_ state: inout [UInt32], with block: ArraySlice<UInt8>) {
        let words = schedule(block)
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let mixed: UInt32
            switch round {
            case ..<20: mixed = (b & c | ~b & d) &+ 0x5A82_7999
            case ..<40: mixed = (b ^ c ^ d) &+ 0x6ED9_EBA1
            case ..<60: mixed = (b & c | b & d | c & d) &+ 0x8F1B_BCDC
            default: mixed = (b ^ c ^ d) &+ 0xCA62_C1D6
            }
            (a, b, c, d, e) = (a.rotated(by: 5) &+ mixed &+ e &+ word, a, b.rotated(by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    /// The 80 words that a block is expanded to.
    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(word.rotated(by: 1))
        }
        return words
    }
}

extension UInt32 {
    fileprivate func rotated(by count: UInt32) -> UInt32 { self << count | self >> (32 - count) }

    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
