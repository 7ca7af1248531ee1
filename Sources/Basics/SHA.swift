/// The hash function SHA-256.
///
/// Source: FIPS 180-4, section 6.2.
package enum SHA256 {
    /// Computes the hash of the bytes, which has 32 bytes.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
            0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        forEachBlock(of: message) { update(&state, with: $0) }
        return state.flatMap(\.bigEndianBytes)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
        0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
        0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
        0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
        0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private static func update(_ state: inout [UInt32], with block: ArraySlice<UInt8>) {
        let words = schedule(block)
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sumOfE = e.rotated(by: 26) ^ e.rotated(by: 21) ^ e.rotated(by: 7)
            let choice = e & f ^ ~e & g
            let first = h &+ sumOfE &+ choice &+ constants[round] &+ words[round]
            let sumOfA = a.rotated(by: 30) ^ a.rotated(by: 19) ^ a.rotated(by: 10)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sumOfA &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    /// The 64 words that a block is expanded to.
    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words = bigEndianWords(of: block, reserving: 64)
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = early.rotated(by: 25) ^ early.rotated(by: 14) ^ early >> 3
            let second = late.rotated(by: 15) ^ late.rotated(by: 13) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        return words
    }
}

/// The hash function SHA-1, for protocols that require it.
///
/// Two messages with the same hash can be found; HMAC with SHA-1 is still secure.
///
/// Source: FIPS 180-4, section 6.1.
package enum SHA1 {
    /// Computes the hash of the bytes, which has 20 bytes.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        forEachBlock(of: message) { update(&state, with: $0) }
        return state.flatMap(\.bigEndianBytes)
    }

    /// Computes the hash of the bytes with a secret key; without the key nobody can predict it.
    ///
    /// Source: RFC 2104, HMAC.
    package static func digest(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = key.count > blockBytes ? digest(of: key) : key
        let padded = key + Array(repeating: 0, count: blockBytes - key.count)
        let inner = digest(of: padded.map { $0 ^ 0x36 } + message)
        return digest(of: padded.map { $0 ^ 0x5C } + inner)
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
        var words = bigEndianWords(of: block, reserving: 80)
        for index in 16..<80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(word.rotated(by: 1))
        }
        return words
    }
}

/// The bytes of a block, of both functions.
private let blockBytes = 64

/// Calls `body` with the blocks of the message, a 1 bit, zeros and its length in bits.
private func forEachBlock(of message: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
    let zeros = (blockBytes + 55 - message.count % blockBytes) % blockBytes
    let bits = UInt64(message.count) * 8
    var padded = message
    padded.reserveCapacity(message.count + zeros + 9)
    padded.append(0x80)
    padded += repeatElement(0, count: zeros)
    padded += UInt32(truncatingIfNeeded: bits >> 32).bigEndianBytes
    padded += UInt32(truncatingIfNeeded: bits).bigEndianBytes
    for start in stride(from: 0, to: padded.count, by: blockBytes) {
        body(padded[start..<start + blockBytes])
    }
}

private func bigEndianWords(of block: ArraySlice<UInt8>, reserving count: Int) -> [UInt32] {
    var words: [UInt32] = []
    words.reserveCapacity(count)
    for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
        words.append(block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    return words
}

extension UInt32 {
    /// Rotates the bits to the left.
    fileprivate func rotated(by count: UInt32) -> UInt32 { self << count | self >> (32 - count) }

    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
