import Auction

/// The text of a time since the opening of a lot: `MM:SS.d`, truncated to a tenth.
enum LotTime {
    static func append(_ elapsed: Duration, to text: inout LineBuffer) {
        let tenths = max(elapsed.wholeMilliseconds, 0) / 100
        text.append(tenths / 600, width: 2)
        text.append(":")
        text.append(lastDigitOf: tenths / 100 % 6)
        text.append(lastDigitOf: tenths / 10)
        text.append(".")
        text.append(lastDigitOf: tenths)
    }

    static func parse(_ word: some StringProtocol) -> Duration? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (2...7).contains(parts[0].utf8.count), parts[1].utf8.count == 4,
            let minutes = Int64(digits: parts[0]),
            let seconds = Int64(digits: parts[1].prefix(2)), seconds < 60,
            parts[1].dropFirst(2).first == ".",
            let tenths = Int64(digits: parts[1].suffix(1))
        else { return nil }
        let elapsed = Duration.milliseconds(minutes * 60_000 + seconds * 1_000 + tenths * 100)
        return elapsed <= Bid.longestElapsed ? elapsed : nil
    }
}

extension Duration {
    /// Parses seconds, whole or with at most nine digits after a point; nil if they exceed 10⁹.
    init?(seconds text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : "0"
        guard let seconds = parts.first.flatMap({ Int64(digits: $0) }), seconds <= 1_000_000_000,
            fraction.utf8.count <= 9, let digits = Int64(digits: fraction)
        else { return nil }
        let unit = (fraction.utf8.count..<9).reduce(Int64(1)) { unit, _ in unit * 10 }
        self = .seconds(seconds) + .nanoseconds(digits * unit)
    }

    /// The seconds as `init(seconds:)` parses them, without needless digits after the point.
    package var secondsText: String {
        var bytes: [UInt8] = []
        bytes.appendBuffered { $0.append(seconds: self) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The time since the opening of a lot as text, such as `00:03.2`.
    public var lotTime: String {
        var bytes: [UInt8] = []
        bytes.appendBuffered { LotTime.append(self, to: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole milliseconds, truncated.
    package var wholeMilliseconds: Int64 {
        if let briefNanoseconds { return briefNanoseconds / 1_000_000 }
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
