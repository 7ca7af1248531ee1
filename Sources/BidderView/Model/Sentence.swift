import Wire

extension Notice {
    /// The news as a sentence for the ticker; nil for what is no news to a person.
    package var sentence: String? {
        switch self {
        case .lot(let lot, _, _): "lot \(lot.number) is open: \(lot.title)"
        case .price(let bid, _, _): "\(bid.bidder) bids \(bid.price.amount)"
        case .going(let warning): "going \(warning.rawValue)"
        case .winner(let sale):
            "\(sale.bidder) has won \(sale.title) for \(sale.price.amount)"
        case .passed(let lot, let reason): "lot \(lot.number) stays unsold: \(reason)"
        case .over(let lots): "the sale is over, lots sold: \(lots)"
        case .joined(let bidder): "\(bidder) has come in"
        case .left(let bidder): "\(bidder) has left"
        case .skipped(let lines): "this connection was too slow, and missed \(lines) lines"
        case .bye, .hello, .countdown, .lap, .who, .help, .ok, .error: nil
        }
    }
}
