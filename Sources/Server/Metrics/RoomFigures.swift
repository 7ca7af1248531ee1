import Auction
import Basics
import House

/// What happened in each room, as the metrics list it: the busiest rooms, and the others as one.
///
/// Strangers open rooms and choose their names, so only ten, `main` among them, have a label of
/// their own at a time. A bid is counted under the label that its room has at the next scrape, so
/// that no counter falls when the labels change.
package struct RoomFigures {
    /// What was counted in a room, or in several.
    package struct Counts: Equatable {
        package var people = 0
        package var named = 0
        package var bidsAccepted = 0
        package var lotsEnded = 0

        package init(
            people: Int = 0, named: Int = 0, bidsAccepted: Int = 0, lotsEnded: Int = 0
        ) {
            (self.people, self.named) = (people, named)
            (self.bidsAccepted, self.lotsEnded) = (bidsAccepted, lotsEnded)
        }

        init(_ room: RoomStatus) {
            self.init(
                people: room.people, named: room.named, bidsAccepted: room.bidsAccepted,
                lotsEnded: room.lotsEnded)
        }
    }

    /// The most rooms with a label of their own.
    package static let mostLabels = 10
    /// The label of all other rooms, which is not the name of a room.
    package static let otherLabel = "_other"
    /// How long the same counts are listed before the rooms are counted again.
    private static let interval = Duration.seconds(1)

    /// What was counted in each room by its label, and at all.
    private var rooms: [RoomName: (labelled: Counts, total: Counts)] = [:]
    private var labelled: [RoomName] = []
    private var others = Counts()
    /// The prices of rooms when they were counted.
    package var prices: [RoomName: Price] = [:]
    private var countedAt: Instant?

    /// Begins with the rooms of a server that starts, whose earlier lots are not counted.
    package init(_ rooms: [(name: RoomName, counts: Counts)] = []) {
        for (name, counts) in rooms { self.rooms[name] = (Counts(), counts) }
    }

    /// The number of connected bidders in all rooms but the main one.
    package private(set) var namedElsewhere = 0

    /// The counts by their labels: those of the busiest rooms, then of the others.
    package var list: [(label: String, counts: Counts)] {
        labelled.map { ($0.description, rooms[$0]?.labelled ?? Counts()) }
            + [(Self.otherLabel, others)]
    }

    /// The prices of the rooms that have a label of their own, and a price.
    package var listedPrices: [(label: String, price: Price)] {
        labelled.compactMap { name in prices[name].map { (name.description, $0) } }
    }

    /// Whether the rooms must be counted again to be listed at an instant.
    package func isDue(at now: Instant) -> Bool {
        countedAt.map { now >= $0.advanced(by: Self.interval) } ?? true
    }

    /// Notes what was counted in each room since the start, and chooses which ones have a label.
    package mutating func update(_ current: [(name: RoomName, counts: Counts)], at now: Instant) {
        countedAt = now
        labelled = Self.busiest(current)
        let isLabelled = Set(labelled)
        (others.people, namedElsewhere) = (0, 0)
        for (name, counts) in current {
            var room = rooms[name] ?? (Counts(), Counts())
            let (bids, lots) = counts.new(since: room.total)
            room.total = counts
            if name != .main { namedElsewhere += counts.named }
            if isLabelled.contains(name) {
                room.labelled.people = counts.people
                room.labelled.bidsAccepted += bids
                room.labelled.lotsEnded += lots
            } else {
                others.people += counts.people
                others.bidsAccepted += bids
                others.lotsEnded += lots
            }
            rooms[name] = room
        }
    }

    /// Notes that a room has ended; another may get its name.
    package mutating func remove(_ name: RoomName) {
        rooms[name] = nil
        labelled.removeAll { $0 == name }
    }

    /// The main room, and the other rooms with the most people, then the most bids; O(n).
    private static func busiest(_ rooms: [(name: RoomName, counts: Counts)]) -> [RoomName] {
        var busiest: [(name: RoomName, counts: Counts)] = []
        for room in rooms where room.name != .main {
            let place = busiest.firstIndex { $0.counts.isQuieter(than: room.counts) }
            busiest.insert(room, at: place ?? busiest.count)
            if busiest.count == mostLabels { busiest.removeLast() }
        }
        return [.main] + busiest.map(\.name)
    }
}

extension RoomFigures.Counts {
    fileprivate func isQuieter(than other: Self) -> Bool {
        (people, bidsAccepted) < (other.people, other.bidsAccepted)
    }

    /// What was counted since an earlier count.
    fileprivate func new(since earlier: Self) -> (bids: Int, lots: Int) {
        (max(bidsAccepted - earlier.bidsAccepted, 0), max(lotsEnded - earlier.lotsEnded, 0))
    }
}
