import Auction
import Basics
import Bidder
import Wire

/// How a user stands in the lot that is open, or was open last.
package enum Standing: Equatable, Sendable {
    /// No lot has opened.
    case none
    /// Nobody has bid on the open lot.
    case noBids
    /// The user leads.
    case leading
    /// Another bidder leads, and the user has bid less on this lot.
    case outbid(by: Bidder)
    /// Another bidder leads, and the user has not bid on this lot.
    case other(Bidder)
    /// The user has won the lot.
    case won
    /// The lot has ended, and the user has not won it.
    case ended
}

extension Model {
    /// How the user stands; for an observer never better than `other`.
    package var standing: Standing {
        guard lot.isOpen else {
            return lot.isBeforeFirst ? .none : isOwn(lot.winner) ? .won : .ended
        }
        guard let leader = lot.leader else { return .noBids }
        if isOwn(leader) { return .leading }
        return ownBid == nil ? .other(leader) : .outbid(by: leader)
    }

    /// Whether a bidder is the user.
    func isOwn(_ other: Bidder?) -> Bool { other != nil && other == bidder }

    /// The title of the window, without characters that could control a terminal.
    var title: String {
        let name = standing == .none ? "auction" : lot.title
        let state = isStale ? "not connected: \(name)" : title(of: name)
        let place = room.map { $0 == .main ? "" : "\($0): " } ?? ""
        return String((place + state).prefix(80)).harmless
    }

    private func title(of name: String) -> String {
        let price = lot.price?.grouped ?? ""
        return switch standing {
        case .none: name
        case .noBids: "\(wait): \(name)"
        case .leading: "you lead at \(price): \(name)"
        case .outbid(let other): "OUTBID by \(other) at \(price): \(name)"
        case .other(let other): "\(other) leads at \(price): \(name)"
        case .won: "you have won: \(name)"
        case .ended: "ended: \(name)"
        }
    }

    /// What holds as long as nobody leads.
    private var wait: String {
        if lot.format.isSealed { return SaleEvent.heading(ofSealedBids: lot.bids) }
        return lot.price.map { "asking \($0.grouped)" } ?? "no bid yet"
    }
}

// MARK: - What the user may do now

extension Model {
    /// The minimum of the next bid; nil while no bid is accepted, or the view is not up to date.
    package var nextBid: Price? { !isStale && lot.stage == .open ? lot.least : nil }

    /// The bid that the user is offered; nil while the user leads, or cannot bid.
    ///
    /// The minimum is no good offer if bids are sealed.
    package var offer: Price? {
        guard bidder != nil, !isOwn(lot.leader), !lot.format.isSealed else { return nil }
        return nextBid.flatMap { isAffordable($0) ? $0 : nil }
    }

    /// The price at which the user can buy the lot at once; nil if that is not possible.
    package var buyOffer: Price? {
        guard bidder != nil, nextBid != nil else { return nil }
        return lot.buy.flatMap { isAffordable($0) ? $0 : nil }
    }

    /// Whether a bid is within what is left of the user's purse.
    func isAffordable(_ price: Price) -> Bool {
        own?.most.map { price.amount <= $0 } ?? true
    }
}

// MARK: - What the user would earn

/// What a user would earn on a lot, or has earned: the value of a won lot less what was paid.
package struct Earnings: Equatable, Sendable {
    /// The condition under which the amount is earned.
    package enum Condition: Equatable, Sendable {
        /// The next bid, or the asking price, of this amount wins.
        case ifBought(at: Price)
        /// The user's own bid wins.
        case ifWon
        /// The user's sealed bid wins; as the price is not above the bid, it can be more.
        case atLeastIfWon
        /// The user has won the lot, or has paid without winning it.
        case won
    }

    /// The amount; negative if the price is above the value, or if a losing bid was paid.
    package let amount: Int64
    /// Whether the value is an estimate.
    package let isEstimate: Bool
    /// The condition.
    package let condition: Condition
}

extension Model {
    /// What the user would earn, or has earned; nil without a value or a price.
    package var earnings: Earnings? {
        guard let own, let worth = own.worth else { return nil }
        guard lot.isOpen else {
            // In some formats those who have not won pay too.
            guard let paid = own.paid?.amount else { return nil }
            guard isOwn(lot.winner) else {
                return Earnings(amount: -paid, isEstimate: false, condition: .won)
            }
            return Earnings(
                amount: (lot.value ?? worth) - paid,
                isEstimate: own.isEstimate && lot.value == nil, condition: .won)
        }
        return possiblePrice.map { price, condition in
            Earnings(
                amount: worth - price.amount, isEstimate: own.isEstimate, condition: condition)
        }
    }

    /// The price at which the user gets the open lot as far as is known.
    private var possiblePrice: (Price, Earnings.Condition)? {
        if isOwn(lot.leader) { return lot.price.map { ($0, .ifWon) } }
        guard lot.format.isSealed else { return lot.least.map { ($0, .ifBought(at: $0)) } }
        return own?.sealed.map { ($0, lot.format.pricing == .rivalBid ? .atLeastIfWon : .ifWon) }
    }
}

extension Int64 {
    /// The number with commas and its sign, as in `+37`; 0 has none.
    var signed: String { (self > 0 ? "+" : "") + grouped }
}
