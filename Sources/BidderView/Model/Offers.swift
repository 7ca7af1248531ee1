import Auction

/// What a user may do now, within the rules of the lot and the purse.
extension Model {
    /// The minimum of the next bid; nil while no bid is accepted, or the view is not up to date.
    public var nextBid: Price? { !isStale && sale.acceptsBids ? sale.leastBid : nil }

    /// The bid that the user is offered; nil while the user leads, or cannot bid.
    ///
    /// The minimum is no good offer if bids are sealed.
    public var offer: Price? {
        guard bidder != nil, sale.leading?.bidder != bidder, !sale.format.isSealed, let nextBid
        else { return nil }
        return isAffordable(nextBid) ? nextBid : nil
    }

    /// What the user's bids on the open lot reserve, which is free again for a bid in their place.
    private var reserved: Int64 {
        let leading = sale.leading?.bidder == bidder ? sale.leading?.price : nil
        let maximum = own.maximum.flatMap { maximum in
            leading != nil || sale.leastBid.map({ maximum >= $0 }) ?? false ? maximum : nil
        }
        return [leading, maximum, own.sealedBid].compactMap { $0?.amount }.max() ?? 0
    }

    /// What stays on the lot if the user leaves, as a sentence; nil if nothing does.
    var stayingOffer: String? {
        guard bidder != nil, sale.isOpen else { return nil }
        let maximum = own.maximum.map { ", and the server bids for you up to \($0.grouped)" } ?? ""
        if let leading = sale.leading, leading.bidder == bidder {
            return "your bid of \(leading.price.grouped) stays and may win" + maximum
        }
        if let sealed = own.sealedBid {
            return "your sealed bid of \(sealed.grouped) stays and may win"
        }
        guard let maximum = own.maximum, sale.leastBid.map({ maximum >= $0 }) ?? false else {
            return nil
        }
        return "the server bids for you up to \(maximum.grouped)"
    }

    /// The price at which the user can buy the lot at once; nil if that is not possible.
    public var buyOffer: Price? {
        guard bidder != nil, !isStale, sale.acceptsBids, let price = sale.buyPrice else {
            return nil
        }
        return isAffordable(price) ? price : nil
    }

    /// Whether a bid is within what is left of the user's purse.
    func isAffordable(_ price: Price) -> Bool {
        guard let purse = own.purse else { return true }
        return price.amount <= purse + (sale.isOpen ? reserved : 0)
    }
}
