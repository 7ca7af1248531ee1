import AuctionRules

extension Price {
    /// The amount with a comma before each three digits, as in `1,050`.
    package var grouped: String { amount.grouped }
}

extension Int64 {
    /// The number with a comma before each three digits.
    package var grouped: String {
        guard magnitude >= 1_000 else { return "\(self)" }
        let rest = "\(magnitude % 1_000)"
        return (self / 1_000).grouped + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
