import AuctionRules
import Wire

extension ServerMessage {
    /// The news as a sentence for the ticker; nil for what is no news to a person.
    package var sentence: String? {
        switch self {
        case .lot(let lot, _, _): lot.called("is open")
        case .price(let bid, _, _): "\(bid.bidder) bids \(bid.price.grouped)"
        case .last: "last round: bids no longer set the countdown back"
        case .going(let warning): "going \(warning.rawValue)"
        case .winner(let sale):
            "\(sale.bidder) has won \(sale.title) for \(sale.price.grouped)"
        case .passed(let lot, let reason):
            "lot \(lot.number) stays unsold: \(plainWords(of: reason))"
        case .over(let lots): "the sale is over after \(lots) \(lots == 1 ? "lot" : "lots")"
        case .paused: "the sale is paused"
        case .resumed: "the sale goes on"
        case .hammered: "the auctioneer lets the hammer fall"
        case .voided(let price, let bidder, _, _): "\(bidder)'s bid of \(price.grouped) is void"
        case .kicked(let bidder, let reason): "\(bidder) was kicked out: \(reason)"
        case .stopped: "the auctioneer has ended the server"
        case .joined(let bidder): "\(bidder) has come in"
        case .left(let bidder): "\(bidder) has left"
        case .skipped(let lines): "this connection was too slow, and missed \(lines) lines"
        case .bye, .hello, .countdown, .lap, .who, .help, .ok, .error: nil
        }
    }
}

extension Lot {
    /// Whether its title is no more than its number.
    var isUntitled: Bool { self == Lot(number: number) }

    fileprivate func called(_ verb: String) -> String {
        "lot \(number) \(verb)" + (isUntitled ? "" : ": \(title)")
    }
}

/// Why a lot stays unsold, in plain words; a reason that is not known here stays its word.
func plainWords(of reason: String) -> String {
    switch reason {
    case "no-bids": "nobody bid"
    case "closed": "closed by the auctioneer"
    default: reason
    }
}
