import Auction
import Basics
import Server
import Testing

@Suite struct RoomFiguresTests {
    private typealias Counts = RoomFigures.Counts

    private static func room(
        _ name: String, _ people: Int, bids: Int = 0, lots: Int = 0
    ) throws -> (name: RoomName, counts: RoomFigures.Counts) {
        let counts = RoomFigures.Counts(people: people, bidsAccepted: bids, lotsEnded: lots)
        return (try #require(RoomName(name)), counts)
    }

    private static let second: Int64 = 1_000_000_000

    @Test("the busiest rooms have a label of their own, and the others are one")
    func busiest() throws {
        var figures = RoomFigures()
        var rooms = [try Self.room("main", 0, bids: 1)]
        for number in 1...12 {
            rooms.append(try Self.room("room-\(number)", number % 4, bids: number))
        }
        figures.update(rooms, at: Instant(nanoseconds: 0))
        #expect(
            figures.list.map(\.label) == [
                "main", "room-11", "room-7", "room-3", "room-10", "room-6", "room-2", "room-9",
                "room-5", "room-1", "_other",
            ])
        #expect(figures.list.last?.counts == Counts(people: 0, bidsAccepted: 4 + 8 + 12))
        #expect(figures.list[1].counts == Counts(people: 3, bidsAccepted: 11))
    }

    @Test("no counter falls when a room gets a label, loses it and gets it again")
    func labels() throws {
        var figures = RoomFigures()
        let crowd = try (1...9).map { try Self.room("crowd-\($0)", 5) }
        func rooms(_ people: Int, bids: Int) throws -> [(name: RoomName, counts: Counts)] {
            [try Self.room("main", 0)] + crowd + [try Self.room("blue", people, bids: bids)]
        }
        var other = 0
        for (people, bids, expected) in [
            (0, 10, nil), (9, 15, 5), (1, 20, nil), (9, 22, 7),
        ] as [(Int, Int, Int?)] {
            figures.update(try rooms(people, bids: bids), at: Instant(nanoseconds: 0))
            let counts = Dictionary(
                uniqueKeysWithValues: figures.list.map { ($0.label, $0.counts.bidsAccepted) })
            #expect(counts["blue"] == expected)
            let others = try #require(counts[RoomFigures.otherLabel])
            #expect(others >= other)
            other = others
        }
        #expect(other == 15)
    }

    @Test("the lots that ended before the start, or in a room of the same name, are not counted")
    func lots() throws {
        var figures = RoomFigures([try Self.room("main", 0, lots: 7)])
        let blue = try #require(RoomName("blue"))
        let now = Instant(nanoseconds: 0)
        figures.update(
            [try Self.room("main", 0, lots: 8), try Self.room("blue", 1, lots: 2)], at: now)
        #expect(figures.list.map(\.counts.lotsEnded) == [1, 2, 0])
        figures.remove(blue)
        #expect(figures.list.map(\.label) == ["main", "_other"])
        figures.update(
            [try Self.room("main", 0, lots: 8), try Self.room("blue", 1, lots: 1)], at: now)
        #expect(figures.list.map(\.counts.lotsEnded) == [1, 1, 0])
    }

    @Test("the rooms are counted at most once a second")
    func interval() throws {
        var figures = RoomFigures()
        #expect(figures.isDue(at: Instant(nanoseconds: 0)))
        figures.update([try Self.room("main", 1)], at: Instant(nanoseconds: 0))
        #expect(!figures.isDue(at: Instant(nanoseconds: Self.second - 1)))
        #expect(figures.isDue(at: Instant(nanoseconds: Self.second)))
    }
}
