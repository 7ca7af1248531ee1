/// An amount of a bid: a whole number from 1 to `Price.highest`.
public struct Price: Hashable, Comparable, Sendable {
    /// The amount, in the smallest unit of the auction's currency.
    ///
    /// - Invariant: from 1 to 1,000,000,000,000.
    public let amount: Int64

    /// The highest amount that can be bid, 1,000,000,000,000.
    public static let highest = Price(unchecked: 1_000_000_000_000)

    /// The lowest amount that can be bid, 1.
    public static let lowest = Price(unchecked: 1)

    /// Creates a price from an amount; nil if it is out of bounds.
    public init?(_ amount: Int64) {
        guard amount >= Self.lowest.amount, amount <= Self.highest.amount else { return nil }
        self.amount = amount
    }

    private init(unchecked amount: Int64) {
        self.amount = amount
    }

    /// Orders prices by their amounts.
    public static func < (lower: Price, higher: Price) -> Bool {
        lower.amount < higher.amount
    }
}
