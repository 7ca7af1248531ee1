import Auction
import House
import Wire

/// The observer that writes the news of a room into the log.
final class SaleLog {
    private let log: Log
    private let room: RoomName
    /// The number of the newest lot.
    private var lot: Int
    /// The number of lots that have ended in the room.
    private var lots: Int
    /// The bid that leads again after the newest void, which is in the log already.
    private var restored: Bid?

    /// Creates the observer of a room with this newest lot, in which `lots` have ended.
    init(_ log: Log, of room: RoomName, lot: Int, lots: Int) {
        (self.log, self.room, self.lot, self.lots) = (log, room, lot, lots)
    }

    /// Writes that the room has ended.
    func end() {
        write(.roomEnded) { $0.add("lots", lots) }
    }

    /// Writes a line about the news, unless it is a matter of seconds.
    func receive(_ news: News) {
        switch news.event {
        case .lotOpened(let lot):
            self.lot = lot.number
            write(.lot) { line in
                line.add("lot", lot.number)
                line.add("title", lot.title)
            }
        case .bidPlaced(let bid) where bid == restored: break
        case .bidPlaced(let bid): write(bid)
        case .lotSold(let sale):
            lots += 1
            write(sale)
        case .lotPassed(let lot, let reason, _):
            lots += 1
            write(.passed) { line in
                line.add("lot", lot.number)
                line.add("reason", reason)
            }
        case .ended(let lots): write(.over) { $0.add("lots", lots) }
        case .bidderJoined(let bidder, _): write(.joined) { $0.add("bidder", bidder) }
        case .bidderLeft(let bidder): write(.left) { $0.add("bidder", bidder) }
        case .paused: write(.paused)
        case .resumed: write(.resumed)
        case .hammered: write(.hammered)
        case .lastReset: write(.last)
        case .bidVoided(let bid):
            restored = bid.leading
            write(.voided) { line in
                line.add("lot", lot)
                line.add("bid", bid.number)
                line.add("amount", bid.price)
                line.add("bidder", bid.bidder)
            }
        case .bidderKicked(let bidder, let reason):
            write(.kicked) { line in
                line.add("bidder", bidder)
                line.add("reason", reason)
            }
        case .stopped: if room == .main { log.write(.info, "stopping") }
        case .termsAnnounced(let terms): write(terms)
        case .bidRevealed(let bid):
            write(.revealed) { line in
                line.add("amount", bid.price)
                line.add("bidder", bid.bidder)
            }
        case .reserveMet: write(.reserve)
        case .valueRevealed(let value): write(.value) { $0.add("amount", Int(value)) }
        case .championNamed(let bidder, let score):
            write(.champion) { line in
                line.add("bidder", bidder)
                line.add("score", "\(score)")
            }
        case .awardGiven(let award):
            write(.award) { line in
                line.add("for", award.kind.rawValue)
                line.add("bidder", award.bidder)
                line.add("amount", "\(award.amount)")
            }
        case .messageSaid(let bidder, _): write(.said) { $0.add("bidder", bidder) }
        default: break
        }
    }

    private func write(_ terms: Terms) {
        write(.terms) { line in
            line.add("format", terms.format.rawValue)
            line.add("seconds", terms.seconds)
            line.add("start", terms.start)
            line.add("step", terms.step)
            if terms.hasReserve { line.add("reserve", "yes") }
            if let buy = terms.buy { line.add("buy", buy) }
        }
    }

    private func write(_ bid: Bid) {
        // There may be hundreds of thousands of them in a second; the journal has them all.
        write(.bid) { line in
            line.addShort { text in
                text.append(" lot=")
                text.append(lot)
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
        write(.sold) { line in
            if let number = sale.number { line.add("lot", number) }
            line.add("amount", sale.price)
            line.add("bidder", sale.bidder)
            line.add("elapsed", sale.elapsed.lotTime)
        }
    }

    private func write(_ event: LimitedEvent, _ words: (inout LogLine) -> Void = { _ in }) {
        log.write(event, in: room, words)
    }
}
