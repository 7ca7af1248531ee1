import Auction
import Wire

/// The progress of one bid: whether it must wait for a lot, and how its lot ended.
struct BidProgress: Sendable {
    /// What follows from a message or an answer.
    enum Outcome {
        /// The bid must wait, for this reason.
        case mustWait(String)
        /// The waiting bid must be sent.
        case isDue
        /// The bid cannot be made, because no lot will follow.
        case saleIsOver
        /// The bidder won the lot, or did not.
        case ended(isWon: Bool)
        /// The next lot opened, and the end of the lot was missed.
        case missedEnd
    }

    /// What a bid that was not sent waits for.
    private enum Awaited {
        /// That bids are accepted.
        case lot
        /// That the price of the open lot falls to the amount of the bid.
        case ask(Price)
    }

    private let request: BidRequest
    private let bidder: Bidder
    private let waitsForLot: Bool
    private var sale = SaleState()
    /// The number of the last lot that opened, and of the one that the bid is for.
    private var lot: Int?
    private var lotBidOn: Int?
    private var format = AuctionFormat.english
    /// The asking price of a lot whose price falls.
    private var ask: Price?
    /// Whether the server accepted the bid.
    private(set) var isAccepted = false
    private var awaited: Awaited?
    /// The title of the lot that the bid is for.
    private var titleBidOn: String?

    /// Makes the progress before the bid of a command, knowing nothing of the sale.
    ///
    /// Is nil if the command is no bid.
    init?(of command: ClientCommand) {
        guard case .bid(let request, let bidder, _, let waitsForLot) = command else { return nil }
        self.request = request
        self.bidder = bidder
        self.waitsForLot = waitsForLot
    }

    /// Whether the bids on the lot are sealed.
    var isSealed: Bool { format.isSealed }

    /// The number of the open lot; nil if none is open, or the number is not known.
    var openLot: Int? { sale.isOpen ? lot : nil }

    /// Handles news.
    mutating func receive(_ message: ServerMessage) -> Outcome? {
        // The clocks are not used.
        sale = sale.applying(message, at: .zero)
        switch message.event {
        case .lotOpened(let opened):
            if lot != opened.number { (lot, format, ask) = (opened.number, .english, nil) }
            let isBidOn = isAccepted || isWaitingForAsk
            return isBidOn && lot != lotBidOn ? .missedEnd : resume()
        case .termsAnnounced(let terms): format = terms.format
        case .askFell(let price):
            ask = price
            return resume()
        case .resumed: return resume()
        case .lotSold(let sold) where isAccepted:
            // A later lot may have ended while the connection was lost.
            guard titleBidOn.map({ $0 == sold.title }) ?? true else { return .missedEnd }
            return .ended(isWon: sold.bidder == bidder)
        case .lotSold, .lotPassed: return isAccepted || isWaitingForAsk ? .ended(isWon: false) : nil
        case .ended where awaited != nil: return .saleIsOver
        default: break
        }
        return nil
    }

    private mutating func resume() -> Outcome? {
        guard let awaited, sale.acceptsBids else { return nil }
        if case .ask(let price) = awaited, let ask, ask > price { return nil }
        self.awaited = nil
        return .isDue
    }

    private var isWaitingForAsk: Bool { if case .ask = awaited { true } else { false } }

    /// What stays of the bid when its bidder leaves now, as a sentence; nil if nothing does.
    var stayingOffer: String? {
        guard isAccepted else { return awaited == nil ? nil : "your bid was not sent" }
        guard sale.isOpen else { return nil }
        switch request {
        case .maximum(let price):
            return price.map { "the server bids for you up to \($0.grouped)" }
        case .amount(let price) where isSealed:
            return "your sealed bid of \(price.grouped) stays and may win"
        case .amount(let price):
            let isOutbid = sale.leading.map { $0.bidder != bidder && $0.price >= price } ?? false
            return isOutbid ? nil : "your bid of \(price.grouped) stays and may win"
        case .take, .buy: return nil
        }
    }

    /// Whether a message is the result of a lot that ended before the bidder connected.
    func isOldResult(_ message: ServerMessage?) -> Bool {
        lot == nil && message?.endsLot == true
    }

    /// Records that the server accepted the bid.
    mutating func accept() {
        (isAccepted, lotBidOn, titleBidOn) = (true, lot, sale.lot?.title)
    }

    /// Forgets the connection; a snapshot follows on another one.
    mutating func disconnect() {
        (sale, awaited) = (SaleState(), nil)
    }

    /// Whether the bid must wait before it is sent; nil if it may be sent at once.
    mutating func prepare() -> Outcome? {
        sale.acceptsBids ? nil : wait()
    }

    /// Makes a refused bid wait until it can be accepted; nil if it is refused for good.
    mutating func wait(after error: ErrorReply) -> Outcome? {
        switch error.code {
        case .closed, .paused: wait()
        case .otherLot: waitsForLot ? .isDue : nil
        case .tooLow where format == .dutch: waitForAsk()
        default: nil
        }
    }

    /// Makes the bid wait until bids are accepted; nil if the user does not want that.
    private mutating func wait() -> Outcome? {
        guard waitsForLot else { return nil }
        if sale.lotsDone != nil { return .saleIsOver }
        awaited = .lot
        return .mustWait(
            sale.isOpen && sale.isPaused
                ? "the sale is paused, waiting" : "waiting for the next lot")
    }

    private mutating func waitForAsk() -> Outcome? {
        guard waitsForLot, case .amount(let price) = request else { return nil }
        (awaited, lotBidOn) = (.ask(price), lot)
        // The price may have fallen since the server refused the bid.
        return resume() ?? .mustWait("waiting until the price has fallen to \(price.grouped)")
    }
}

extension ServerMessage {
    /// Whether it is the first line of a snapshot, of which each snapshot has one.
    var beginsSnapshot: Bool {
        if case .event(.lotOpened, _) = self { true } else { endsLot }
    }

    /// Whether it is the result of a lot.
    var endsLot: Bool {
        switch event {
        case .lotSold, .lotPassed: true
        default: false
        }
    }
}
