private let lineFeed = UInt8(ascii: "\n")

/// Counts bids by the number at the end of the newest `PRICE` line.
///
/// The numbers have no gap, and bytes are counted beside them: an observer that missed some has
/// heard fewer bytes than another, or more, as it was sent a snapshot.
func countPrices(_ bytes: UnsafeRawBufferPointer, in heard: inout Heard) -> Int {
    guard let last = lastLineFeed(in: bytes, before: bytes.count) else { return 0 }
    guard let newest = newestPrice(in: bytes, endingAt: last) else {
        if heard.base != nil { heard.bytesSince += last + 1 }
        return last + 1
    }
    var start = 0
    if heard.base == nil {
        let first = firstPrice(in: bytes) ?? newest
        heard.base = number(in: bytes, endingAt: first.upperBound) - 1
        start = first.lowerBound
    }
    let number = number(in: bytes, endingAt: newest.upperBound)
    heard.deliveries = max(heard.deliveries, number - (heard.base ?? 0))
    heard.bytes += heard.bytesSince + newest.upperBound + 1 - start
    heard.bytesSince = last - newest.upperBound
    return last + 1
}

/// The last `PRICE` line, from its first byte to its LF, where `last` is the last LF of all.
private func newestPrice(
    in bytes: UnsafeRawBufferPointer, endingAt last: Int
) -> Range<Int>? {
    var end = last
    while true {
        let start = lastLineFeed(in: bytes, before: end).map { $0 + 1 } ?? 0
        if isPrice(bytes, at: start) { return start..<end }
        if start == 0 { return nil }
        end = start - 1
    }
}

private func firstPrice(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    var start = 0
    while let end = bytes[start...].firstIndex(of: lineFeed) {
        if isPrice(bytes, at: start) { return start..<end }
        start = end + 1
    }
    return nil
}

/// Tells `PRICE` from `PASSED`.
private func isPrice(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    start + 1 < bytes.count && bytes[start] == UInt8(ascii: "P")
        && bytes[start + 1] == UInt8(ascii: "R")
}

private func lastLineFeed(in bytes: UnsafeRawBufferPointer, before end: Int) -> Int? {
    var index = end - 1
    while index >= 0 {
        if bytes[index] == lineFeed { return index }
        index -= 1
    }
    return nil
}

/// The number that the digits before an index make; no lot has more than 15 digits of bids.
private func number(in bytes: UnsafeRawBufferPointer, endingAt end: Int) -> Int {
    var (number, scale, index) = (0, 1, end - 1)
    while index >= max(0, end - 15), bytes[index] &- UInt8(ascii: "0") <= 9 {
        number += Int(bytes[index] &- UInt8(ascii: "0")) * scale
        scale *= 10
        index -= 1
    }
    return number
}
