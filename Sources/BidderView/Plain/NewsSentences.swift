import Auction
import Wire

/// The news of a lot as sentences, for the bidder who waits for its end.
struct NewsSentences: Sendable {
    private let bidder: Bidder
    private var isLeading = false
    /// Up to which price the server bids for the bidder; nil if it does not.
    private var maximum: Price?

    init(for bidder: Bidder) {
        self.bidder = bidder
    }

    /// Records the answer to the bid.
    mutating func accept(_ answer: Answer) {
        if case .maximum(let price) = answer { maximum = price }
    }

    /// The sentence of a message; nil if it is not worth a line.
    mutating func sentence(of message: ServerMessage) -> Sentence? {
        switch message {
        case .event(let event, _): return sentence(of: event)
        case .purse(let left): return Sentence("your purse has \(left.grouped) left")
        case .worth(let amount, let isEstimate):
            return Sentence(
                isEstimate
                    ? "your estimate is about \(amount.grouped)" : "your value is \(amount.grouped)"
            )
        case .maximum(let price):
            maximum = price
            return Sentence("your maximum is \(price.grouped)")
        case .ownBid(let price): return Sentence("your sealed bid is \(price.grouped)")
        default: return message.sentence().map { Sentence($0) }
        }
    }

    private mutating func sentence(of event: SaleEvent) -> Sentence? {
        switch event {
        case .bidPlaced(let bid): return sentence(of: bid)
        case .lotSold(let sold) where sold.bidder == bidder:
            return Sentence("you have won \(sold.title) for \(sold.price.grouped)", .good)
        case .bidVoided: isLeading = false
        case .termsAnnounced(let terms): return Sentence(terms.sentence)
        case .bidderJoined, .bidderLeft: return nil
        default: break
        }
        return event.sentence().map { Sentence($0) }
    }

    private mutating func sentence(of bid: Bid) -> Sentence? {
        let wasLeading = isLeading
        isLeading = bid.bidder == bidder
        if isLeading {
            // The answer to a plain bid has said so already.
            return maximum == nil ? nil : Sentence("you bid \(bid.price.grouped)", .good)
        }
        // The server answers a bid below the maximum at once.
        let isAnswered = maximum.map { $0 > bid.price } ?? false
        return wasLeading && !isAnswered
            ? Sentence("OUTBID by \(bid.bidder): \(bid.price.grouped)", .bad)
            : SaleEvent.bidPlaced(bid).sentence().map { Sentence($0) }
    }
}
