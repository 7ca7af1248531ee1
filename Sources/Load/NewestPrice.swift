private let lineFeed = UInt8(ascii: "\n")

/// The amount in the last `PRICE` line that is whole in a chunk; nil if there is none.
///
/// It reads backwards, and in a storm of bids finds one at once.
public func newestPrice(in bytes: Span<UInt8>) -> Int64? {
    bytes.withUnsafeBytes { bytes in
        var end = bytes.lastIndex(of: lineFeed)
        while let lineEnd = end {
            end = bytes[..<lineEnd].lastIndex(of: lineFeed)
            let line = bytes[(end.map { $0 + 1 } ?? 0)..<lineEnd]
            if line.starts(with: "PRICE ".utf8) { return leadingAmount(line.dropFirst(6)) }
        }
        return nil
    }
}

/// The number that the digits at the front make; no price has more than 13.
func leadingAmount(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int64 {
    var amount: Int64 = 0
    for byte in bytes.prefix(13) {
        let digit = byte &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        amount = amount * 10 + Int64(digit)
    }
    return amount
}
