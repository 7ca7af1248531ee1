import Auction
import Bidder
import Wire

extension CommandPrompt {
    /// The answer to the last line, or a notice about a bid.
    package struct Feedback: Equatable, Sendable {
        /// The answer in plain words.
        package let text: String
        /// Whether it is a refusal.
        package let isRefusal: Bool

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
        /// A refusal because of the price or the stage: until one of them changes.
        case lot
        /// A higher bid of another bidder: until the user leads again, or the lot ends.
        case outbid
        /// The connection: until it is lost, or made again.
        case connection
        /// A list that loads: until it is loaded.
        case load(List)
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

    /// Shows feedback.
    mutating func show(_ text: String, isRefusal: Bool, topic: Topic = .line) {
        shown = CommandPrompt.Feedback(text: text, isRefusal: isRefusal)
        count += 1
        self.topic = topic
    }

    /// Shows that a command was accepted, or that the bid has been outbid meanwhile.
    mutating func showSuccess(of answer: Answer, in lot: LotState) {
        let topic = answer.topic
        if lot.isOpen, lot.leader != nil, let price = lot.price, topic.isBid(below: price) {
            showOutbid(in: lot)
        } else {
            show(answer.text(isSealed: lot.format.isSealed), isRefusal: false, topic: topic)
        }
    }

    /// Shows that a list was loaded, or why not, if the user asked for it.
    mutating func showLoad(of list: List, _ text: String, isRefusal: Bool) {
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

    /// Removes what was about a sale that was left.
    mutating func leaveSale() {
        remove { $0.isAboutPrice || [.warning, .moment].contains($0) }
    }

    /// Removes feedback that the loss of the connection makes untrue.
    mutating func disconnected() {
        remove { [.connection, .warning, .moment].contains($0) }
    }

    /// Removes feedback from before the connection was made, except that the user was outbid.
    mutating func reconnected() {
        remove { $0 != .outbid }
    }

    /// Updates the feedback after news, which has changed the lot.
    ///
    /// `maximum` is the price up to which the server bids for the bidder.
    mutating func follow(
        from former: LotState, to lot: LotState, bidder: Bidder, maximum: Price?
    ) {
        if lot.price != former.price || lot.stage != former.stage { remove { $0 == .lot } }
        if former.isOpen, !lot.isOpen {
            remove { $0.isAboutPrice || [.warning, .line].contains($0) }
        } else if lot.bids < former.bids, !lot.format.isSealed {
            remove { $0.isAboutPrice }
        } else if let leader = lot.leader, let price = lot.price, lot.bids > former.bids {
            // The server answers a bid below the maximum at once.
            let isAnswered = leader != bidder && maximum.map { $0 > price } ?? false
            if !isAnswered { follow(price, by: leader, after: former, in: lot, bidder: bidder) }
        }
        if lot.stage != former.stage, topic == .outbid { showOutbid(in: lot) }
    }

    /// Removes feedback that a new price makes untrue, or shows that the user was outbid.
    private mutating func follow(
        _ price: Price, by leader: Bidder, after former: LotState, in lot: LotState, bidder: Bidder
    ) {
        let wasLeading = former.leader == bidder && former.isOpen
        if leader != bidder, wasLeading || topic == .outbid || topic.isBid(below: price) {
            if topic != .outbid { outbidCount += 1 }
            showOutbid(in: lot)
        } else {
            remove { $0 == .outbid || $0.isBid(below: price) }
        }
    }

    private mutating func showOutbid(in lot: LotState) {
        guard let leader = lot.leader else { return }
        let least = lot.stage == .open ? lot.least : nil
        show(
            "OUTBID by \(leader)" + (least.map { ", bid \($0.grouped)" } ?? ""),
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
        case .bid, .lot, .outbid: true
        case .connection, .load, .moment, .warning, .line: false
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
        case .tooLow, .tooHigh, .leading, .outbid, .overPurse, .paused, .closed: .lot
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
        case .name, .maximum(nil), .said, .reacted, .displayed, .laps, .results, .who, .standings,
            .rooms, .joined, .opened, .resumed, .status, .format, .ping, .ready, .quit, .help,
            .ruled:
            .moment
        }
    }
}
