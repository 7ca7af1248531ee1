import Auction
import DiskSupport
import House
import Posix
import Server
import TestSupport
import Testing
import Wire

@Suite struct ClassTableTests {
    /// Adds lines to a table, each with the exact time after a bar; `SEGMENT n` begins a segment.
    private static func add(_ lines: String, to table: inout ClassTable) throws {
        for line in lines.split(separator: "\n") {
            if line.hasPrefix("SEGMENT ") {
                table.beginSegment(state: Int(line.dropFirst(8)) ?? 0)
                continue
            }
            let parts = line.split(separator: "|")
            let words = Array(parts[0].utf8)
            let elapsed = parts.count > 1 ? Int64(parts[1]) : nil
            let record = Record(line: words.span, elapsedMilliseconds: elapsed)
            table.add(try #require(record, "\(line)"))
        }
    }

    private static func table(_ lines: String...) throws -> ClassTable {
        var table = ClassTable()
        for part in lines { try add(part, to: &table) }
        return table
    }

    /// The rows without the header, and without what all rows of the group have.
    private static func rows(_ text: String, after head: String) -> [String] {
        text.split(separator: "\r\n").dropFirst().map { row in
            row.hasPrefix(head) ? String(row.dropFirst(head.utf8.count)) : String(row)
        }
    }

    private static let keyHash = String(repeating: "0", count: 64)

    /// A class whose round 3 is played by alice and bob in group 2, for lot 5 of its room.
    private static func round(_ format: AuctionFormat, values: String = "worth=50..150") -> String {
        """
        GAME k3v9
        OPEN class \(keyHash) format=english seconds=30 start=1 step=1 pause=10
        ROUND 3 treatment=2 format=\(format.rawValue) draw=3 members=2
        OPEN class-2 \(keyHash) format=english seconds=30 start=1 step=1 pause=10
        GAME k3v9
        PLAY \(values) seed=2a draws=3
        ROOM class
        MEMBER bob 2 5
        MEMBER alice 2 5
        ROOM class-2
        PLAN format=\(format.rawValue) seconds=30 start=1 step=1
        LOT 5 Round 3
        """ + "\n"
    }

    private static let worths = "WORTH alice 100\nWORTH bob 80\nWORTH teacher 150\n"

    @Test(
        "each member of a round has a row, whether it has bid or not, and each lot has one",
        arguments: [
            (
                AuctionFormat.english,
                """
                MAX bob 70
                PRICE 1 bob 00:01.0 1|1000
                PRICE 71 alice 00:02.0 2|2000
                WINNER alice 71 00:32.0 Round 3|32000
                """,
                [
                    "alice,100,,,71@2000,71,yes,71,71,29,1.0000,100.00",
                    "bob,80,,70,1@1000,1,no,71,0,0,1.0000,80.00",
                ], "alice,71,71,100,100,1.0000,83.33"
            ),
            (
                .sealed,
                """
                BID bob 50|900
                BID bob 60|1100
                REVEALED 60 bob|1100
                WINNER bob 60 00:30.0 Round 3|30000
                """,
                [
                    "alice,100,,,,,no,60,0,0,0.8000,75.00",
                    "bob,80,,,50@900 60@1100,60,yes,60,60,20,0.8000,65.00",
                ], "bob,60,60,80,100,0.8000,83.33"
            ),
            (
                .vickrey,
                """
                BID bob 80|900
                BID alice 90|1000
                WINNER alice 80 00:30.0 Round 3|30000
                """,
                [
                    "alice,100,,,90@1000,90,yes,80,80,20,1.0000,100.00",
                    "bob,80,,,80@900,80,no,80,0,0,1.0000,80.00",
                ], "alice,80,80,100,100,1.0000,83.33"
            ),
            (
                .allpay,
                """
                BID bob 20|900
                BID alice 30|1000
                WINNER alice 30 00:30.0 Round 3|30000
                """,
                [
                    "alice,100,,,30@1000,30,yes,30,30,70,1.0000,37.52",
                    "bob,80,,,20@900,20,no,30,20,-20,1.0000,19.52",
                ], "alice,30,50,100,100,1.0000,83.35"
            ),
            (
                .dutch,
                """
                ASK 90
                PRICE 90 bob 00:10.0 1|10000
                WINNER bob 90 00:10.0 Round 3|10000
                """,
                [
                    "alice,100,,,,,no,90,0,0,0.8000,75.00",
                    "bob,80,,,90@10000,90,yes,90,90,-10,0.8000,65.00",
                ], "bob,90,90,80,100,0.8000,83.33"
            ),
        ])
    func formats(format: AuctionFormat, lot: String, bidders: [String], row: String) throws {
        let table = try Self.table(Self.round(format), Self.worths, lot)
        let head = "k3v9,3,no,2,\(format.rawValue),2,2,"
        #expect(Self.rows(table.bidders, after: head) == bidders)
        #expect(Self.rows(table.lots, after: head) == [row])
    }

    @Test("with a common value each has an estimate, by which it bids in equilibrium")
    func commonValue() throws {
        let table = try Self.table(
            Self.round(.sealed, values: "common=50..150 noise=20"),
            """
            DRAWN 90
            WORTH alice about 100
            WORTH bob about 75
            BID alice 95|900
            WINNER alice 95 00:30.0 Round 3|30000
            VALUE 90
            """)
        let head = "k3v9,3,no,2,sealed,2,2,"
        #expect(
            Self.rows(table.bidders, after: head) == [
                "alice,90,100,,95@900,95,yes,95,95,-5,1.0000,82.98",
                "bob,90,75,,,,no,95,0,0,1.0000,65.38",
            ])
        #expect(Self.rows(table.lots, after: head) == ["alice,95,95,90,90,1.0000,"])
    }

