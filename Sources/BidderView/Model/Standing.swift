import AuctionRules
import Wire

/// How the sale stands, as far as the news tells.
public struct Standing: Equatable, Sendable {
    /// How a lot ended.
    public enum Outcome: Equatable, Sendable {
        /// The hammer fell.
        case sold(SoldLot)
        /// Nobody got it, for a reason of one word.
        case passed(reason: String)
    }

    /// The lot that is open, or was last.
    public private(set) var lot: Lot?
    /// The highest bid for it.
    public private(set) var leading: Bid?
    /// How it ended; nil while it is open.
    public private(set) var outcome: Outcome?
    /// How many lots there were, when all are done.
    public private(set) var lotsDone: Int?
    /// Whether the auctioneer has interrupted the sale.
    public private(set) var isPaused = false
    private var start: Price?

    /// Whether bids are taken.
    public var isOpen: Bool { lot != nil && outcome == nil }

    /// The standing before anything was told.
    public init() {}

    /// The least amount of the next bid, with this increment; nil where it is not known, or nobody
    /// can bid.
    public func leastBid(step: Price) -> Price? {
        guard isOpen else { return nil }
        guard let leading else { return start }
        return Price(leading.price.amount + step.amount)
    }

    /// The standing after one more line of news.
    package func hearing(_ message: ServerMessage) -> Standing {
        var standing = self
        switch message {
        case .lot(let lot, let start, _): standing.open(lot, start: start)
        case .price(let bid, _, _): standing.leading = bid
        case .winner(let sale): standing.sell(sale)
        case .passed(let lot, let reason):
            standing.open(lot, start: nil)
            standing.outcome = .passed(reason: reason)
        case .over(let lots): (standing.lotsDone, standing.isPaused) = (lots, false)
        case .voided: standing.leading = nil
        case .paused: standing.isPaused = true
        // Behind a greeting, or missed lines, the snapshot says if it is so.
        case .resumed, .hello, .skipped: standing.isPaused = false
        case .countdown, .last, .going, .hammered, .kicked, .stopped, .joined, .left, .bye, .lap,
            .who,
            .help, .ok, .error:
            break
        }
        return standing
    }

    /// Where there is a bid its price follows, in a snapshot too.
    private mutating func open(_ lot: Lot, start: Price?) {
        leading = nil
        self.lot = lot
        self.start = start ?? self.start
        outcome = nil
        lotsDone = nil
    }

    private mutating func sell(_ sale: SoldLot) {
        if sale.bidder != leading?.bidder || sale.price != leading?.price { leading = nil }
        lot = Lot(number: sale.number ?? lot?.number ?? 1, title: sale.title)
        outcome = .sold(sale)
        lotsDone = nil
    }
}
