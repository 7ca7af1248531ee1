import Auction
import Server
import Testing
import Wire

@Suite struct ResultsTableTests {
    /// The rows of the lots that a journal of these lines has, with the lot that still runs.
    private static func rows(_ lines: String, state: Int = 0) throws -> [String] {
        var reader = LotHistoryReader()
        reader.beginSegment(state: state)
        let ended = try read(lines, with: &reader)
        return ended + (reader.current.map { ResultsTable.rows(of: $0, among: bidders) } ?? [])
    }

    static let bidders = Set(["alice", "bob", "carol"].compactMap { Bidder($0) })

    /// Reads lines, each with the exact time after a bar, and returns the rows that are complete.
    static func read(
        _ lines: String, with reader: inout LotHistoryReader
    ) throws -> [String] {
        var rows: [String] = []
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: "|")
            let words = Array(parts[0].utf8)
            let elapsed = parts.count > 1 ? Int64(parts[1]) : nil
            let record = Record(line: words.span, elapsedMilliseconds: elapsed)
            rows += reader.read(try #require(record, "\(line)")).flatMap {
                ResultsTable.rows(of: $0, among: bidders)
            }
        }
        return rows
    }

    @Test("each bid and each lot is a row, with values, profit and efficiency")
    func english() throws {
        let rows = try Self.rows(
            """
            LOT 1 Vase
            WORTH alice 120
            WORTH bob 150
            WORTH carol 90
            WORTH teacher 900
            PRICE 100 bob 00:01.0 1|1017
            PRICE 110 alice 00:02.0 2|2001
            WINNER alice 110 00:09.0 Vase|9001
            """)
        #expect(
            rows == [
                "bid,1,Vase,english,bob,150,100,,,1017,,,lost",
                "bid,1,Vase,english,alice,120,110,,,2001,,,won",
                "value,1,Vase,english,carol,90,,,,,,,", "value,1,Vase,english,teacher,900,,,,,,,",
                "lot,1,Vase,english,alice,120,110,110,10,9001,110,0.8000,sold",
            ])
    }

    @Test("a total has what a bidder has won, paid and earned")
    func total() throws {
        let alice = try #require(Bidder("alice"))
        let row = StandingsRow(rank: 1, bidder: alice, lots: 2, spent: 230, profit: -3)
        #expect(ResultsTable.row(of: row) == "total,2,,,alice,,,230,-3,,,,")
    }

    @Test("a row has as many cells as the header")
    func cells() throws {
        let rows = try Self.rows(
            """
            LOT 1 Vase
            PRICE 100 bob 00:01.0 1|1017
            WINNER bob 100 00:09.0 Vase|9001
            LOT 2 Clock
            PASSED 2 closed Clock|500
            LOT 3 Lamp
            PRICE 5 bob 00:01.0 1|1017
            """)
        #expect(rows.count == 4)
        for row in rows {
            #expect(row.split(separator: ",", omittingEmptySubsequences: false).count == 13)
        }
    }

    @Test("without values there are no values, profits and efficiencies")
    func withoutValues() throws {
        let rows = try Self.rows(
            """
            LOT 1 Vase
            PRICE 100 bob 00:01.0 1|1017
            WINNER bob 100 00:09.0 Vase|9001
            """)
        #expect(
            rows == [
                "bid,1,Vase,english,bob,,100,,,1017,,,won",
                "lot,1,Vase,english,bob,,100,100,,9001,100,,sold",
            ])
    }

    @Test("the winner of a Vickrey auction pays less than the bid that won")
    func vickrey() throws {
        let rows = try Self.rows(
            """
            PLAN format=vickrey seconds=20 start=10 step=1
            LOT 1 Vase
            TERMS format=vickrey seconds=20 start=10 step=1
            WORTH alice 120
            WORTH bob 150
            BID bob 80|900
            BID alice 120|1000
            SEALED 2
            BID bob 140|3000
            REVEALED 140 bob|3000
            REVEALED 120 alice|1000
            WINNER bob 120 00:20.0 Vase|20000
            LOT 2 Clock
            """)
        #expect(
            rows == [
                "bid,1,Vase,vickrey,bob,150,80,,,900,,,replaced",
                "bid,1,Vase,vickrey,alice,120,120,,,1000,,,lost",
                "bid,1,Vase,vickrey,bob,150,140,,,3000,,,won",
                "lot,1,Vase,vickrey,bob,150,140,120,30,20000,120,1.0000,sold",
            ])
    }

    @Test("in an all-pay auction a losing bid has a price and a loss, and all count as revenue")
    func allPay() throws {
        let lot = """
            PLAN format=allpay seconds=20 start=10 step=1
            LOT 1 Vase
            TERMS format=allpay seconds=20 start=10 step=1
            WORTH alice 120
            WORTH bob 150
            BID bob 80|900
            BID alice 50|1000
            BID bob 60|1500
            REVEALED 60 bob|1500
            REVEALED 50 alice|1000
            """
        #expect(
            try Self.rows(lot + "\nWINNER bob 60 00:20.0 Vase|20000") == [
                "bid,1,Vase,allpay,bob,150,80,,,900,,,replaced",
                "bid,1,Vase,allpay,alice,120,50,50,-50,1000,,,lost",
                "bid,1,Vase,allpay,bob,150,60,,,1500,,,won",
                "lot,1,Vase,allpay,bob,150,60,60,90,20000,110,1.0000,sold",
            ])
        #expect(
            try Self.rows(lot + "\nPASSED 1 reserve-not-met Vase|20000")[1]
                == "bid,1,Vase,allpay,alice,120,50,,,1000,,,lost")
    }

    @Test("a purchase wins over the sealed bids")
    func purchase() throws {
        let rows = try Self.rows(
            """
            PLAN format=sealed seconds=20 start=10 step=1 buy=500
            LOT 1 Vase
            BID bob 80|900
            PRICE 500 bob 00:02.0 1|2000
            REVEALED 80 bob|900
            WINNER bob 500 00:02.0 Vase|2000
            """)
        #expect(
            rows == [
                "bid,1,Vase,sealed,bob,,80,,,900,,,lost",
                "bid,1,Vase,sealed,bob,,500,,,2000,,,won",
                "lot,1,Vase,sealed,bob,,500,500,,2000,500,,sold",
            ])
    }

    @Test("of a common value the bids have the estimates, and the lot the true one")
    func commonValue() throws {
        let rows = try Self.rows(
            """
            LOT 1 Vase
            DRAWN 117
            WORTH alice about 128
            WORTH bob about 101
            PRICE 120 alice 00:01.0 1|1000
            WINNER alice 120 00:09.0 Vase|9000
            VALUE 117
            LOT 2 Clock
            DRAWN 60
            PASSED 2 no-bids Clock|7000
            """)
        #expect(
            rows == [
                "bid,1,Vase,english,alice,128,120,,,1000,,,won",
                "value,1,Vase,english,bob,101,,,,,,,",
                "lot,1,Vase,english,alice,117,120,120,-3,9000,120,,sold",
                "lot,2,Clock,english,,60,,,,7000,0,,no-bids",
            ])
    }

    @Test(
        "a lot that nobody won is inefficient, unless the auctioneer closed it",
        arguments: [
            ("no-bids", "0.0000"), ("reserve-not-met", "0.0000"), ("closed", ""),
        ])
    func unsold(reason: String, efficiency: String) throws {
        let rows = try Self.rows(
            """
            LOT 1 Vase
            WORTH alice 120
            PASSED 1 \(reason) Vase|7000
            """)
        #expect(
            rows == [
                "value,1,Vase,english,alice,120,,,,,,,",
                "lot,1,Vase,english,,,,,,7000,0,\(efficiency),\(reason)",
            ])
    }

    @Test("a bid that no longer counts says why, and a price repeated after a void is one bid")
    func ends() throws {
        let rows = try Self.rows(
            """
            LOT 1 Vase
            PRICE 100 bob 00:01.0 1|1017
            PRICE 900 alice 00:02.0 2|2000
            VOIDED 900 alice 2 100 bob 00:01.0 1|1017
            PRICE 100 bob 00:01.0 1|1017
            PRICE 130 alice 00:03.0 2|3000
            WINNER alice 130 00:09.0 Vase|9000
            PLAN format=sealed seconds=20 start=10 step=1
            LOT 2 Clock
            BID bob 80|900
            BID carol 90|950
            KICKED carol rude
            """)
        #expect(
            rows == [
                "bid,1,Vase,english,bob,,100,,,1017,,,lost",
                "bid,1,Vase,english,alice,,900,,,2000,,,void",
                "bid,1,Vase,english,alice,,130,,,3000,,,won",
                "lot,1,Vase,english,alice,,130,130,,9000,130,,sold",
                "bid,2,Clock,sealed,bob,,80,,,900,,,",
                "bid,2,Clock,sealed,carol,,90,,,950,,,withdrawn",
            ])
    }

    @Test(
        "a cell is quoted where it must be, and never begins like a formula",
        arguments: [
            ("Vase, blue", "\"Vase, blue\""), ("5\" lamp", "\"5\"\" lamp\""), ("=1+1", "'=1+1"),
            ("+1", "'+1"), ("-1", "'-1"), ("@sum", "'@sum"), ("＝1", "'＝1"),
            ("=A1,\"x\"", "\"'=A1,\"\"x\"\"\""), ("a=b", "a=b"), ("'quoted'", "'quoted'"),
        ])
    func cells(title: String, cell: String) throws {
        let rows = try Self.rows("LOT 1 \(title)\nPASSED 1 closed \(title)|5")
        #expect(rows == ["lot,1,\(cell),english,,,,,,5,0,,closed"])
    }

    @Test("a name that begins with a minus sign is no formula")
    func names() throws {
        let rows = try Self.rows("LOT 1 Vase\nPRICE 5 -2 00:01.0 1|1000")
        #expect(rows == ["bid,1,Vase,english,'-2,,5,,,1000,,,"])
    }
}
