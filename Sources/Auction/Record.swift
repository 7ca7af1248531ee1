/// A line of the log: an event of a sale, an entry of a state, or a note of rooms.
///
/// A state is at the beginning of a segment. It has the events that still hold, and entries that are
/// no events, in the order of `Sale.state`. A note of rooms belongs to no sale; it says to which room
/// the next lines belong.
public enum Record: Equatable, Sendable {
    /// An event; in a state it is restated, under its number if it still holds.
    case event(SaleEvent)
    /// A name under which a bid was accepted, or that is kept until the lot has ended.
    ///
    /// `used` is when its owner left, in milliseconds since 1970; nil if the owner is present.
    case name(Bidder, Token, used: Int64?, hasBid: Bool = true)
    /// The owner of the name is present.
    case present(Bidder)
    /// A bid on the newest lot.
    case bid(Bid)
    /// How an earlier lot ended.
    case result(LotResult)
    /// What a bidder has won so far.
    case tally(Tally)
    /// The next lines belong to this room.
    case room(RoomName)
    /// A room was opened, with its auctioneer's key and its resolved options; the next lines belong
    /// to it.
    indirect case roomOpened(RoomName, key: Token, RoomOptions)
    /// A room has ended, and its names are gone from it; the next lines belong to the main room.
    case roomEnded(RoomName)
    /// The room has had this number of news, and the next `lines` lines are its state.
    case roomState(RoomName, news: Int, lines: Int)
}
