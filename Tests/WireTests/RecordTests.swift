import AuctionRules
import TestSupport
import Testing
import Wire

@Suite struct RecordTests {
    static let token = "bde73f45cd6cc3c02386ec477c6370d1"
    static let exact = Bid(
        number: 1, price: price(120), bidder: ServerMessageTests.alice, elapsed: .milliseconds(3217)
    )

    static let lines: [(record: Record, line: String, milliseconds: Int64?)] = [
        (.message(.price(exact, lot: nil, remaining: nil)), "PRICE 120 alice 00:03.2 1", 3217),
        (.message(.lap(exact)), "LAP 1 120 alice 00:03.2", 3217),
        (
            .message(.winner(ServerMessageTests.sale)), "WINNER alice 120 00:12.4 Blue \"Vase\"",
            12_400
        ),
        (
            .message(.lot(Lot(number: 2, title: "Vase"), start: nil, elapsed: nil)), "LOT 2 Vase",
            nil
        ),
        (.message(.countdown(7, remaining: nil)), "COUNTDOWN 7", nil),
        (.message(.joined(ServerMessageTests.alice)), "JOINED alice", nil),
        (.message(.paused), "PAUSED", nil),
        (
            .message(.voided(price(120), by: ServerMessageTests.alice, number: nil, lot: nil)),
            "VOIDED 120 alice", nil
        ),
        (.message(.kicked(ServerMessageTests.alice, reason: "a b")), "KICKED alice a b", nil),
        (.name(ServerMessageTests.alice, token: token, hasBid: false), "NAME alice \(token)", nil),
        (
            .name(ServerMessageTests.alice, token: token, hasBid: true), "NAME alice \(token) bid",
            nil
        ),
        (
            .name(ServerMessageTests.alice, token: token, hasBid: true, used: 1_790_000_000_123),
            "NAME alice \(token) bid 2026-09-21T14:13:20.123Z", nil
        ),
        (.freed(ServerMessageTests.alice), "FREE alice", nil),
        (
            .result(
                .winner(
                    SoldLot(
                        number: 3, title: "Blue \"Vase\"", bidder: ServerMessageTests.alice,
                        price: price(120), elapsed: .milliseconds(12_417))),
                seq: 57, time: 1_790_000_000_123),
            "RESULT 3 57 2026-09-21T14:13:20.123Z WINNER alice 120 00:12.4 Blue \"Vase\"", 12_417
        ),
        (
            .result(
                .passed(Lot(number: 4, title: "Old clock"), reason: "closed"), seq: 60,
                time: 1_790_000_000_123),
            "RESULT 4 60 2026-09-21T14:13:20.123Z PASSED 4 closed Old clock", nil
        ),
        (
            .message(
                .passed(
                    Lot(number: 4, title: "Old clock"), reason: "closed",
                    elapsed: .milliseconds(7012))),
            "PASSED 4 closed Old clock", 7012
        ),
        (
            .barred(ServerMessageTests.alice, until: 1_790_000_000_123),
            "OUT alice 2026-09-21T14:13:20.123Z", nil
        ),
        (.time(1_763_632_800_123), "TIME 2025-11-20T10:00:00.123Z", nil),
        (.time(951_782_400_000), "TIME 2000-02-29T00:00:00.000Z", nil),
        (GameID("k3v9").map { .game($0) } ?? .time(1), "GAME k3v9", nil),
        (.time(0), "TIME 1970-01-01T00:00:00.000Z", nil),
    ]

    @Test("every record prints its line, and the exact time beside it", arguments: lines)
    func printed(record: Record, line: String, milliseconds: Int64?) {
        var bytes: [UInt8] = []
        record.appendText(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == line + "\n")
        #expect(record.elapsedMilliseconds == milliseconds)
    }

    @Test("every line parses back to its record, to the millisecond", arguments: lines)
    func parsed(record: Record, line: String, milliseconds: Int64?) {
        #expect(read(line, milliseconds) == record)
    }

    @Test(
        "a clock that is set wrong is written as a time that can be read",
        arguments: [
            (-1, "TIME 1970-01-01T00:00:00.000Z"), (Int64.min, "TIME 1970-01-01T00:00:00.000Z"),
            (253_402_300_800_000, "TIME 9999-12-31T23:59:59.999Z"),
            (Int64.max, "TIME 9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func wrongClock(milliseconds: Int64, line: String) {
        var bytes: [UInt8] = []
        Record.time(milliseconds).appendText(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == line + "\n")
        #expect(read(line, nil) != nil)
    }

    @Test("a time that a lot cannot have been open is neither made nor read")
    func longestLot() {
        let bid = Bid(
            number: 1, price: price(5), bidder: ServerMessageTests.alice, elapsed: .seconds(1e9))
        let record = Record.message(.price(bid, lot: nil, remaining: nil))
        #expect(record.elapsedMilliseconds == 100_000_000_000)
        var bytes: [UInt8] = []
        record.appendText(to: &bytes)
        #expect(read(String(decoding: bytes.dropLast(), as: UTF8.self), 100_000_000_000) == record)
        #expect(read("PRICE 5 alice 1666666:40.0 1", 100_000_000_001) == nil)
        #expect(read("LAP 1 5 alice 1666666:40.1", nil) == nil)
        let early = Bid(
            number: 1, price: price(5), bidder: ServerMessageTests.alice, elapsed: .seconds(-1))
        #expect(early.elapsed == .zero)
    }

    @Test("an exact time that is not that of the words makes a line unreadable")
    func otherTime() {
        #expect(read("PRICE 120 alice 00:03.2 1", 3300) == nil)
        #expect(read("PRICE 120 alice 0:03.2 1", 3200) == nil)
        #expect(read("LAP 1 120 alice 00:03.2", 3199) == nil)
        #expect(read("WINNER alice 120 00:03.2 Vase", 3300) == nil)
    }

    @Test("without the exact time a bid has that of its words")
    func tenths() {
        #expect(
            read("PRICE 120 alice 00:03.2 1", nil)
                == .message(.price(ServerMessageTests.bid, lot: nil, remaining: nil)))
    }

    @Test(
        "what is no record is none",
        arguments: [
            "", "NAME alice", "NAME al.ice \(token)", "NAME alice \(token) bids",
            "NAME alice \(token) bid 5", "TIME now", "GAME", "GAME k3v", "GAME K3V9",
            "GAME k3v9 k3v9", "TIME 2025-02-30T00:00:00.000Z",
            "TIME 99999999999-1-1T1:1:1.1Z", "TIME 1969-12-31T23:59:59.999Z",
            "PRICE 0 alice 00:03.2 1", "PRICE 120 alice 00:03.2",
            "PRICE 120 alice 00:03.2 1 2", "bid 5", "RESULT 1 2 now PASSED 1 closed Vase",
            "RESULT 2 5 2026-09-21T14:13:20.123Z PASSED 1 closed Vase",
            "RESULT 0 5 2026-09-21T14:13:20.123Z PASSED 0 closed Vase",
            "RESULT 1 0 2026-09-21T14:13:20.123Z PASSED 1 closed Vase",
            "RESULT 1 5 2026-09-21T14:13:20.123Z OVER 1",
            "RESULT 1 5 2026-09-21T14:13:20.123Z",
        ])
    func refused(line: String) {
        #expect(read(line, nil) == nil)
        #expect(read(line, 3200) == nil)
    }

    private func read(_ line: String, _ milliseconds: Int64?) -> Record? {
        Record(line: Array(line.utf8).span, elapsedMilliseconds: milliseconds)
    }
}
