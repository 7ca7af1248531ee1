/// A hash that cannot be predicted without its key: SipHash-2-4.
///
/// `Hasher` cannot be used: its key changes with each process, and these hashes must survive a
/// restart.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
package struct KeyedHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// The bytes that do not fill a word yet, the first in the least significant byte.
    private var tail: UInt64 = 0
    private var count: UInt64 = 0

    /// Creates a hash whose key is the seed.
    package init(key: Seed) {
        self.init(low: key.low, high: key.high)
    }

    /// Creates a hash whose key has these two halves.
    package init(low: UInt64, high: UInt64) {
        v0 = low ^ 0x736f_6d65_7073_6575
        v1 = high ^ 0x646f_7261_6e64_6f6d
        v2 = low ^ 0x6c79_6765_6e65_7261
        v3 = high ^ 0x7465_6462_7974_6573
    }

    /// Adds a byte to the message.
    package mutating func combine(_ byte: UInt8) {
        tail |= UInt64(byte) << (count % 8 * 8)
        count += 1
        guard count.isMultiple(of: 8) else { return }
        compress(tail)
        tail = 0
    }

    /// Adds the eight bytes of a number to the message, the least significant first.
    package mutating func combine(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            combine(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Adds a name to the message, without the case of its letters.
    package mutating func combine(_ bidder: Bidder) {
        let (first, second, third) = bidder.foldedWords
        for word in [first, second, third] { combine(word) }
    }

    /// Ends the message and returns its hash.
    package consuming func finish() -> UInt64 {
        compress(tail | count << 56)
        v2 ^= 0xff
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func compress(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    private mutating func round() {
        v0 &+= v1
        v1 = rotate(v1, by: 13) ^ v0
        v0 = rotate(v0, by: 32)
        v2 &+= v3
        v3 = rotate(v3, by: 16) ^ v2
        v0 &+= v3
        v3 = rotate(v3, by: 21) ^ v0
        v2 &+= v1
        v1 = rotate(v1, by: 17) ^ v2
        v2 = rotate(v2, by: 32)
    }

    private func rotate(_ word: UInt64, by bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }
}
