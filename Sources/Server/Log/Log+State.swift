import Auction
import House
import Journal

extension Log {
    /// The most rooms whose state is written besides that of the main one.
    private static let mostRooms = 100

    /// Writes the state of the server, with that of the main room, and of each other room.
    ///
    /// Of more than 100 other rooms it writes the first by name. `rooms` begins with the main room.
    package func answer(
        stateOf rooms: [RoomStatus], connections: Int, memory: Int?, _ journal: JournalFigures?
    ) {
        guard let main = rooms.first else { return }
        answer("state") { line in
            line.add(main.sale)
            line.add("connections", connections)
            line.add("named", main.sale.named)
            if rooms.count > 1 { line.add("rooms", rooms.count) }
            if let memory { line.add("memory", memory) }
            if let journal {
                line.add("events", journal.events)
                line.add("batches", journal.batches)
            }
        }
        for room in rooms.dropFirst().prefix(Self.mostRooms) {
            answer("state") { line in
                line.add(room.name)
                line.add(room.sale)
                line.add("people", room.people)
                line.add("named", room.sale.named)
            }
        }
        let left = rooms.count - 1 - Self.mostRooms
        guard left > 0 else { return }
        answer("withheld") { line in
            line.add("of", "state")
            line.add("lines", left)
        }
    }
}

extension LogLine {
    /// Adds what is on in a room.
    fileprivate mutating func add(_ sale: SaleStatus) {
        add("lot", sale.lot)
        add("stage", sale.stage.rawValue)
        if sale.isPaused { add("paused", "true") }
        if let bid = sale.leading {
            add("price", bid.price)
            add("leader", bid.bidder)
        }
    }
}