    @Test("every row has as many cells as its header, and practice rounds say so")
    func cells() throws {
        let table = try Self.table(
            Self.round(.sealed).replacing("draw=3", with: "practice=yes draw=103"), Self.worths,
            "PASSED 5 no-bids Round 3|30000")
        #expect(table.lots.contains("\r\nk3v9,3,yes,2,sealed,2,2,,,0,,100,0.0000,83.33\r\n"))
        for text in [table.bidders, table.lots] {
            let counts = text.split(separator: "\r\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).count
            }
            #expect(counts.count > 1 && Set(counts).count == 1)
        }
    }

    @Test("while a lot is open nothing of it is in the tables")
    func secrecy() throws {
        let before = try Self.table(Self.round(.sealed))
        let open = try Self.table(
            Self.round(.sealed), Self.worths, "BID bob 60|1100\nREVEALED 60 bob|1100")
        #expect(open.bidders == before.bidders && open.lots == before.lots)
        #expect(Self.rows(open.bidders, after: "") == [])
    }

    @Test("a round that was left out has no rows, and a lot that was closed no winner")
    func skipped() throws {
        let table = try Self.table(
            Self.round(.sealed), Self.worths, "BID bob 60|1100\nPASSED 5 closed Round 3|9000",
            "\nROOM class\nROUND 4 treatment=2 format=sealed draw=4 members=2\nROOM class-2\nLOT 6 Round 4",
            "\nPASSED 6 closed Round 4|9000")
        let head = "k3v9,3,no,2,sealed,2,2,"
        #expect(
            Self.rows(table.bidders, after: head) == [
                "alice,100,,,,,no,,0,0,,75.00", "bob,80,,,60@1100,60,no,,0,0,,65.00",
            ])
        #expect(Self.rows(table.lots, after: head) == [",,0,,100,,83.33"])
    }

    @Test("a bid that was voided or withdrawn by a kick is listed, but is not the bid")
    func voided() throws {
        let void = try Self.table(
            Self.round(.english), Self.worths,
            """
            PRICE 20 bob 00:01.0 1|1000
            MAX bob 950
            PRICE 900 bob 00:02.0 2|2000
            VOIDED 900 bob 2 20 bob 00:01.0 1|1000
            PRICE 20 bob 00:01.0 1|1000
            WINNER bob 20 00:32.0 Round 3|32000
            """)
        #expect(void.bidders.contains(",bob,80,,,20@1000 900@2000,20,yes,20,20,60,0.8000,"))
        let kick = try Self.table(
            Self.round(.allpay), Self.worths,
            """
            BID bob 20|900
            BID alice 10|1000
            KICKED bob rude
            WINNER alice 10 00:30.0 Round 3|30000
            """)
        #expect(kick.bidders.contains(",bob,80,,,20@900,,no,10,0,0,1.0000,"))
        #expect(kick.lots.contains(",alice,10,10,100,100,1.0000,"))
        let english = try Self.table(
            Self.round(.english), Self.worths,
            """
            PRICE 10 alice 00:01.0 1|1000
            MAX bob 70
            PRICE 11 bob 00:02.0 2|2000
            KICKED bob rude
            PRICE 12 alice 00:03.0 3|3000
            WINNER alice 12 00:32.0 Round 3|32000
            """)
        #expect(english.bidders.contains(",bob,80,,,11@2000,11,no,12,0,0,1.0000,"))
    }

    @Test("what happens in other rooms is not in the tables")
    func otherRooms() throws {
        let table = try Self.table(
            Self.round(.sealed), Self.worths,
            """
            ROOM main
            LOT 5 Vase
            BID bob 999|900
            PASSED 5 no-bids Vase|900
            OPEN class-3 \(Self.keyHash) format=english seconds=30 start=1 step=1 pause=10
            LOT 5 Round 3
            PASSED 5 no-bids Round 3|900
            ROOM class-2
            BID bob 60|1100
            WINNER bob 60 00:30.0 Round 3|30000
            """)
        #expect(Self.rows(table.lots, after: "k3v9,3,no,2,sealed,2,2,").count == 1)
        #expect(!table.bidders.contains("999"))
    }

    /// The state of all rooms while the lot is open.
    private static let state = """
        SEGMENT 17
        STATE main 0 0
        OPEN class \(keyHash) format=english seconds=30 start=1 step=1 pause=10
        STATE class 0 4
        GAME k3v9
        ROUND 3 treatment=2 format=sealed draw=3 members=2
        MEMBER alice 2 5
        MEMBER bob 2 5
        OPEN class-2 \(keyHash) format=english seconds=30 start=1 step=1 pause=10
        STATE class-2 3 8
        GAME k3v9
        PLAY worth=50..150 seed=2a draws=3
        PLAN format=sealed seconds=30 start=1 step=1
        LOT 5 Round 3
        WORTH alice 100
        WORTH bob 80
        BID bob 60|1100
        COUNTDOWN 9
        """ + "\n"

    @Test("a segment that begins during a lot changes nothing, whether older ones are left or not")
    func segments() throws {
        let bid = "BID bob 60|1100\n"
        let end = "ROOM class-2\nBID alice 50|1500\nWINNER bob 60 00:30.0 Round 3|30000\n"
        let whole = try Self.table(Self.round(.sealed), Self.worths, bid, end)
        let divided = try Self.table(Self.round(.sealed), Self.worths, bid, Self.state, end)
        let rest = try Self.table(Self.state, end)
        #expect(Self.rows(whole.bidders, after: "").count == 2)
        for table in [divided, rest] {
            #expect(table.bidders == whole.bidders && table.lots == whole.lots)
        }
    }

    @Test("the server answers with the tables, and after a restart with the same")
    func server() async throws {
        let temporary = TemporaryFolder()
        let token = AuctioneerTests.token
        try replaceFile(temporary.path + "/token", with: Array(token.utf8), mode: 0o600)
        let disk = MemoryDisk()
        var plan = ClassPlan()
        plan.parts = [ClassPlan.Part(1, .sealed)]
        (plan.lot.seconds, plan.pause, plan.shows) = (1, .zero, [])
        var settings = Settings()
        (settings.limits, settings.classPlan) = (.none, plan)
        (settings.data, settings.disk, settings.segmentBytes) = ("memory", disk, 300)
        settings.auctioneerTokenFile = temporary.path + "/token"
        @Sendable func get(_ path: String, _ port: UInt16) throws -> [String] {
            let client = try Visitor(port: port)
            try client.say(
                "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n"
                    + "Connection: close\r\n\r")
            try client.hearEnd()
            #expect(client.lines.first?.hasPrefix("HTTP/1.1 200 ") == true)
            return Array(client.lines.drop { !$0.isEmpty }.dropFirst())
        }
        let first = Locked<[String]>([])
        _ = try await withServer(settings) { _, port in
            let clients = try ["boss", "alice", "bob"].map { _ in try Visitor(port: port) }
            for (client, name) in zip(clients, ["boss", "alice", "bob"]) {
                try client.say("join class")
                try client.say(name == "boss" ? "auctioneer \(token)" : "name \(name)")
                try client.hear(name == "boss" ? "OK auctioneer" : "OK name")
            }
            try clients[0].say("start")
            try clients[2].hear("LOT 1 ")
            try clients[2].say("bid 20")
            try clients[2].hear("WINNER bob 20 ")
            let rows = try get("/class.csv", port)
            #expect(rows.count == 3 && rows[2].contains(",20,yes,20,20,"))
            first.withLock { $0 = rows }
        }
        _ = try await withServer(settings) { _, port in
            let (rows, lots) = (try get("/class.csv", port), try get("/class-lots.csv", port))
            #expect(rows == first.withLock { $0 })
            #expect(lots.count == 2)
        }
        let segments = try disk.names()
        #expect(segments.count > 2)
    }
}
