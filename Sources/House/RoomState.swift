import Auction

/// The state of a room at one moment, from which it can continue.
///
/// It is made in O(1), because it shares memory with the room until the room changes. Its records
/// cost far more, and any thread can make them while the room goes on.
public struct RoomState: Sendable {
    private let name: RoomName
    private let opening: Room.Opening?
    private let sale: Sale

    /// Copies the state that a room has now.
    init(_ room: Room) {
        (name, opening) = (room.name, room.opening)
        sale = room.live.sale.withoutRecentNews
    }

    /// The records with which a segment of the log restates the room, in order.
    ///
    /// `number` is that of the event which a record restates, if it restates one.
    public var records: [(record: Record, number: Int?)] {
        var records: [(record: Record, number: Int?)] = []
        if let opening {
            records.append((.roomOpened(name, key: opening.key, opening.options), nil))
        }
        let (head, news) = (records.count, sale.eventNumber)
        records.append((.roomState(name, news: news, lines: 0), nil))
        sale.appendState(to: &records)
        records[head].record = .roomState(name, news: news, lines: records.count - head - 1)
        return records
    }
}
