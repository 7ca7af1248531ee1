import AuctionRules
import Wire

/// Something that happened in a sale, as its log records it.
///
/// Public events are news for everybody in the room and are numbered from 1 without a gap. The
/// others are recorded in the log alone and have no number.
public enum SaleEvent: Equatable, Sendable {
    /// A lot opened for bids.
    case lotOpened(Lot)
    /// A bid was accepted.
    case bidPlaced(Bid)
    /// The price of this bid holds again, because the bid after it was voided.
    case priceRestored(Bid)
    /// Later bids on the lot do not reset the countdown any more.
    case lastReset
    /// The number of whole seconds left in the countdown changed.
    case secondsLeft(Int)
    /// A fair warning was given.
    case warned(ServerMessage.Warning)
    /// The hammer fell.
    case lotSold(SoldLot)
    /// A lot ended unsold, for a reason of one word; the time since it opened, if it is known.
    case lotPassed(Lot, reason: String, elapsed: Duration?)
    /// Every lot of the catalogue is done; this is their number.
    case ended(lots: Int)
    /// The auctioneer interrupted the sale.
    case paused
    /// The auctioneer continued the sale.
    case resumed
    /// The auctioneer ordered the hammer; `lotSold` follows.
    case hammered
    /// The leading bid was taken back.
    case bidVoided(Bid)
    /// The auctioneer sent a bidder away, for a reason in words.
    case bidderKicked(Bidder, reason: String)
    /// The auctioneer ended the server.
    case stopped
    /// The owner of a name arrived.
    case bidderJoined(Bidder)
    /// The owner of a name left; the name becomes free unless a bid was accepted under it.
    case bidderLeft(Bidder)

    /// The game began. For the log alone, as are those that follow.
    case gameCreated(GameID)
    /// A name is owned; its owner proves it with the token.
    case nameTaken(Bidder, Token)
    /// A name is free again.
    case nameFreed(Bidder)
    /// A name may not be taken before this time, in milliseconds since 1970.
    case nameBarred(Bidder, until: Int64)
    /// The time of day, in milliseconds since 1970.
    case timeNoted(Int64)

    /// Whether the event is news.
    var isPublic: Bool {
        switch self {
        case .lotOpened, .bidPlaced, .priceRestored, .lastReset, .secondsLeft, .warned, .lotSold,
            .lotPassed, .ended, .paused, .resumed, .hammered, .bidVoided, .bidderKicked, .stopped,
            .bidderJoined, .bidderLeft:
            true
        case .gameCreated, .nameTaken, .nameFreed, .nameBarred, .timeNoted: false
        }
    }
}

extension SaleEvent {
    /// The line of the log.
    ///
    /// `sale` is the sale after the event, and `remaining` the time left of the countdown: only JSON
    /// tells them.
    func record(in sale: Sale, remaining: Duration?) -> Record {
        let lot = sale.auction.lot.number
        return switch self {
        case .lotOpened(let lot): .message(.lot(lot, start: sale.rules.start, elapsed: .zero))
        case .bidPlaced(let bid), .priceRestored(let bid):
            .message(.price(bid, lot: lot, remaining: remaining))
        case .lastReset: .message(.last)
        case .secondsLeft(let seconds):
            .message(.countdown(seconds, remaining: remaining ?? .zero))
        case .warned(let warning): .message(.going(warning))
        case .lotSold(let sold): .message(.winner(sold))
        case .lotPassed(let lot, let reason, let elapsed):
            .message(.passed(lot, reason: reason, elapsed: elapsed))
        case .ended(let lots): .message(.over(lots: lots))
        case .paused: .message(.paused)
        case .resumed: .message(.resumed)
        case .hammered: .message(.hammered)
        case .bidVoided(let bid):
            .message(.voided(bid.price, by: bid.bidder, number: bid.number, lot: lot))
        case .bidderKicked(let bidder, let reason): .message(.kicked(bidder, reason: reason))
        case .stopped: .message(.stopped)
        case .bidderJoined(let bidder): .message(.joined(bidder))
        case .bidderLeft(let bidder): .message(.left(bidder))
        case .gameCreated(let game): .game(game)
        case .nameTaken(let bidder, let token):
            .name(bidder, token: token.description, hasBid: false)
        case .nameFreed(let bidder): .freed(bidder)
        case .nameBarred(let bidder, let end): .barred(bidder, until: end)
        case .timeNoted(let time): .time(time)
        }
    }

    /// The event that a line of the log records after what happened in `sale`; nil if it is none.
    init?(_ record: Record, in sale: Sale) {
        switch record {
        case .message(let message): self.init(message, in: sale)
        case .name(let bidder, let token, false, nil):
            guard let token = Token(token) else { return nil }
            self = .nameTaken(bidder, token)
        case .name, .result: return nil
        case .freed(let bidder): self = .nameFreed(bidder)
        case .barred(let bidder, let end): self = .nameBarred(bidder, until: end)
        case .time(let time): self = .timeNoted(time)
        case .game(let game): self = .gameCreated(game)
        }
    }

    private init?(_ message: ServerMessage, in sale: Sale) {
        let auction = sale.auction
        switch message {
        case .lot(let lot, _, _): self = .lotOpened(lot)
        case .price(let bid, _, _):
            self = sale.isPriceDue && auction.leading == bid ? .priceRestored(bid) : .bidPlaced(bid)
        case .last: self = .lastReset
        case .countdown(let seconds, _): self = .secondsLeft(seconds)
        case .going(let warning): self = .warned(warning)
        case .winner(let sold): self = .lotSold(sold.ofLot(auction.lot.number))
        case .passed(let lot, let reason, let elapsed):
            self = .lotPassed(lot, reason: reason, elapsed: elapsed)
        case .over(let lots): self = .ended(lots: lots)
        case .paused: self = .paused
        case .resumed: self = .resumed
        case .hammered: self = .hammered
        case .voided(let price, let bidder, _, _):
            guard let bid = auction.leading, (bid.price, bid.bidder) == (price, bidder) else {
                return nil
            }
            self = .bidVoided(bid)
        case .kicked(let bidder, let reason): self = .bidderKicked(bidder, reason: reason)
        case .stopped: self = .stopped
        case .joined(let bidder): self = .bidderJoined(bidder)
        case .left(let bidder): self = .bidderLeft(bidder)
        default: return nil  // Greetings, data and answers are no events.
        }
    }
}

extension SoldLot {
    /// The same sale, of the lot with this number, which a line of text does not say.
    func ofLot(_ number: Int) -> SoldLot {
        SoldLot(number: number, title: title, bidder: bidder, price: price, elapsed: elapsed)
    }
}
