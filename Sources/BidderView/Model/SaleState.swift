import AuctionRules
import Wire

/// The state of the sale as far as the news tells.
public struct SaleState: Equatable, Sendable {
    /// The end of a lot.
    public enum Outcome: Equatable, Sendable {
        /// The lot was sold.
        case sold(SoldLot)
        /// The lot was not sold, for a reason of one word.
        case passed(reason: String)
    }

    /// The lot that is open, or was open last.
    public private(set) var lot: Lot?
    /// The highest bid of the lot.
    public private(set) var leading: Bid?
    /// How the lot ended; nil while it is open.
    public private(set) var outcome: Outcome?
    /// The number of lots, once the sale is over.
    public private(set) var lotsDone: Int?
    /// Whether the auctioneer has paused the sale.
    public private(set) var isPaused = false
    /// The minimum of the first bid.
    private var start: Price?

    /// Whether a lot is open.
    public var isOpen: Bool { lot != nil && outcome == nil }

    /// Whether bids are accepted.
    var acceptsBids: Bool { isOpen && !isPaused }

    /// Makes the state before any news.
    public init() {}

    /// The minimum of the next bid; nil if it is unknown, or no bid is possible.
    public func leastBid(step: Price) -> Price? {
        guard isOpen else { return nil }
        guard let leading else { return start }
        return Price(leading.price.amount + step.amount)
    }

    /// The state after a message.
    package func applying(_ message: ServerMessage) -> SaleState {
        var next = self
        switch message {
        case .lot(let lot, let start, _): next.open(lot, start: start)
        case .price(let bid, _, _): next.leading = bid
        case .winner(let sold): next.sell(sold)
        case .passed(let lot, let reason, _):
            next.open(lot, start: nil)
            next.outcome = .passed(reason: reason)
        case .over(let lots): (next.lotsDone, next.isPaused) = (lots, false)
        case .voided: next.leading = nil
        case .paused: next.isPaused = true
        // A snapshot follows `HELLO` and `SKIPPED`, and includes `PAUSED` if the sale is paused.
        case .resumed, .hello, .skipped: next.isPaused = false
        default: break
        }
        return next
    }

    /// Opens a lot; the price of an earlier bid follows, also in a snapshot.
    private mutating func open(_ lot: Lot, start: Price?) {
        leading = nil
        self.lot = lot
        self.start = start ?? self.start
        outcome = nil
        lotsDone = nil
    }

    private mutating func sell(_ sold: SoldLot) {
        if sold.bidder != leading?.bidder || sold.price != leading?.price { leading = nil }
        lot = Lot(number: sold.number ?? lot?.number ?? 1, title: sold.title)
        outcome = .sold(sold)
        lotsDone = nil
    }
}
