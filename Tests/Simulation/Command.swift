import AuctionRules
import Wire

/// What a visitor has said, and waits for the answer to.
struct Command {
    enum Kind: Equatable {
        case name(Bidder, token: String?)
        case bid(Int64, by: Bidder)
        case question
        case format(Format)
        case auctioneer(isTrue: Bool)
        case ruling(AuctioneerCommand.Verb, isProven: Bool)
        case quit
        /// What is no command, and the word that says so; nil if nothing does.
        case nonsense(ErrorReply.Code)
    }

    let kind: Kind
    let tag: String?
    let invoked: Duration
    /// The lot that was open, or closed, when the room answered; 0 before the first.
    var lot: Int?
}
