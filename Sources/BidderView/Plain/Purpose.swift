import AuctionRules
import Wire

/// What one run of the client is for.
public enum Purpose: Equatable, Sendable {
    /// To bid, and with `waits` to follow the lot to its end.
    ///
    /// If no lot is open, the bid is refused, or with `waitsForLot` made on the next lot.
    case bid(Price, by: Bidder, waits: Bool, waitsForLot: Bool = false)
    /// To say the user's lines under a name, and to see everything.
    case play(as: Bidder)
    /// To follow the news.
    case watch
    /// To ask for something, and to see the data of the answer.
    case ask(Request.Command)
    /// To say any line, under a name if one is given, and to see all of the answer.
    case send(String, as: Bidder?)
}
