import Auction
import Server
import Testing
import Wire

/// The rows of a journal of several segments or rooms.
@Suite struct ResultsOfSegmentsTests {
    @Test("the state of a later segment repeats nothing")
    func segments() throws {
        var reader = LotHistoryReader()
        reader.beginSegment(state: 0)
        var rows = try ResultsTableTests.read(
            "LOT 1 Vase\nPASSED 1 closed Vase|5\nLOT 2 Clock\nPRICE 5 bob 00:01.0 1|1000",
            with: &reader)
        reader.beginSegment(state: 5)
        rows += try ResultsTableTests.read(
            """
            STATE main 4 4
            LOT 1 Vase
            LOT 2 Clock
            LAP 1 5 bob 00:01.0|1000
            RESULT 1 2 2026-11-22T10:00:00.000Z PASSED 1 closed Vase|5
            PRICE 9 alice 00:02.0 2|2000
            WINNER alice 9 00:05.0 Clock|5000
            """, with: &reader)
        #expect(
            rows == [
                "lot,1,Vase,english,,,,,,5,0,,closed",
                "bid,2,Clock,english,bob,,5,,,1000,,,lost",
                "bid,2,Clock,english,alice,,9,,,2000,,,won",
                "lot,2,Clock,english,alice,,9,9,,5000,9,,sold",
            ])
        #expect(reader.firstPartial == nil)
    }

    @Test("a journal without its oldest segments has the results of the lots before")
    func retention() throws {
        var reader = LotHistoryReader()
        reader.beginSegment(state: 11)
        let rows = try ResultsTableTests.read(
            """
            STATE main 8 10
            TIME 2026-11-22T10:00:00.000Z
            LOT 1 Vase
            PLAN format=dutch seconds=20 start=900 step=10
            LOT 3 Lamp
            WORTH alice 150
            LAP 7 90 bob 00:01.0|1000
            LAP 8 100 alice 00:02.0|2000
            COUNTDOWN 3
            RESULT 1 2 2026-11-22T10:00:00.000Z WINNER bob 50 00:07.0 Vase|7000
            RESULT 2 4 2026-11-22T10:00:00.000Z PASSED 2 no-bids Clock|7000
            WINNER alice 100 00:05.0 Lamp|5000
            """, with: &reader)
        #expect(
            rows == [
                "lot,1,Vase,,bob,,,50,,7000,50,,sold",
                "lot,2,Clock,,,,,,,7000,0,,no-bids",
                "bid,3,Lamp,dutch,bob,,90,,,1000,,,lost",
                "bid,3,Lamp,dutch,alice,150,100,,,2000,,,won",
                "lot,3,Lamp,dutch,alice,150,100,100,50,5000,100,1.0000,sold",
            ])
        #expect(reader.firstPartial == 3)
    }

    @Test("a lot that had ended when the journal begins comes after those before it")
    func endedBefore() throws {
        var reader = LotHistoryReader()
        reader.beginSegment(state: 7)
        let rows = try ResultsTableTests.read(
            """
            STATE main 4 6
            LOT 1 Vase
            LOT 2 Clock
            LAP 1 5 bob 00:01.0|1000
            WINNER bob 5 00:05.0 Clock|5000
            RESULT 1 2 2026-11-22T10:00:00.000Z PASSED 1 closed Vase|5
            RESULT 2 4 2026-11-22T10:00:00.000Z WINNER bob 5 00:05.0 Clock|5000
            """, with: &reader)
        #expect(
            rows == [
                "lot,1,Vase,,,,,,,5,0,,closed",
                "bid,2,Clock,english,bob,,5,,,1000,,,won",
                "lot,2,Clock,english,bob,,5,5,,5000,5,,sold",
            ])
        #expect(reader.current == nil)
    }

    /// Lines of two rooms, of which one ends and is opened again.
    private static let rooms = """
        LOT 1 Vase
        OPEN blue \(keyHash) format=dutch seconds=10 start=1 step=1 pause=3
        PLAN format=dutch seconds=10 start=90 step=1
        LOT 1 Clock
        ROOM main
        PRICE 5 bob 00:01.0 1|1000
        ROOM blue
        PRICE 80 alice 00:02.0 1|2000
        WINNER alice 80 00:02.0 Clock|2000
        LOT 2 Lamp
        PRICE 7 carol 00:01.0 1|1000
        SHUT blue
        WINNER bob 5 00:08.0 Vase|8000
        OPEN blue \(keyHash) format=english seconds=10 start=1 step=1 pause=3
        LOT 1 Chair
        PRICE 6 bob 00:03.0 1|3000
        """
    private static let keyHash = String(repeating: "1", count: 64)
    private static let roomState = """
        STATE main 4 1
        LOT 1 Vase
        OPEN blue \(keyHash) format=english seconds=10 start=1 step=1 pause=3
        STATE blue 9 2
        LOT 1 Chair
        LAP 1 6 bob 00:03.0|3000
        PASSED 1 closed Vase|9000
        ROOM blue
        WINNER bob 6 00:10.0 Chair|10000
        """

    @Test("the table has the lots of one room alone, and those before it was opened again")
    func rooms() throws {
        let chair = [
            "bid,1,Chair,english,bob,,6,,,3000,,,won",
            "lot,1,Chair,english,bob,,6,6,,10000,6,,sold",
        ]
        let ended = [
            "bid,1,Clock,dutch,alice,,80,,,2000,,,won",
            "lot,1,Clock,dutch,alice,,80,80,,2000,80,,sold",
            "bid,2,Lamp,english,carol,,7,,,1000,,,",
        ]
        let blue = try #require(RoomName("blue"))
        for (lines, expected) in [(Self.rooms, ended + chair), ("LOT 1 Vase", chair)] {
            var reader = LotHistoryReader(of: blue)
            reader.beginSegment(state: 0)
            var rows = try ResultsTableTests.read(lines, with: &reader)
            reader.beginSegment(state: 6)
            rows += try ResultsTableTests.read(Self.roomState, with: &reader)
            #expect(rows == expected)
        }
        var main = LotHistoryReader()
        main.beginSegment(state: 0)
        #expect(
            try ResultsTableTests.read(Self.rooms, with: &main) == [
                "bid,1,Vase,english,bob,,5,,,1000,,,won",
                "lot,1,Vase,english,bob,,5,5,,8000,5,,sold",
            ])
    }
}
