import Auction

/// The state of a sale in brief.
public struct SaleStatus: Equatable, Sendable {
    /// The stage of the newest lot.
    public enum Stage: String, Sendable {
        /// It is open for bids.
        case open
        /// It has ended, and another follows.
        case closed
        /// It has ended, and was the last.
        case over
    }

    /// The number of the newest lot.
    public let lot: Int
    /// Its stage.
    public let stage: Stage
    /// Whether the auctioneer has paused the sale.
    public let isPaused: Bool
    /// Its leading bid, if there is one.
    public let leading: Bid?
    /// The number of present bidders.
    public let named: Int

    init(_ sale: Sale) {
        let auction = sale.auction
        (lot, isPaused, leading) = (auction.lot.number, auction.isPaused, auction.leading)
        stage = sale.isOver ? .over : auction.isClosed ? .closed : .open
        named = sale.names.presentCount
    }
}
