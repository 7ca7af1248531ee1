import Auction
import Wire

extension CommandPrompt {
    /// The answer to the last line, or a notice about a bid.
    public struct Feedback: Equatable, Sendable {
        /// The answer in plain words.
        public let text: String
        /// Whether it is a refusal.
        public let isRefusal: Bool

        package init(text: String, isRefusal: Bool) {
            self.text = text
            self.isRefusal = isRefusal
        }
    }
}

/// The feedback beside the command line, which is shown while it is true.
struct FeedbackLine: Equatable, Sendable {
    /// The subject of the feedback, which decides when it is no longer true.
    enum Topic: Equatable {
        /// The user's bid of this amount: until a higher price, a void or the end of the lot.
        case bid(Price)
        /// A refusal because of the price: until the price changes, or the lot ends.
        case price
        /// A higher bid of another bidder: until the user leads again, or the lot ends.
        case outbid
        /// The pause: until the sale goes on, or the lot ends.
        case pause
        /// That no lot is open: until one opens.
        case closed
        /// The connection: until it is lost, or made again.
        case connection
        /// A list that loads: until it is loaded.
        case load(CommandPrompt.List)
        /// What was true when it was answered: for a few seconds.
        case moment
        /// A warning before an offer: until the lot ends, or the connection is lost.
        case warning
        /// The line: until the next line, or the end of the lot.
        case line
    }

    /// The feedback; nil if there is none.
    private(set) var shown: CommandPrompt.Feedback?
    /// How often another bidder took the lead from the user.
    private(set) var outbidCount = 0
    /// The number of feedback texts so far.
    private var count = 0
    private var topic = Topic.line
    /// Whether the user's bid leads.
    private var isLeading = false

    /// Shows feedback.
    mutating func show(_ text: String, isRefusal: Bool, topic: Topic = .line) {
        shown = CommandPrompt.Feedback(text: text, isRefusal: isRefusal)
        count += 1
        self.topic = topic
    }

    /// Shows that a command was accepted, or that the bid has been outbid meanwhile.
    mutating func showSuccess(of answer: Answer, in sale: SaleState) {
        let topic = answer.topic
        if sale.isOpen, let leading = sale.leading, topic.isBid(below: leading.price) {
            showOutbid(in: sale)
        } else {
            show(answer.feedback(isSealed: sale.format.isSealed), isRefusal: false, topic: topic)
        }
    }

    /// Shows that a list was loaded, or why not, if the user asked for it.
    mutating func showLoad(of list: CommandPrompt.List, _ text: String, isRefusal: Bool) {
        guard topic == .load(list) else { return }
        show(text, isRefusal: isRefusal, topic: .moment)
    }

    /// The number of the feedback, if it is true only for a moment.
    var momentNumber: Int? { shown != nil && topic == .moment ? count : nil }

    /// Removes the feedback with this number, which was true for a moment.
    mutating func expire(_ number: Int) {
        if number == momentNumber { remove { _ in true } }
    }

    /// Whether the feedback is a warning, which the same line again overrides.
    var isWarning: Bool { topic == .warning }

    /// Removes all feedback, as for the next line.
    mutating func clear() {
        (shown, topic) = (nil, .line)
    }

    /// Removes what was about a lot after which another one opens.
    mutating func leaveLot() {
        isLeading = false
        clear()
    }

    /// Removes what was about a sale that was left.
    mutating func leaveSale() {
        isLeading = false
        remove { $0.isAboutPrice || [.pause, .closed, .warning, .moment].contains($0) }
    }

    /// Removes feedback that the loss of the connection makes untrue.
    mutating func disconnected() {
        remove { [.connection, .warning, .moment].contains($0) }
    }

    /// Removes feedback from before the connection was made, except that the user was outbid.
    mutating func reconnected() {
        remove { $0 != .outbid }
    }

    /// Updates the feedback after news; `sale` is the state after it.
    ///
    /// `maximum` is the price up to which the server bids for the bidder.
    mutating func receive(
        _ message: ServerMessage, in sale: SaleState, bidder: Bidder?, maximum: Price? = nil
    ) {
        switch message.event {
        case .lotOpened: remove { $0 == .closed }
        case .bidPlaced(let bid):
            // The server answers a bid below the maximum at once.
            let isAnswered = bid.bidder != bidder && maximum.map { $0 > bid.price } ?? false
            if !isAnswered { follow(bid, isOwn: bid.bidder == bidder, in: sale) }
        case .askFell: remove { $0 == .price }
        case .bidVoided:
            isLeading = false
            remove { $0.isAboutPrice }
        case .lotSold, .lotPassed, .ended:
            isLeading = false
            remove { $0.isAboutPrice || [.pause, .warning, .line].contains($0) }
        case .paused: if topic == .outbid { showOutbid(in: sale) }
        case .resumed:
            remove { $0 == .pause }
            if topic == .outbid { showOutbid(in: sale) }
        default: break
        }
    }

    /// Removes feedback that a new price makes untrue, or shows that the user was outbid.
    private mutating func follow(_ bid: Bid, isOwn: Bool, in sale: SaleState) {
        if !isOwn, isLeading || topic == .outbid || topic.isBid(below: bid.price) {
            if topic != .outbid { outbidCount += 1 }
            showOutbid(in: sale)
        } else {
            remove { $0 == .price || $0 == .outbid || $0.isBid(below: bid.price) }
        }
        isLeading = isOwn
    }

    private mutating func showOutbid(in sale: SaleState) {
        guard let leading = sale.leading else { return }
        let least = sale.acceptsBids ? sale.leastBid : nil
        show(
            "OUTBID by \(leading.bidder)" + (least.map { ", bid \($0.grouped)" } ?? ""),
            isRefusal: true, topic: .outbid)
    }

    private mutating func remove(_ isUntrue: (Topic) -> Bool) {
        if isUntrue(topic) { clear() }
    }
}

extension FeedbackLine.Topic {
    /// Whether a void, or the end of the lot, makes it untrue.
    fileprivate var isAboutPrice: Bool {
        switch self {
        case .bid, .price, .outbid: true
        case .pause, .closed, .connection, .load, .moment, .warning, .line: false
        }
    }

    fileprivate func isBid(below price: Price) -> Bool {
        if case .bid(let amount) = self { amount < price } else { false }
    }
}

extension ClientError {
    /// The subject of the error as feedback.
    var topic: FeedbackLine.Topic {
        guard case .refused(let error) = self else { return .connection }
        return switch error.code {
        case .tooLow, .tooHigh, .leading, .outbid, .overPurse: .price
        case .paused: .pause
        case .closed: .closed
        default: .line
        }
    }
}

extension Answer {
    /// The subject of the answer as feedback.
    fileprivate var topic: FeedbackLine.Topic {
        switch self {
        case .bid(let price), .take(let price), .buy(let price), .maximum(let price?): .bid(price)
        case .auctioneer: .connection
        default: .moment
        }
    }

    /// The answer in plain words.
    fileprivate func feedback(isSealed: Bool) -> String {
        switch self {
        case .ping: "the server is there"
        case .joined(let room): "you are in the room \(room)"
        case .opened(let room, _): "you opened the room \(room)"
        case .auctioneer: "you are the auctioneer"
        case .ruled(let verb): "\(verb.rawValue): done"
        default: success(isSealed: isSealed) ?? "done"
        }
    }
}
