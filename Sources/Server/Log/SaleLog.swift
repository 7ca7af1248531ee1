import AuctionRules
import Sale
import Wire

/// The observer that writes the news of a sale into the log.
final class SaleLog {
    private let log: Log
    /// The bid that leads again after the newest void, which is in the log already.
    private var restored: Bid?

    init(_ log: Log) {
        self.log = log
    }

    /// Writes a line about the news, unless it is a matter of seconds.
    func receive(_ news: News) {
        let message = news.message
        switch message {
        case .lot(let lot, _, _):
            log.write(.info, "lot") { line in
                line.add("lot", lot.number)
                line.add("title", lot.title)
            }
        case .price(let bid, _, _) where bid == restored: break
        case .price(let bid, let lot, _): write(bid, lot: lot)
        case .winner(let sale): write(sale)
        case .passed(let lot, let reason, _):
            log.write(.info, "passed") { line in
                line.add("lot", lot.number)
                line.add("reason", reason)
            }
        case .over(let lots): log.write(.info, "over") { $0.add("lots", lots) }
        case .joined(let bidder): log.write(limited: .info, .joined) { $0.add("bidder", bidder) }
        case .left(let bidder): log.write(limited: .info, .left) { $0.add("bidder", bidder) }
        case .paused: log.write(.info, "paused")
        case .resumed: log.write(.info, "resumed")
        case .hammered: log.write(.info, "hammered")
        case .last: log.write(.info, "last")
        case .voided(let bid, let lot):
            restored = bid.leading
            log.write(.info, "voided") { line in
                if let lot { line.add("lot", lot) }
                line.add("bid", bid.number)
                line.add("amount", bid.price)
                line.add("bidder", bid.bidder)
            }
        case .kicked(let bidder, let reason):
            log.write(.info, "kicked") { line in
                line.add("bidder", bidder)
                line.add("reason", reason)
            }
        case .stopped: log.write(.info, "stopping")
        case .terms(let terms): write(terms)
        case .revealed(let bidder, let price, _):
            log.write(limited: .info, .revealed) { line in
                line.add("amount", price)
                line.add("bidder", bidder)
            }
        case .reserveMet: log.write(.info, "reserve-met")
        case .value(let value): log.write(.info, "value") { $0.add("amount", Int(value)) }
        case .champion(let bidder, let score):
            log.write(limited: .info, .champion) { line in
                line.add("bidder", bidder)
                line.add("score", "\(score)")
            }
        case .said(let bidder, _): log.write(limited: .info, .said) { $0.add("bidder", bidder) }
        default: break
        }
    }

    private func write(_ terms: Terms) {
        log.write(.info, "terms") { line in
            line.add("format", terms.format.rawValue)
            line.add("seconds", terms.seconds)
            line.add("start", terms.start)
            line.add("step", terms.step)
            if terms.hasReserve { line.add("reserve", "yes") }
            if let buy = terms.buy { line.add("buy", buy) }
        }
    }

    private func write(_ bid: Bid, lot: Int?) {
        // There may be hundreds of thousands of them in a second; the journal has them all.
        log.write(limited: .info, .bid) { line in
            line.addShort { text in
                text.append(" lot=")
                text.append(lot ?? 0)
                text.append(" bid=")
                text.append(bid.number)
                text.append(" amount=")
                text.append(bid.price.amount)
                text.append(" bidder=")
                text.append(bid.bidder)
            }
        }
    }

    private func write(_ sale: SoldLot) {
        log.write(.info, "sold") { line in
            if let number = sale.number { line.add("lot", number) }
            line.add("amount", sale.price)
            line.add("bidder", sale.bidder)
            line.add("elapsed", sale.elapsed.lotTime)
        }
    }
}
