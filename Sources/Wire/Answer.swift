import AuctionRules

/// How a command was done, as its `OK` line says it.
public enum Answer: Equatable, Sendable {
    /// The connection has this name, and the token proves it later.
    case name(Bidder, token: String)
    /// The bid leads.
    case bid(Price)
    /// The laps were listed, of so many in all.
    case laps(Int)
    /// So many bidders were listed.
    case who(Int)
    /// The snapshot was repeated.
    case status
    /// What follows is in this form.
    case format(Format)
    /// The connection lives.
    case ping
    /// The connection is to be closed, after `BYE`.
    case quit
    /// The commands were listed.
    case help
    /// The connection is the auctioneer's.
    case auctioneer
    /// What the auctioneer ordered is done.
    case ruled(AuctioneerCommand.Verb)
}
