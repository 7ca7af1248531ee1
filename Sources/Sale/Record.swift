import AuctionRules

/// A line of the log of a sale: an event, or an entry of the state at the beginning of a segment.
///
/// A state is made of events that still hold and of entries that are no events, in a fixed order:
/// see `Sale.state(at:)`.
public enum Record: Equatable, Sendable {
    /// An event; in a state it is restated, under its number if it still holds.
    case event(SaleEvent)
    /// A name under which a bid was accepted.
    ///
    /// `used` is when its owner left, in milliseconds since 1970; nil if the owner is present.
    case name(Bidder, Token, used: Int64?)
    /// The owner of the name is present.
    case present(Bidder)
    /// A bid on the newest lot.
    case bid(Bid)
    /// How an earlier lot ended.
    case result(LotResult)
    /// What a bidder has won so far.
    case tally(Tally)
}
