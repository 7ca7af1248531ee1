import Auction
import Wire

/// A request that a client has sent.
struct Command {
    enum Kind: Equatable {
        case name(Bidder, token: String?)
        case bid(Int64, by: Bidder, forLot: Int?)
        /// `take`, `buy` or `max`.
        case offer(String, forLot: Int?)
        case say
        /// What a student sends who has read the instructions.
        case ready
        case react(Reaction)
        case display(String?)
        case question
        /// A request for the results of all lots; this number had ended when it was sent.
        case results(ended: Int)
        case resume(after: Int)
        case format(Format)
        /// A request for the list of rooms.
        case rooms
        case join(RoomName)
        case open(RoomName, RoomOptions)
        case auctioneer(token: String)
        case ruling(AuctioneerCommand.Verb)
        /// The auctioneer's command that ends a room.
        case end(RoomName)
        case quit
        /// Something that is no command, and the error for it.
        case nonsense(ErrorReply.Code)
    }

    /// The number of the only lot that it is for; nil if it is for the open one.
    var forLot: Int? {
        switch kind {
        case .bid(_, _, let lot), .offer(_, let lot): lot
        default: nil
        }
    }

    let kind: Kind
    let tag: String?
    let invoked: Duration
    /// The room in which the client knew to be when it sent it.
    let sentIn: RoomReferee?
    /// The room in which the server answered, and its newest lot then; nil before.
    var room: RoomReferee?
    var lot: Int?
    /// The number of lines of a list that the client has received for it.
    var listed = 0
    /// The rooms that were listed for it.
    var rooms: Set<RoomName> = []

    init(_ kind: Kind, tag: String?, at time: Duration, in room: RoomReferee?) {
        (self.kind, self.tag, invoked, sentIn) = (kind, tag, time, room)
    }
}
