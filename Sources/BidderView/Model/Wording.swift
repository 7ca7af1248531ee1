import AuctionRules
import SafeText
import Wire

extension ServerMessage {
    /// The message as a sentence for a person, who may be `user`; nil if it is no news.
    package func sentence(to user: Bidder? = nil) -> String? {
        switch self {
        case .lot(let lot, _, _, _): lot.called("is open")
        case .terms(let terms): terms.format.rule
        case .ask(let price, _, _): "the price falls to \(price.grouped)"
        case .sealed(let count): SealedBids.heading(count)
        case .revealed(let bidder, let price, _): "\(bidder) had bid \(price.grouped)"
        case .reserveMet: "the reserve is met"
        case .value(let value): "the lot was worth \(value.grouped)"
        case .champion(let bidder, let score):
            "\(bidder.verb("are", "is", user)) the champion with \(score.grouped)"
        case .said(let bidder, let text): "\(bidder): \(text)"
        case .price(let bid, _, _, _):
            "\(bid.bidder.verb("bid", "bids", user)) \(bid.price.grouped)"
        case .last: "last round: bids no longer reset the countdown"
        case .going(let warning): "going \(warning.rawValue)"
        case .winner(let sale):
            "\(sale.bidder.verb("have", "has", user)) won \(sale.title) for \(sale.price.grouped)"
        case .passed(let lot, let reason, _):
            "lot \(lot.number) is unsold: \(plainWords(of: reason))"
        case .next(let title, let seconds):
            "\(title) opens in \(seconds) \(seconds == 1 ? "second" : "seconds")"
        case .over(let lots): "the sale is over after \(lots) \(lots == 1 ? "lot" : "lots")"
        case .paused: "the sale is paused"
        case .resumed: "the sale is resumed"
        case .hammered: "the auctioneer sells the lot now"
        case .voided(let bid, _, _): "\(bid.bidder)'s bid of \(bid.price.grouped) is void"
        case .kicked(let bidder, let reason):
            "\(bidder.verb("were", "was", user)) removed: \(reason)"
        case .stopped: "the auctioneer has stopped the server"
        case .joined(let bidder): "\(bidder.verb("have", "has", user)) joined"
        case .left(let bidder): "\(bidder.verb("have", "has", user)) left"
        case .skipped(let lines): "this connection was too slow and missed \(lines) lines"
        default: nil
        }
    }
}

extension Bidder {
    /// The bidder and a verb: in the second person if it is the user.
    fileprivate func verb(_ second: String, _ third: String, _ user: Bidder?) -> String {
        self == user ? "you \(second)" : "\(self) \(third)"
    }
}

extension Lot {
    /// Whether the title is only the number of the lot.
    var isUntitled: Bool { self == Lot(number: number) }

    fileprivate func called(_ verb: String) -> String {
        "lot \(number) \(verb)" + (isUntitled ? "" : ": \(title)")
    }
}

/// Why a lot was not sold, in plain words; an unknown reason is returned unchanged.
func plainWords(of reason: String) -> String {
    switch reason {
    case "no-bids": "nobody bid"
    case "reserve-not-met": "the reserve was not met"
    case "closed": "closed by the auctioneer"
    default: reason
    }
}

extension Price {
    /// The amount with commas between thousands, as in `1,050`.
    package var grouped: String { amount.grouped }
}

extension Int64 {
    /// The number with commas between thousands.
    package var grouped: String {
        guard magnitude >= 1_000 else { return "\(self)" }
        let rest = "\(magnitude % 1_000)"
        return (self / 1_000).grouped + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }

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
        switch format {
        case .english: "no bid yet"
        case .dutch: ask.map { "asking \($0.grouped)" } ?? "no price yet"
        case .sealed, .vickrey: sealedBids.heading
        }
    }
}

extension SealedBids {
    /// The number of bids in words.
    var heading: String { Self.heading(count) }

    fileprivate static func heading(_ count: Int) -> String {
        switch count {
        case 0: "no sealed bids"
        case 1: "1 sealed bid"
        default: "\(Int64(count).grouped) sealed bids"
        }
    }
}
