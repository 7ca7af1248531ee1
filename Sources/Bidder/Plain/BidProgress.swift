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

    private let request: Request.Offer
    private let bidder: Bidder
    private let waitsForLot: Bool
    private var lot = LotState()
    /// Whether a lot has opened since the session began.
    private var hasSeenLot = false
    /// The lot that the bid is for; nil before it was accepted, or waits for a price.
    private var lotBidOn: Lot?
    /// Whether the server accepted the bid.
    private(set) var isAccepted = false
    private var awaited: Awaited?
    /// Whether the bid has lost, and the private message of the end of its lot is still to come.
    ///
    /// That message takes the sealed bid away, and has the cost if there is one.
    private(set) var awaitsCost = false
    private var own: OwnState

    /// Makes the progress before the bid of a command, knowing nothing of the sale.
    ///
    /// Is nil if the command is no bid.
    init?(of command: ClientCommand) {
        guard case .bid(let request, let bidder, _, let waitsForLot) = command else { return nil }
        self.request = request
        self.bidder = bidder
        own = OwnState(bidder)
        self.waitsForLot = waitsForLot
    }

    /// Whether the bids on the lot are sealed.
    var isSealed: Bool { lot.format.isSealed }

    /// The number of the open lot; nil if none is open.
    var openLot: Int? { lot.isOpen ? lot.lot : nil }

    /// Handles news.
    mutating func receive(_ message: ServerMessage) -> Outcome? {
        let members = message.stateMembers
        if let members { lot.merge(json: members) }
        if case .you(let members) = message {
            own.merge(json: members)
            return awaitsCost ? .ended(isWon: false) : nil
        }
        guard let event = message.event else { return members.flatMap { _ in resume() } }
        if members == nil { lot.follow(event) }
        if case .lotOpened = event { hasSeenLot = true }
        if awaitsCost, case .lotOpened = event { return .ended(isWon: false) }
        guard let outcome = outcome(of: event) else { return resume() }
        if case .ended(isWon: false) = outcome, case .lotSold = event {
            awaitsCost = own.sealed != nil
        }
        return awaitsCost ? nil : outcome
    }

    private func outcome(of event: SaleEvent) -> Outcome? {
        switch event {
        case .lotOpened(let opened):
            return lotBidOn.map { $0.number != opened.number } ?? false ? .missedEnd : nil
        case .lotSold(let sold) where isAccepted:
            // A later lot may have ended while the connection was lost.
            guard lotBidOn.map({ $0.title == sold.title }) ?? true else { return .missedEnd }
            return .ended(isWon: sold.bidder == bidder)
        case .lotSold, .lotPassed:
            return isAccepted || lotBidOn != nil ? .ended(isWon: false) : nil
        case .ended where awaited != nil: return .saleIsOver
        default: return nil
        }
    }

    private mutating func resume() -> Outcome? {
        guard let awaited, lot.stage == .open else { return nil }
        if case .ask(let price) = awaited, lot.price.map({ $0 > price }) ?? true { return nil }
        self.awaited = nil
        return .isDue
    }

    /// What stays of the bid when its bidder leaves now, as a sentence; nil if nothing does.
    var stayingOffer: String? {
        guard isAccepted else { return awaited == nil ? nil : "your bid was not sent" }
        var (own, lot) = (own, lot)
        // The news that says so may follow; in text there is none of what is secret.
        switch request {
        case .bid(let price) where isSealed: own.sealed = price
        case .bid(let price):
            if lot.price ?? price <= price { (lot.price, lot.leader) = (price, bidder) }
        case .maximum(let price): own.maximum = price
        case .take, .buy: break
        }
        return own.stayingOffer(on: lot)
    }

    /// Whether a message is the result of a lot that ended before the bidder connected.
    func isOldResult(_ message: ServerMessage?) -> Bool {
        !hasSeenLot && message?.endsLot == true
    }

    /// Records that the server accepted the bid.
    mutating func accept() {
        isAccepted = true
        noteLot()
    }

    private mutating func noteLot() {
        lotBidOn = lot.lot > 0 ? Lot(number: lot.lot, title: lot.title) : nil
    }

    /// Forgets the sale of the room that was left, on the way to the room of the bid.
    mutating func enterRoom() {
        disconnect()
        hasSeenLot = lotBidOn != nil
    }

    /// Forgets the connection; a snapshot follows on another one.
    mutating func disconnect() {
        (lot, awaited, awaitsCost) = (LotState(), nil, false)
    }

    /// Whether the bid must wait before it is sent; nil if it may be sent at once.
    mutating func prepare() -> Outcome? {
        lot.stage == .open ? nil : wait()
    }

    /// Makes a refused bid wait until it can be accepted; nil if it is refused for good.
    mutating func wait(after error: ErrorReply) -> Outcome? {
        switch error.code {
        case .closed, .paused: wait()
        case .otherLot: waitsForLot ? .isDue : nil
        case .tooLow where lot.isFalling: waitForAsk()
        default: nil
        }
    }

    /// Makes the bid wait until bids are accepted; nil if the user does not want that.
    private mutating func wait() -> Outcome? {
        guard waitsForLot else { return nil }
        if lot.stage == .over { return .saleIsOver }
        awaited = .lot
        return .mustWait(
            lot.isOpen ? "the sale is paused, waiting" : "waiting for the next lot")
    }

    private mutating func waitForAsk() -> Outcome? {
        guard waitsForLot, case .bid(let price) = request else { return nil }
        awaited = .ask(price)
        noteLot()
        // The price may have fallen since the server refused the bid.
        return resume() ?? .mustWait("waiting until the price has fallen to \(price.grouped)")
    }
}

extension LotState {
    /// Follows a line of text, which has no state, as far as a bid needs it.
    fileprivate mutating func follow(_ event: SaleEvent) {
        switch event {
        case .lotOpened(let opened):
            if opened.number != lot { self = LotState() }
            (lot, title, stage) = (opened.number, opened.title, .open)
            amounts = Price.lowest.amount...Price.highest.amount
        case .termsAnnounced(let terms): format = terms.format
        case .askFell(let price): self.price = price
        case .bidPlaced(let bid): (price, leader) = (bid.price, bid.bidder)
        case .bidVoided(let bid): (price, leader) = (bid.leading?.price, bid.leading?.bidder)
        case .lotSold: (stage, amounts) = (.sold, nil)
        case .lotPassed: (stage, amounts) = (.passed, nil)
        case .ended: stage = .over
        case .paused: if stage == .open { stage = .paused }
        case .resumed: if stage == .paused { stage = .open }
        default: break
        }
    }
}

extension ServerMessage {
    /// Whether it is the first line of a snapshot, of which each snapshot has one.
    var beginsSnapshot: Bool {
        if case .event(.lotOpened, _) = self { true } else { endsLot }
    }

    /// Whether it is the result of a lot.
    package var endsLot: Bool {
        if case .lotSold? = event { return true }
        return if case .lotPassed? = event { true } else { false }
    }
}
