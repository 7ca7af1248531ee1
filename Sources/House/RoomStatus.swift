import Auction

/// The state of a room, for the operator.
public struct RoomStatus: Sendable {
    /// Its name.
    public let name: RoomName
    /// The state of its sale.
    public let sale: SaleStatus
    /// The number of connections in it.
    public let people: Int
    /// The number of bids, purchases and maxima that were accepted in it since the start.
    public let bidsAccepted: Int
    /// The number of its lots that have ended.
    public let lotsEnded: Int

    init(_ room: Room) {
        (name, people, bidsAccepted) = (room.name, room.people, room.bidsAccepted)
        lotsEnded = room.live.sale.lotsEnded
        sale = SaleStatus(room.live.sale)
    }
}
