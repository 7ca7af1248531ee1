import Auction
import TestSupport
import Testing
import Wire

@Suite struct RecordTests {
    static let alice = ServerMessageTests.alice
    static let hash = "311492738ea72a7a0ec586728b2147f86c683183b1299b6c2ebf32601ad55633"
    static let tokenHash = known(TokenHash(hash))
    static let serverID = known(Identity("k3v9"))
    static let exact = Bid(
        number: 1, price: price(120), bidder: ServerMessageTests.alice, elapsed: .milliseconds(3217)
    )

    static let seed = Seed(42)
    static let drawn = {
        var options = GameOptions(values: .personal(5...9), seed: seed, countsLeftover: true)
        options.draws = 3
        return options
    }()
    static let sealed = SealedBid(bidder: alice, price: price(120), elapsed: .milliseconds(3217))

    private static func round(
        _ number: Int, _ format: AuctionFormat, isPractice: Bool = false
    ) -> ClassRound {
        let part = ClassPlan.Part(1, format, isPractice: isPractice)
        return ClassRound(number: number, treatment: 2, of: part, draw: 7)
    }

    static let lines: [(record: Record, line: String, milliseconds: Int64?)] = [
        (.event(.bidPlaced(exact)), "PRICE 120 alice 00:03.2 1", 3217),
        (.bid(exact), "LAP 1 120 alice 00:03.2", 3217),
        (.present(alice), "WHO alice", nil),
        (
            .event(.lotSold(ServerMessageTests.sale)), "WINNER alice 120 00:12.4 Blue \"Vase\"",
            12_400
        ),
        (.event(.lotOpened(Lot(number: 2, title: "Vase"))), "LOT 2 Vase", nil),
        (.event(.secondsLeft(7)), "COUNTDOWN 7", nil),
        (.event(.bidderJoined(alice)), "JOINED alice", nil),
        (.event(.paused), "PAUSED", nil),
        (
            .event(
                .bidVoided(
                    VoidedBid(number: 2, price: price(150), bidder: alice, leading: exact))),
            "VOIDED 150 alice 2 120 alice 00:03.2 1", 3217
        ),
        (
            .event(
                .bidVoided(
                    VoidedBid(number: 1, price: price(120), bidder: alice, leading: nil))),
            "VOIDED 120 alice 1", nil
        ),
        (.event(.bidderKicked(alice, reason: "a b")), "KICKED alice a b", nil),
        (.event(.nameTaken(alice, tokenHash)), "NAME alice \(hash)", nil),
        (.name(alice, tokenHash, used: nil), "NAME alice \(hash) bid", nil),
        (
            .name(alice, tokenHash, used: 1_790_000_000_123),
            "NAME alice \(hash) bid 2026-09-21T14:13:20.123Z", nil
        ),
        (
            .event(.lotPlanned(ServerMessageTests.fullTerms, reserve: price(80))),
            "PLAN format=vickrey seconds=20 start=10 step=5 reserve=80 buy=500 longest=60", nil
        ),
        (
            .event(.lotPlanned(ServerMessageTests.plainTerms, reserve: nil)),
            "PLAN format=sealed seconds=20 start=10 step=5", nil
        ),
        (
            .event(.lotAdded(LotPlanTests.plan("Old clock", [.format(.dutch), .reserve(80)]))),
            "ADD Old clock format=dutch reserve=80", nil
        ),
        (.event(.lotAdded(LotPlan(title: "Old clock"))), "ADD Old clock", nil),
        (.event(.lotRenamed(Lot(number: 3, title: "Blue vase"))), "TITLE 3 Blue vase", nil),
        (
            .event(.optionsSet(RoomOptions().resolved(with: Rules(seconds: 9), pause: .zero))),
            "SET format=english seconds=9 start=1 step=1 pause=0", nil
        ),
        (
            .event(.roundBegan(round(3, .dutch), members: 30)),
            "ROUND 3 treatment=2 format=dutch draw=7 members=30", nil
        ),
        (
            .event(.roundBegan(round(1, .sealed, isPractice: true), members: 0)),
            "ROUND 1 treatment=2 format=sealed practice=yes draw=7 members=0", nil
        ),
        (.event(.memberDrawn(alice, ClassPlace(group: 2, lot: 5))), "MEMBER alice 2 5", nil),
        (
            .event(.memberDrawn(alice, ClassPlace(group: 2, lot: 5, isDone: true))),
            "MEMBER alice 2 5 done", nil
        ),
        (
            .event(.memberEarned(Tally(bidder: alice, lots: 1, spent: 40, profit: -2))),
            "EARNED alice lots=1 spent=40 profit=-2", nil
        ),
        (
            .event(
                .gameSet(GameOptions(purse: price(1000), values: .personal(50...150), seed: seed))),
            "PLAY purse=1000 worth=50..150 seed=2a", nil
        ),
        (
            .event(.gameSet(GameOptions(values: .common(0...150, noise: 20), seed: seed))),
            "PLAY common=0..150 noise=20 seed=2a", nil
        ),
        (.event(.gameSet(GameOptions(seed: seed))), "PLAY seed=2a", nil),
        (
            .event(
                .gameSet(
                    GameOptions(
                        purse: price(9), values: .personal(5...9), seed: seed,
                        countsLeftover: true))),
            "PLAY purse=9 worth=5..9 leftover=counts seed=2a", nil
        ),
        (
            .event(.gameSet(drawn)),
            "PLAY worth=5..9 leftover=counts seed=2a draws=3", nil
        ),
        (.event(.valueDrawn(117)), "DRAWN 117", nil),
        (
            .event(.worthDrawn(Worth(bidder: alice, amount: 143, isEstimate: false))),
            "WORTH alice 143", nil
        ),
        (
            .event(.worthDrawn(Worth(bidder: alice, amount: 128, isEstimate: true))),
            "WORTH alice about 128", nil
        ),
        (.event(.bidSealed(sealed)), "BID alice 120", 3217),
        (.event(.maximumSet(alice, price(200))), "MAX alice 200", nil),
        (.event(.maximumSet(alice, nil)), "MAX alice 0", nil),
        (.event(.bidderMuted(alice)), "MUTE alice", nil),
        (.event(.bidderUnmuted(alice)), "UNMUTE alice", nil),
        (
            .tally(Tally(bidder: alice, lots: 2, spent: 140, profit: -37)),
            "TALLY alice lots=2 spent=140 profit=-37", nil
        ),
        (
            .tally(Tally(bidder: alice, points: 5)), "TALLY alice lots=0 spent=0 profit=0 points=5",
            nil
        ),
        (
            .event(.termsAnnounced(ServerMessageTests.fullTerms)),
            "TERMS format=vickrey seconds=20 start=10 step=5 reserve=yes buy=500 longest=60", nil
        ),
        (.event(.askFell(price(900))), "ASK 900", nil), (.event(.bidsSealed(3)), "SEALED 3", nil),
        (.event(.bidRevealed(sealed)), "REVEALED 120 alice", 3217),
        (.event(.reserveMet), "RESERVE met", nil), (.event(.valueRevealed(117)), "VALUE 117", nil),
        (.event(.championNamed(alice, score: 213)), "CHAMPION alice 213", nil),
        (.event(.messageSaid(alice, text: "hello all")), "SAID alice hello all", nil),
        (.event(.reacted(alice, .laughter)), "REACTED alice 😂", nil),
        (.event(.displayNameSet(alice, text: "Zoë")), "DISPLAY alice Zoë", nil),
        (.event(.waiting(people: 4)), "WAITING 4", nil),
        (.event(.rematchBegan(games: 2, firstLot: 11)), "REMATCH 2 11", nil),
        (.event(.nameFreed(alice)), "FREE alice", nil),
        (.event(.nameKept(alice)), "KEPT alice", nil), (.event(.barEnded(alice)), "IN alice", nil),
        (
            .result(
                LotResult(
                    Lot(number: 3, title: "Blue \"Vase\""),
                    .sold(
                        SoldLot(
                            number: 3, title: "Blue \"Vase\"", bidder: alice, price: price(120),
                            elapsed: .milliseconds(12_417))),
                    number: 57, time: 1_790_000_000_123)),
            "RESULT 3 57 2026-09-21T14:13:20.123Z WINNER alice 120 00:12.4 Blue \"Vase\"", 12_417
        ),
        (
            .result(
                LotResult(
                    Lot(number: 4, title: "Old clock"), .passed(reason: "closed", elapsed: nil),
                    number: 60, time: 1_790_000_000_123)),
            "RESULT 4 60 2026-09-21T14:13:20.123Z PASSED 4 closed Old clock", nil
        ),
        (
            .event(
                .lotPassed(
                    Lot(number: 4, title: "Old clock"), reason: "closed",
                    elapsed: .milliseconds(7012))),
            "PASSED 4 closed Old clock", 7012
        ),
        (
            .event(.nameBarred(alice, until: 1_790_000_000_123)),
            "OUT alice 2026-09-21T14:13:20.123Z", nil
        ),
        (.event(.timeNoted(1_763_632_800_123)), "TIME 2025-11-20T10:00:00.123Z", nil),
        (.event(.timeNoted(951_782_400_000)), "TIME 2000-02-29T00:00:00.000Z", nil),
        (.event(.saleBegan(serverID)), "GAME k3v9", nil),
        (.event(.timeNoted(0)), "TIME 1970-01-01T00:00:00.000Z", nil),
        (
            .award(Award(.closest, to: alice, amount: 1, title: "Old clock")),
            "BEST closest alice 1 Old clock", nil
        ),
        (.room(.main), "ROOM main", nil),
        (.room(ServerMessageTests.room("blue-2")), "ROOM blue-2", nil),
        (
            .roomOpened(
                ServerMessageTests.room("blue"), keyHash: tokenHash, RoomOptionsTests.resolved),
            "OPEN blue \(hash) format=english seconds=10 start=1 step=5 lots=5 pause=3 "
                + "purse=1000 worth=50..150", nil
        ),
        (.roomEnded(ServerMessageTests.room("blue")), "SHUT blue", nil),
        (.roomState(.main, news: 57, lines: 12), "STATE main 57 12", nil),
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
        Record.event(.timeNoted(milliseconds)).appendText(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == line + "\n")
        #expect(read(line, nil) != nil)
    }

