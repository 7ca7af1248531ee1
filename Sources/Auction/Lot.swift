import Basics

/// An item for sale: its number in the sale, and its title.
public struct Lot: Hashable, Sendable {
    /// The number, from 1.
    public let number: Int

    /// The title, one line of text.
    public let title: String

    /// The maximum length of a title in UTF-8 bytes.
    public static let longestTitle = 200

    /// Whether a text can be a title: one printable line with at least one visible character.
    public static func isTitle(_ text: String) -> Bool {
        text.utf8.count <= longestTitle && text.isPrintable
            && text.unicodeScalars.contains(where: \.isVisible)
    }

    /// Creates a lot with a title, which must satisfy `isTitle`; this is not checked.
    public init(number: Int, title: String) {
        self.number = number
        self.title = title
    }

    /// Creates a lot titled after its number, such as `lot-1`.
    public init(number: Int) {
        self.init(number: number, title: "lot-\(number)")
    }
}

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

/// An accepted bid.
public struct Bid: Hashable, Sendable {
    /// The number of the bid in its lot, from 1.
    public let number: Int

    /// The price that the bid set.
    public let price: Price

    /// The bidder.
    public let bidder: Bidder

    /// The time from the opening of the lot to the bid.
    public let elapsed: Duration

    /// The longest time of a lot's clock, about three years; longer times are clamped.
    public static let longestElapsed = Duration.seconds(100_000_000)

    /// Creates the record of a bid; clamps the time to 0 through `longestElapsed`.
    public init(number: Int, price: Price, bidder: Bidder, elapsed: Duration) {
        self.number = number
        self.price = price
        self.bidder = bidder
        // Most times are brief; to compare durations is a call into the standard library.
        let isBrief = elapsed.briefNanoseconds != nil
        self.elapsed = isBrief ? elapsed : min(max(elapsed, .zero), Self.longestElapsed)
    }
}
