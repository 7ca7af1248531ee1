/// What makes a sale a game: what each bidder may spend, and the value of each lot for each bidder.
public struct GameOptions: Equatable, Sendable {
    /// What each bidder may spend in the sale; nil for no limit.
    public var purse: Price?

    /// How the lots get their values; nil if they have none.
    public let values: Values?

    /// The key of all draws.
    public let seed: Seed

    /// Whether what is left of a purse counts as profit.
    public let countsLeftover: Bool

    /// The number of the lot as which every lot is drawn; nil for its own.
    public var draws: Int?

    /// Creates the options of a game, in which each lot is drawn by its own number.
    public init(
        purse: Price? = nil, values: Values? = nil, seed: Seed, countsLeftover: Bool = false
    ) {
        (self.purse, self.values, self.seed) = (purse, values, seed)
        self.countsLeftover = countsLeftover
    }

    /// What everybody may know of the game; nil if it has neither purses nor values.
    package func published(lots: Int?) -> PublicGame? {
        guard purse != nil || values != nil else { return nil }
        return PublicGame(lots: lots, purse: purse, values: values, countsLeftover: countsLeftover)
    }

    /// The two models of value of auction theory.
    ///
    /// Source: Milgrom and Weber, "A theory of auctions and competitive bidding", 1982.
    public enum Values: Equatable, Sendable {
        /// A private value for each bidder and lot, drawn independently from a range.
        case personal(ClosedRange<Int64>)
        /// One common value for each lot, drawn from a range, and an estimate for each bidder.
        ///
        /// An estimate differs from the value by at most `noise`.
        case common(ClosedRange<Int64>, noise: Int64)

        /// The amounts that a range may have.
        public static let allowed = 0...Price.highest.amount

        /// The range from which the values are drawn.
        public var range: ClosedRange<Int64> {
            switch self {
            case .personal(let range), .common(let range, _): range
            }
        }

        /// The most by which an estimate differs from a common value; nil if the values are private.
        public var noise: Int64? {
            switch self {
            case .personal: nil
            case .common(_, let noise): noise
            }
        }
    }
}

/// What everybody may know of a game: how many lots there are, the purse, and how values are drawn.
public struct PublicGame: Equatable, Sendable {
    /// The number of lots that are planned; nil if they never end.
    public let lots: Int?
    /// What each bidder may spend in the sale; nil for no limit.
    public let purse: Price?
    /// How the lots get their values; nil if they have none.
    public let values: GameOptions.Values?
    /// Whether what is left of a purse counts as profit.
    public let countsLeftover: Bool

    /// Creates the announcement of a game.
    public init(
        lots: Int? = nil, purse: Price? = nil, values: GameOptions.Values? = nil,
        countsLeftover: Bool = false
    ) {
        (self.lots, self.purse, self.values) = (lots, purse, values)
        self.countsLeftover = countsLeftover
    }
}

/// A number by which draws are repeated: the same seed draws the same values.
public struct Seed: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// Creates a seed that anybody can repeat, and therefore predict.
    public init(_ number: UInt64) {
        (high, low) = (0, number)
    }

    /// Draws a seed from a generator, which must be unpredictable.
    public init(using generator: inout some RandomNumberGenerator) {
        (high, low) = (generator.next(), generator.next())
    }

    /// Parses a seed as it is printed; nil if the text is none.
    public init?(_ text: some StringProtocol) {
        let digits = text.utf8.count
        guard (1...32).contains(digits), text.allSatisfy(\.isHexDigit) else { return nil }
        let split = text.index(text.startIndex, offsetBy: max(digits - 16, 0))
        guard let low = UInt64(text[split...], radix: 16) else { return nil }
        high = UInt64(text[..<split], radix: 16) ?? 0
        self.low = low
    }
}

extension Seed: CustomStringConvertible {
    /// The seed as hexadecimal digits.
    public var description: String {
        let low = String(low, radix: 16)
        guard high > 0 else { return low }
        return String(high, radix: 16) + String(repeating: "0", count: 16 - low.utf8.count) + low
    }
}

/// What the newest lot is worth to a bidder.
public struct Worth: Equatable, Sendable {
    /// The bidder, who alone may know it.
    public let bidder: Bidder
    /// The private value, or the estimate of the common value.
    public let amount: Int64
    /// Whether it is an estimate.
    public let isEstimate: Bool

    /// Creates the record of a draw.
    public init(bidder: Bidder, amount: Int64, isEstimate: Bool) {
        (self.bidder, self.amount, self.isEstimate) = (bidder, amount, isEstimate)
    }
}

extension GameOptions {
    /// Draws the common value of the lot with this number; nil if the lots have none.
    package func commonValue(ofLot lot: Int) -> Int64? {
        guard case .common(let range, _) = values else { return nil }
        return draw(from: range, lot: lot, bidder: nil)
    }

    /// Draws what the lot with this number is worth to a bidder; nil if the lots have no values.
    ///
    /// `common` is the common value, if there is one. A bidder who leaves and comes back gets the
    /// same.
    package func worth(ofLot lot: Int, to bidder: Bidder, common: Int64?) -> Worth? {
        switch (values, common) {
        case (.personal(let range), _):
            let amount = draw(from: range, lot: lot, bidder: bidder)
            return Worth(bidder: bidder, amount: amount, isEstimate: false)
        case (.common(_, let noise), let common?):
            let error = draw(from: -noise...noise, lot: lot, bidder: bidder)
            return Worth(
                bidder: bidder, amount: max(common.addingClamped(error), 0), isEstimate: true)
        case (.common, nil), (nil, _): return nil
        }
    }

    /// Draws a number from a range, each equally likely to within one in 16 million.
    private func draw(from range: ClosedRange<Int64>, lot: Int, bidder: Bidder?) -> Int64 {
        var hash = KeyedHash(key: seed)
        hash.combine(UInt64(draws ?? lot))
        if let bidder { hash.combine(bidder) }
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int64(hash.finish().multipliedFullWidth(by: width).high)
    }
}
