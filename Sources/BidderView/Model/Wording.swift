import Auction
import Basics
import Wire

extension ServerMessage {
    /// The message as a sentence for a person, who may be `user`; nil if it is no news.
    package func sentence(to user: Bidder? = nil) -> String? {
        switch self {
        case .event(let event, _): event.sentence(to: user)
        case .skipped(let lines): "this connection was too slow and missed \(lines) lines"
        default: nil
        }
    }
}

extension Int64 {
    /// The number with commas and its sign, as in `+37`; 0 has none.
    var signed: String { (self > 0 ? "+" : "") + grouped }
}

extension Model {
    /// The title of the window, without characters that could control a terminal.
    var title: String {
        let lot = sale.lot.map { $0.isUntitled ? "lot \($0.number)" : $0.title } ?? "auction"
        let state = isStale ? "not connected: \(lot)" : standing.title(of: lot, sale)
        let place = room.map { $0 == .main ? "" : "\($0): " } ?? ""
        return String((place + state).prefix(80)).harmless
    }
}

extension Standing {
    fileprivate func title(of lot: String, _ sale: SaleState) -> String {
        let price = sale.leading?.price.grouped ?? ""
        return switch self {
        case .none: lot
        case .noBids: "\(sale.wait): \(lot)"
        case .leading: "you lead at \(price): \(lot)"
        case .outbid(let bidder, let price): "OUTBID by \(bidder) at \(price.grouped): \(lot)"
        case .other(let bidder): "\(bidder) leads at \(price): \(lot)"
        case .won: "you have won: \(lot)"
        case .ended: "ended: \(lot)"
        }
    }
}

extension String {
    /// The text with a question mark for each character outside of ASCII.
    var asciiOnly: String { String(map { $0.isASCII ? $0 : "?" }) }
}

extension SaleState {
    /// What holds as long as nobody leads.
    fileprivate var wait: String {
        if format.isSealed { return sealedBids.heading }
        guard format.verb == .take else { return "no bid yet" }
        return ask.map { "asking \($0.grouped)" } ?? "no price yet"
    }
}

extension SealedBids {
    /// The number of bids in words.
    var heading: String { SaleEvent.heading(ofSealedBids: count) }
}
