import Auction

/// What a user would earn on a lot, or has earned: the value of the lot less its price.
public struct Earnings: Equatable, Sendable {
    /// The condition under which the amount is earned.
    public enum Condition: Equatable, Sendable {
        /// The next bid, or the asking price, of this amount wins.
        case ifBought(at: Price)
        /// The user's own bid wins.
        case ifWon
        /// The user's sealed bid wins; as the price is not above the bid, it can be more.
        case atLeastIfWon
        /// The user has won the lot.
        case won
    }

    /// The amount; negative if the price is above the value.
    public let amount: Int64
    /// Whether the value is an estimate.
    public let isEstimate: Bool
    /// The condition.
    public let condition: Condition
}

extension Model {
    /// What the user would earn, or has earned; nil without a value or a price.
    public var earnings: Earnings? {
        guard let worth = own.worth else { return nil }
        switch sale.outcome {
        case .sold(let sold):
            guard sold.bidder == bidder else { return nil }
            return Earnings(
                amount: (sale.value ?? worth.amount) - sold.price.amount,
                isEstimate: worth.isEstimate && sale.value == nil, condition: .won)
        case .passed: return nil
        case nil:
            guard let (price, condition) = possiblePrice else { return nil }
            return Earnings(
                amount: worth.amount - price.amount, isEstimate: worth.isEstimate,
                condition: condition)
        }
    }

    /// The price at which the user would get the open lot as far as is known.
    private var possiblePrice: (Price, Earnings.Condition)? {
        if let leading = sale.leading, leading.bidder == bidder { return (leading.price, .ifWon) }
        guard sale.format.isSealed else { return sale.leastBid.map { ($0, .ifBought(at: $0)) } }
        return own.sealedBid.map {
            ($0, sale.format.pricing == .rivalBid ? .atLeastIfWon : .ifWon)
        }
    }
}
