import AuctionRules
import Wire

/// The progress of one bid: whether it must wait for a lot, and how its lot ended.
struct BidProgress: Sendable {
    /// What follows from a message or an answer.
    enum Outcome {
        /// The bid must wait until bids are accepted.
        case mustWait(isPaused: Bool)
        /// The waiting bid must be sent.
        case isDue
        /// The bid cannot be made, because no lot will follow.
        case saleIsOver
        /// The bidder won the lot, or did not.
        case ended(isWon: Bool)
        /// The next lot opened, and the end of the lot was missed.
        case missedEnd
    }

    private let bidder: Bidder
    private let waitsForLot: Bool
    private var sale = SaleState()
    /// The number of the last lot that opened, and of the one with the bid.
    private var lot: Int?
    private var lotBidOn: Int?
    private var isAccepted = false
    private var isWaiting = false

    /// Makes the progress before the bid; without `waitsForLot` it never waits.
    init(by bidder: Bidder, waitsForLot: Bool) {
        self.bidder = bidder
        self.waitsForLot = waitsForLot
    }

    /// Handles news.
    mutating func receive(_ message: ServerMessage) -> Outcome? {
        // The clocks are not used.
        sale = sale.applying(message, at: .zero)
        switch message {
        case .lot(let opened, _, _):
            lot = opened.number
            return isAccepted && lot != lotBidOn ? .missedEnd : resume()
        case .resumed: return resume()
        case .winner(let sold) where isAccepted: return .ended(isWon: sold.bidder == bidder)
        case .passed where isAccepted: return .ended(isWon: false)
        case .over where isWaiting: return .saleIsOver
        default: return nil
        }
    }

    private mutating func resume() -> Outcome? {
        guard isWaiting, sale.acceptsBids else { return nil }
        isWaiting = false
        return .isDue
    }

    /// Whether a message is the result of a lot that ended before the bidder connected.
    func isOldResult(_ message: ServerMessage?) -> Bool {
        lot == nil && message?.endsLot == true
    }

    /// Records that the server accepted the bid.
    mutating func accept() {
        (isAccepted, lotBidOn) = (true, lot)
    }

    /// Whether the bid must wait before it is sent; nil if it may be sent at once.
    mutating func prepare() -> Outcome? {
        sale.acceptsBids ? nil : wait()
    }

    /// Makes the bid wait until bids are accepted; nil if the user does not want that.
    mutating func wait() -> Outcome? {
        guard waitsForLot else { return nil }
        if sale.lotsDone != nil { return .saleIsOver }
        isWaiting = true
        return .mustWait(isPaused: sale.isOpen && sale.isPaused)
    }
}

extension ServerMessage {
    /// Whether it is the first line of a snapshot, of which each snapshot has one.
    var beginsSnapshot: Bool {
        if case .lot = self { true } else { endsLot }
    }

    /// Whether it is the result of a lot.
    var endsLot: Bool {
        switch self {
        case .winner, .passed: true
        default: false
        }
    }
}
