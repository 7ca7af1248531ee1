import AuctionRules

/// Something that happened in a sale, as its log records it.
///
/// Public events are news for everybody and are numbered from 1 without a gap. The
/// others are recorded in the log alone and have no number.
public enum SaleEvent: Equatable, Sendable {
    /// A lot opened for bids.
    case lotOpened(Lot)
    /// A bid was accepted; or, after a void, the price of the bid that leads again is repeated.
    case bidPlaced(Bid)
    /// Later bids on the lot no longer reset the countdown.
    case lastReset
    /// The number of whole seconds left in the countdown changed.
    case secondsLeft(Int)
    /// A fair warning was given.
    case warned(Warning)
    /// The hammer fell.
    case lotSold(SoldLot)
    /// A lot ended unsold, for a reason of one word; the time since it opened, if it is known.
    case lotPassed(Lot, reason: String, elapsed: Duration?)
    /// The lot with this title opens after this number of seconds, from 1.
    case nextAnnounced(title: String, seconds: Int)
    /// All lots of the catalogue have ended; the value is their number.
    case ended(lots: Int)
    /// The auctioneer paused the sale.
    case paused
    /// The auctioneer continued the sale.
    case resumed
    /// The auctioneer sold the lot early; `lotSold` follows.
    case hammered
    /// The leading bid was voided, and the bid before it leads again, if there is one.
    indirect case bidVoided(VoidedBid)
    /// The auctioneer removed a bidder, for a reason in words.
    case bidderKicked(Bidder, reason: String)
    /// The auctioneer stopped the server.
    case stopped
    /// The owner of a name arrived.
    case bidderJoined(Bidder)
    /// The owner of a name left; the name becomes free unless a bid was accepted under it.
    case bidderLeft(Bidder)

    /// The game began. This event and those below are for the log alone.
    case gameCreated(GameID)
    /// A name is owned; its owner proves it with the token.
    case nameTaken(Bidder, Token)
    /// A name is free again.
    case nameFreed(Bidder)
    /// An absent owner's name counts as used now, because it has bid on the open lot.
    case nameKept(Bidder)
    /// A name cannot be taken before this time, in milliseconds since 1970.
    case nameBarred(Bidder, until: Int64)
    /// A barred name can be taken again.
    case barEnded(Bidder)
    /// The time of day, in milliseconds since 1970.
    case timeNoted(Int64)

    /// Who receives an event.
    public enum Audience: Sendable {
        /// Everybody; the event is news and has a number.
        case everyone
        /// Nobody; the event is recorded in the log alone.
        case log
    }

    /// Who receives the event.
    public var audience: Audience {
        switch self {
        case .lotOpened, .bidPlaced, .lastReset, .secondsLeft, .warned, .lotSold,
            .lotPassed, .nextAnnounced, .ended, .paused, .resumed, .hammered, .bidVoided,
            .bidderKicked, .stopped,
            .bidderJoined, .bidderLeft:
            .everyone
        case .gameCreated, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded, .timeNoted:
            .log
        }
    }
}

/// A bid that was voided, and the bid that leads again.
public struct VoidedBid: Equatable, Sendable {
    /// The number of the voided bid, which the next bid has again.
    public let number: Int
    /// Its price.
    public let price: Price
    /// Its bidder.
    public let bidder: Bidder
    /// The bid that leads again; nil if there is none.
    public let leading: Bid?

    /// Creates the record of a void.
    public init(number: Int, price: Price, bidder: Bidder, leading: Bid?) {
        (self.number, self.price, self.bidder, self.leading) = (number, price, bidder, leading)
    }

    /// Creates the record of the void of a bid.
    public init(_ bid: Bid, leading: Bid?) {
        self.init(number: bid.number, price: bid.price, bidder: bid.bidder, leading: leading)
    }
}

/// The two fair warnings before a lot is sold.
public enum Warning: String, CaseIterable, Sendable {
    /// The first.
    case once
    /// The last.
    case twice
}
