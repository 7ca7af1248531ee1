import Wire

/// More bytes do not change an answer once it is known; a header is within its bounds, and the
/// bytes after it do not affect it.
func checkProxyHeader(_ bytes: [UInt8]) throws(Violation) {
    var known: ProxyHeader.Reading?
    for count in 0...bytes.count {
        let reading = ProxyHeader.read(Array(bytes[..<count]))
        if let known {
            try hold(reading == known, "\(known) became \(reading) with byte \(count)")
        } else if reading != .needsMore {
            known = reading
            try checkBounds(reading, count)
        }
    }
}

private func checkBounds(_ reading: ProxyHeader.Reading, _ count: Int) throws(Violation) {
    guard case .header(let header) = reading else { return }
    try hold(header.length == count, "a header of \(header.length) bytes was known after \(count)")
}
