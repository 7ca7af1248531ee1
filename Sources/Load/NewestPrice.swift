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
            if let amount = amount(in: line) { return amount }
        }
        return nil
    }
}

private func amount(in line: Slice<UnsafeRawBufferPointer>) -> Int64? {
    guard line.starts(with: "PRICE ".utf8) else { return nil }
    var amount: Int64 = 0
    // No price has more digits.
    for byte in line.dropFirst(6).prefix(13) {
        let digit = byte &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        amount = amount * 10 + Int64(digit)
    }
    return amount
}
