import Auction

/// The identity of a room in a running server: a slot and a generation, 4 bytes.
///
/// When a room has ended, its slot is used again for a room of the next generation, so that effects
/// for the earlier room do not reach the new one.
public struct RoomID: Hashable, Sendable {
    /// The most rooms of a server.
    public static let mostRooms = 10_000

    /// The room that every server has.
    public static let main = RoomID(slot: 0, generation: 0)

    let slot: UInt16
    let generation: UInt16

    package init(slot: Int, generation: UInt16) {
        (self.slot, self.generation) = (UInt16(slot), generation)
    }

    /// A number for each room, from 0.
    public var number: Int { Int(generation) << 16 | Int(slot) }
}

/// The state of a room, for the operator.
public struct RoomStatus: Sendable {
    /// The stage of the newest lot.
    public enum Stage: String, Sendable {
        /// It is open for bids.
        case open
        /// It has ended, and another follows.
        case closed
        /// It has ended, and was the last.
        case over
    }

    /// Its name.
    public let name: RoomName
    /// The number of connections in it.
    public let people: Int
    /// The number of present bidders.
    public let named: Int
    /// The number of bids, purchases and maxima that were accepted in it since the start.
    public let bidsAccepted: Int
    /// The number of its lots that have ended.
    public let lotsEnded: Int
    /// The number of the newest lot.
    public let lot: Int
    /// Its stage.
    public let stage: Stage
    /// Whether the auctioneer has paused the sale.
    public let isPaused: Bool
    /// Its leading bid, if there is one.
    public let leading: Bid?
    /// The leading or asking price; nil if there is none, or it is secret.
    public let price: Price?
    /// The newest lot, if it has ended and was sold.
    public let newestSale: SoldLot?

    /// Describes the current state of a room; O(1).
    init(_ room: borrowing Room) {
        let (sale, auction) = (room.sale, room.sale.auction)
        (name, people, named) = (room.name, room.followers, sale.names.presentCount)
        (bidsAccepted, lotsEnded) = (room.bidsAccepted, sale.lotsEnded)
        (lot, isPaused, leading) = (auction.lot.number, auction.isPaused, auction.leading)
        price = auction.leading?.price ?? auction.ask
        if case .sold(let lot)? = sale.result?.outcome {
            newestSale = lot
        } else {
            newestSale = nil
        }
        stage = sale.isOver ? .over : auction.isClosed ? .closed : .open
    }
}

/// The state of a room at one moment, from which it can continue.
///
/// It is made in O(1), because it shares memory with the room until the room changes. Its records
/// cost far more, and any thread can make them while the room goes on.
package struct RoomState: Sendable {
    /// The name of the room.
    let name: RoomName
    private let opening: Room.Opening?
    private let sale: Sale

    /// Copies the state that a room has now.
    init(_ room: borrowing Room) {
        (name, opening) = (room.name, room.opening)
        sale = room.sale.withoutRecentNews
    }

    /// The records with which a segment of the journal restates the room, in order.
    ///
    /// `number` is that of the event which a record restates, if it restates one.
    package var records: [(record: Record, number: Int?)] {
        var records: [(record: Record, number: Int?)] = []
        if let opening {
            records.append((.roomOpened(name, keyHash: opening.keyHash, opening.options), nil))
        }
        let (head, news) = (records.count, sale.eventNumber)
        records.append((.roomState(name, news: news, lines: 0), nil))
        sale.appendState(to: &records)
        records[head].record = .roomState(name, news: news, lines: records.count - head - 1)
        return records
    }
}
