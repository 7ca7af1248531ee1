/// How a lot ends.
public enum Outcome: Hashable, Sendable {
    /// The lot is sold to this bidder, who pays this price.
    case sold(to: Bidder, for: Price)
    /// The lot is not sold.
    case passed(reason: Reason)

    /// Why a lot is not sold; the raw value is the word on the wire.
    public enum Reason: String, CaseIterable, Sendable {
        /// Nobody has bid.
        case noBids = "no-bids"
        /// No bid reached the reserve.
        case reserveNotMet = "reserve-not-met"
        /// The auctioneer closed the lot.
        case closed
    }
}
