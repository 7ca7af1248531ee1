extension Duration {
    /// Minutes, seconds and microseconds, such as `01:02.345678`.
    var stopwatch: String {
        let microseconds = nanoseconds / 1000
        let (seconds, rest) = (microseconds / 1_000_000, microseconds % 1_000_000)
        return "\(padded(seconds / 60, 2)):\(padded(seconds % 60, 2)).\(padded(rest, 6))"
    }
}

private func padded(_ number: Int64, _ length: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(length - digits.count, 0)) + digits
}