    @Test("a time that a lot cannot have been open is neither made nor read")
    func longestLot() {
        let bid = Bid(
            number: 1, price: price(5), bidder: ServerMessageTests.alice, elapsed: .seconds(1e9))
        let record = Record.event(.bidPlaced(bid))
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
                == .event(.bidPlaced(ServerMessageTests.bid)))
    }

    @Test(
        "what is no record is none",
        arguments: [
            "", "NAME alice", "NAME alice x", "NAME al.ice \(hash)", "NAME alice \(hash) bids",
            "NAME alice \(hash) bid 5", "TIME now", "GAME", "GAME k3v", "GAME K3V9",
            "GAME k3v9 k3v9", "TIME 2025-02-30T00:00:00.000Z",
            "TIME 99999999999-1-1T1:1:1.1Z", "TIME 1969-12-31T23:59:59.999Z",
            "PRICE 0 alice 00:03.2 1", "PRICE 120 alice 00:03.2",
            "PRICE 120 alice 00:03.2 1 2", "bid 5", "RESULT 1 2 now PASSED 1 closed Vase",
            "RESULT 2 5 2026-09-21T14:13:20.123Z PASSED 1 closed Vase",
            "RESULT 0 5 2026-09-21T14:13:20.123Z PASSED 0 closed Vase",
            "RESULT 1 0 2026-09-21T14:13:20.123Z PASSED 1 closed Vase",
            "RESULT 1 5 2026-09-21T14:13:20.123Z OVER 1",
            "RESULT 1 5 2026-09-21T14:13:20.123Z", "OK ping", "BYE quit",
            "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)",
            "PLAN", "PLAN format=sealed seconds=20 start=10 step=5 reserve=yes",
            "PLAN format=sealed seconds=20 start=10 step=5 reserve=80 x", "ADD", "ADD reserve=80",
            "ADD Vase reserve=x", "PLAY", "PLAY purse=0 seed=2a", "PLAY worth=5..1 seed=2a",
            "PLAY worth=1..1000000000001 seed=2a", "PLAY worth=1-5 seed=2a", "PLAY seed=",
            "PLAY worth=1...5 seed=2a", "PLAY worth=1..5..9 seed=2a", "PLAY worth=1.2.5 seed=2a",
            "PLAY worth=..5 seed=2a", "PLAY worth=1.. seed=2a", "PLAY worth=-1..5 seed=2a",
            "PLAY common=1..5 seed=2a", "PLAY seed=xyz", "PLAY seed=2a draws=x",
            "PLAY draws=3 seed=2a", "DRAWN", "DRAWN x", "WORTH 143",
            "WORTH alice", "WORTH alice about", "WORTH al.ice 5", "WORTH alice 143 5", "BID alice",
            "BID alice 0",
            "MAX alice", "MAX alice -1", "MAX 200", "MUTE", "MUTE al.ice", "UNMUTE alice bob",
            "TALLY alice", "TALLY alice lots=1 spent=5", "PURSE 860", "YOURS 120", "WORTH about",
            "STANDING 1 alice lots=2 spent=140",
            "ROOM", "ROOM Blue", "ROOM blue red", "ROOM ../x", "SHUT", "SHUT blue red", "STATE",
            "ROOM blue people=1 lot=1 format=english Vase", "STATE blue", "STATE blue 57",
            "STATE blue 57 -1", "STATE blue x 12", "STATE blue 57 12 x", "OPEN blue",
            "OPEN blue \(hash)", "OPEN blue \(hash) seconds=10",
            "OPEN blue x format=english seconds=10 start=1 step=5 pause=3",
            "OPEN Blue \(hash) format=english seconds=10 start=1 step=5 pause=3",
            "OPEN blue \(hash) format=english seconds=10 start=1 step=5",
            "OPEN blue \(hash) format=english seconds=10 start=1 step=5 pause=3 lots=0",
            "OPEN blue \(hash) format=english seconds=10 start=1 step=5 pause=3 noise=1",
        ])
    func refused(line: String) {
        #expect(read(line, nil) == nil)
        #expect(read(line, 3200) == nil)
    }

    private func read(_ line: String, _ milliseconds: Int64?) -> Record? {
        Record(line: Array(line.utf8).span, elapsedMilliseconds: milliseconds)
    }
}

/// A value that the test knows to be valid.
private func known<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("a test's values are valid") }
    return value
}
