import AuctionRules

/// The result of an accepted command, in its `OK` line.
public enum Answer: Equatable, Sendable {
    /// The connection has this name; the token proves it later.
    case name(Bidder, token: String)
    /// The bid leads.
    case bid(Price)
    /// The bids were listed; the lot has this total number of bids.
    case laps(Int)
    /// This number of bidders was listed.
    case who(Int)
    /// The snapshot was repeated.
    case status
    /// The following lines are in this format.
    case format(Format)
    /// The reply to `ping`.
    case ping
    /// The server will send `BYE` and close the connection.
    case quit
    /// The commands were listed.
    case help
    /// The connection is an auctioneer now.
    case auctioneer
    /// The auctioneer's command was executed.
    case ruled(AuctioneerCommand.Verb)
}
