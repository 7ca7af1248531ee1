import Auction
import Wire

/// How a user stands in the lot that is open, or was open last.
public enum Standing: Equatable, Sendable {
    /// No lot has opened.
    case none
    /// Nobody has bid on the open lot.
    case noBids
    /// The user leads.
    case leading
    /// Another bidder leads, and the user has bid less on this lot.
    case outbid(by: Bidder, at: Price)
    /// Another bidder leads, and the user has not bid on this lot.
    case other(Bidder)
    /// The user has won the lot.
    case won
    /// The lot has ended, and the user has not won it.
    case ended(hasBid: Bool)
}

extension Model {
    /// How the user stands; for an observer never better than `other`.
    public var standing: Standing {
        switch sale.outcome {
        case .sold(let sold): return sold.bidder == bidder ? .won : .ended(hasBid: ownBid != nil)
        case .passed: return .ended(hasBid: ownBid != nil)
        case nil: break
        }
        guard sale.isOpen else { return .none }
        guard let leading = sale.leading else { return .noBids }
        if leading.bidder == bidder { return .leading }
        return ownBid == nil
            ? .other(leading.bidder) : .outbid(by: leading.bidder, at: leading.price)
    }
}
