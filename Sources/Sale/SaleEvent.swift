import AuctionRules

/// Something that happened in a sale, as its log records it.
///
/// Public events are news for everybody and are numbered from 1 without a gap. The
/// others are recorded in the log alone and have no number.
public enum SaleEvent: Equatable, Sendable {
    /// A lot opened for bids.
    case lotOpened(Lot)
    /// A bid was accepted.
    case bidPlaced(Bid)
    /// The price of this bid holds again, because the bid after it was voided.
    case priceRestored(Bid)
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
    /// All lots of the catalogue have ended; the value is their number.
    case ended(lots: Int)
    /// The auctioneer paused the sale.
    case paused
    /// The auctioneer continued the sale.
    case resumed
    /// The auctioneer sold the lot early; `lotSold` follows.
    case hammered
    /// The leading bid was voided; its number is nil if parsed from text, which does not have it.
    case bidVoided(Price, by: Bidder, number: Int?)
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
    /// A name cannot be taken before this time, in milliseconds since 1970.
    case nameBarred(Bidder, until: Int64)
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
        case .lotOpened, .bidPlaced, .priceRestored, .lastReset, .secondsLeft, .warned, .lotSold,
            .lotPassed, .ended, .paused, .resumed, .hammered, .bidVoided, .bidderKicked, .stopped,
            .bidderJoined, .bidderLeft:
            .everyone
        case .gameCreated, .nameTaken, .nameFreed, .nameBarred, .timeNoted: .log
        }
    }
}

/// The two fair warnings before a lot is sold.
public enum Warning: String, CaseIterable, Sendable {
    /// The first.
    case once
    /// The last.
    case twice
}
