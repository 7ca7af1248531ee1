import Auction
import Wire

/// The news of a lot as sentences, for the bidder who waits for its end.
struct NewsSentences: Sendable {
    private let bidder: Bidder
    private var isLeading = false
    /// What only the bidder may know; nil before it was told.
    private var own: OwnState?

    init(for bidder: Bidder) {
        self.bidder = bidder
    }

    /// The sentences of a message; empty if it is not worth a line.
    mutating func sentences(of message: ServerMessage) -> [Sentence] {
        if case .you(let members) = message { return sentences(of: members) }
        if let event = message.event { return sentence(of: event).map { [$0] } ?? [] }
        return message.sentence().map { [Sentence($0)] } ?? []
    }

    /// What has changed for the bidder alone; the answer to a command says its own bids.
    private mutating func sentences(of members: [UInt8]) -> [Sentence] {
        let former = own
        var new = own ?? OwnState(bidder)
        new.merge(json: members)
        own = new
        var texts: [String?] = []
        if new.left != former?.left {
            texts.append(new.left.map { "your purse has \($0.grouped) left" })
        }
        if new.worth != former?.worth {
            let noun = new.isEstimate ? "estimate is about" : "value is"
            texts.append(new.worth.map { "your \(noun) \($0.grouped)" })
        }
        if former == nil {
            texts.append(new.maximum.map { "your maximum is \($0.grouped)" })
            texts.append(new.sealed.map { "your sealed bid is \($0.grouped)" })
        }
        let said = texts.compactMap { $0.map { Sentence($0) } }
        guard let former, let paid = new.paid, paid != former.paid, !new.leads else { return said }
        return said + [Sentence("you pay \(paid.grouped), your own bid", .bad)]
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
            return own?.maximum == nil ? nil : Sentence("you bid \(bid.price.grouped)", .good)
        }
        // The server answers a bid below the maximum at once.
        let isAnswered = own?.maximum.map { $0 > bid.price } ?? false
        return wasLeading && !isAnswered
            ? Sentence("OUTBID by \(bid.bidder): \(bid.price.grouped)", .bad)
            : SaleEvent.bidPlaced(bid).sentence().map { Sentence($0) }
    }
}

extension ServerMessage {
    /// The message as a sentence for a person, who may be `user`; nil if it is no news.
    package func sentence(to user: Bidder? = nil) -> String? {
        guard case .skipped(let lines) = self else { return event?.sentence(to: user) }
        return "this connection was too slow and missed \(lines) lines"
    }
}

extension String {
    /// The text with a question mark for each character outside of ASCII.
    package var asciiOnly: String { String(map { $0.isASCII ? $0 : "?" }) }
}
