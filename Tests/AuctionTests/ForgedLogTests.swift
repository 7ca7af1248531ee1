import Auction
import Testing
import Wire

/// Lines that nobody wrote, or not in that order, with right sums around them.
@Suite struct ForgedLogTests {
    /// Lines behind the header of the first segment: a lot with two bids, of which one was voided.
    private static let open = [
        "- GAME k3v9", "1 LOT 1 Vase", "- NAME al 1", "2 JOINED al", "- NAME bo 2", "3 JOINED bo",
        "4 PRICE 5 al 00:01.0 1", "5 COUNTDOWN 7", "6 PRICE 9 bo 00:02.0 2",
    ]
    private static let sold = open + ["7 COUNTDOWN 0", "8 WINNER bo 9 00:09.0 Vase"]
    private static let voided = open + ["7 VOIDED 9 bo 2 5 al 00:01.0 1"]
    private static let hammered = open + ["7 HAMMERED"]

    @Test(
        "after the state, a line that no server writes there is not read",
        arguments: [
            (["- GAME k3v9"], "1 JOINED al"), (["- GAME k3v9"], "1 LOT 2 Vase"),
            (["- GAME k3v9"], "- NAME al 1"), ([], "1 LOT 1 Vase"),
            (["- GAME k3v9"], "- PLAN format=dutch seconds=7 start=1 step=1"),
            (["- GAME k3v9"], "- GAME k3v9"), (["- GAME k3v9", "1 LOT 1 Vase"], "- GAME abcd"),
            (open, "- LOT 1 Vase"), (open, "- LAP 3 10 al 00:03.0"), (open, "- WHO al"),
            (open, "- PRICE 10 al 00:03.0 3"), (open, "7 LAP 3 10 al 00:03.0"), (open, "7 WHO al"),
            (open, "7 LOT 2 Clock"), (open, "7 PRICE 10 al 00:01.0 3"), (open, "7 OVER 1"),
            (open, "7 NAME cy 3"), (open, "7 GAME k3v9"), (open, "- NAME cy 3 bid"),
            (open, "6 PRICE 10 al 00:03.0 3"), (open, "8 PRICE 10 al 00:03.0 3"),
            (sold, "- RESULT 1 8 2026-11-21T18:28:26.994Z WINNER bo 9 00:09.0 Vase"),
            (open, "7 PASSED 2 closed Vase"), (open, "7 PASSED 1 closed Clock"),
            (open, "7 WINNER bo 9 00:09.0 Clock"), (open, "7 WINNER bo 9 00:01.0 Vase"),
            (open, "7 COUNTDOWN 3601"), (sold, "9 LOT 3 Clock"), (sold, "9 LOT 1 Vase"),
            (sold, "- LOT 1 Vase"), (sold, "- LAP 3 10 al 00:10.0"), (sold, "9 COUNTDOWN 7"),
            (sold, "9 WINNER bo 9 00:09.0 Vase"), (sold, "9 PASSED 1 closed Vase"),
            (sold, "9 PRICE 10 al 00:10.0 3"), (sold, "9 OVER 2"),
            (voided, "8 PRICE 5 al 00:01.0 2"),
            (voided, "8 VOIDED 5 bo 1"), (open, "7 VOIDED 9 bo 2"), (open, "7 VOIDED 9 bo 1"),
            (open, "7 VOIDED 9 bo 2 4 al 00:01.0 1"), (open, "- KEPT al"), (open, "- IN al"),
            (hammered, "8 PAUSED"),
            (hammered, "8 PRICE 10 al 00:03.0 3"), (hammered, "8 VOIDED 9 bo 2 5 al 00:01.0 1"),
            (hammered, "8 PASSED 1 closed Vase"),
        ])
    func behindState(lines: [String], forged: String) throws {
        var recovered = SaleReplay()
        for line in lines { #expect(try take(line, into: &recovered), "\(line)") }
        #expect(try !take(forged, into: &recovered))
    }

    private static let openState = [
        "- TIME 2026-11-21T18:28:26.994Z", "- GAME k3v9", "- NAME al 1 bid", "- WHO al",
        "- NAME bo 2 bid", "=3 LOT 2 Clock", "- LAP 1 5 al 00:01.0", "- LAP 2 9 bo 00:02.0",
        "=8 PRICE 9 bo 00:02.0 2", "=6 COUNTDOWN 7",
    ]
    private static let soldState = [
        "- GAME k3v9", "- NAME al 1 bid", "- LOT 2 Clock", "- LAP 1 5 al 00:01.0",
        "=8 WINNER al 5 00:08.0 Clock", "=9 OVER 2",
    ]

    private static let ends = [
        "- RESULT 1 4 2026-11-21T18:28:00.000Z PASSED 1 closed Vase",
        "- RESULT 2 8 2026-11-21T18:28:26.994Z WINNER al 5 00:08.0 Clock",
    ]

    @Test("results in a state are not added twice if they are known already")
    func results() throws {
        var recovered = SaleReplay()
        for line in Self.sold { #expect(try take(line, into: &recovered)) }
        let own = "- RESULT 1 8 1970-01-01T00:00:00.000Z WINNER bo 9 00:09.0 Vase"
        let state = [
            "- GAME k3v9", "- NAME al 1 bid", "- WHO al", "- NAME bo 2 bid", "- WHO bo",
            "- LOT 1 Vase", "- LAP 1 5 al 00:01.0", "- LAP 2 9 bo 00:02.0",
            "=8 WINNER bo 9 00:09.0 Vase",
        ]
        let other = own.replacing("RESULT 1 8", with: "RESULT 1 7")
        for (end, isRead) in [(own, true), (other, false)] {
            var recovered = recovered
            let isBegun = recovered.beginSegment(first: 9, state: state.count + 1)
            #expect(isBegun)
            #expect(try (state + [end]).allSatisfy { try take($0, into: &recovered) } == isRead)
            #expect(recovered.sale.results.count == 1)
        }
        recovered = SaleReplay()
        let isBegun = recovered.beginSegment(first: 10, state: Self.soldState.count + 2)
        #expect(isBegun)
        for line in Self.soldState + Self.ends { #expect(try take(line, into: &recovered)) }
        #expect(recovered.sale.results.map(\.number) == [4, 8])
        #expect(recovered.sale.results.map(\.lot.number) == [1, 2])
        #expect(recovered.sale.results.map(\.time) == [1_795_285_680_000, 1_795_285_706_994])
    }

    @Test(
        "results that are out of order, of later lots or before the rest of a state are not read")
    func forgedResults() throws {
        let (passed, sold) = (Self.ends[0], Self.ends[1])
        #expect(try isRead(Self.openState + [passed]))
        #expect(try isRead(Self.soldState + [passed, sold]))
        #expect(try !isRead(Self.openState + [passed, sold]))
        #expect(try !isRead(Self.soldState + [sold, passed]))
        #expect(try !isRead(Self.soldState + [passed, passed]))
        #expect(try !isRead(Self.soldState + [sold.replacing(" 2 8 ", with: " 2 10 ")]))
        #expect(try !isRead(Self.soldState + [sold.replacing(" 2 8 ", with: " 3 9 ")]))
        #expect(try !isRead(Array(Self.soldState.dropLast()) + [sold, "=9 OVER 2"]))
        #expect(try !isRead(["- GAME k3v9", passed] + Self.soldState.dropFirst()))
    }

    @Test("a state as a server writes it is read", arguments: [openState, soldState])
    func state(lines: [String]) throws {
        #expect(try isRead(lines))
    }

    @Test(
        "a state without one of its lines is not read",
        arguments: [
            (openState, [1, 2, 4, 5, 7, 8]), (soldState, [0, 2, 3, 4]),
        ])
    func missing(lines: [String], places: [Int]) throws {
        for place in places {
            var fewer = lines
            fewer.remove(at: place)
            #expect(try !isRead(fewer), "without \(lines[place])")
        }
    }

    @Test("a state with two of its lines in each other's place is not read")
    func reordered() throws {
        // `WHO` may follow the next name: the meaning is the same.
        for place in Self.openState.indices.dropLast()
        where !Self.openState[place].hasPrefix("- WHO") {
            var lines = Self.openState
            lines.swapAt(place, place + 1)
            #expect(try !isRead(lines), "\(lines[place]) before \(lines[place + 1])")
        }
    }

    @Test("a state with a line twice is not read", arguments: openState.indices)
    func doubled(place: Int) throws {
        var lines = Self.openState
        lines.insert(lines[place], at: place)
        #expect(try !isRead(lines))
    }

    @Test(
        "a state whose lines contradict each other is not read",
        arguments: [
            ("- WHO al", "- WHO cy"), ("- NAME bo 2 bid", "- NAME bo 1 bid"),
            ("- NAME bo 2 bid", "- NAME AL 2 bid"), ("=3 LOT 2 Clock", "- LOT 2 Clock"),
            ("=3 LOT 2 Clock", "=11 LOT 2 Clock"), ("=3 LOT 2 Clock", "=3 LOT 0 Clock"),
            ("=8 PRICE", "=2 PRICE"), ("=8 PRICE", "=6 PRICE"),
            ("=8 PRICE 9 bo 00:02.0 2", "=8 PRICE 5 al 00:01.0 1"),
            ("=8 PRICE 9 bo 00:02.0 2", "=8 WINNER bo 9 00:09.0 Clock"),
            ("=6 COUNTDOWN 7", "=6 OVER 2"), ("=6 COUNTDOWN 7", "=6 GOING once"),
            ("- LAP 2 9 bo 00:02.0", "- LAP 3 9 bo 00:02.0"),
            ("- LAP 2 9 bo 00:02.0", "- LAP 2 4 bo 00:02.0"),
        ])
    func contradiction(line: String, forged: String) throws {
        let lines = Self.openState.map { $0.replacing(line, with: forged) }
        #expect(lines != Self.openState)
        #expect(try !isRead(lines))
    }

    @Test("a segment whose state differs from the end of the one before is not read")
    func otherEnd() throws {
        for (line, forged) in [("", ""), ("k3v9", "abcd"), ("Vase", "Clock"), ("=6", "=5")] {
            var recovered = SaleReplay()
            for line in Self.open { #expect(try take(line, into: &recovered)) }
            let state = [
                "- GAME k3v9", "- NAME al 1 bid", "- WHO al", "- NAME bo 2 bid", "- WHO bo",
                "=1 LOT 1 Vase", "- LAP 1 5 al 00:01.0", "- LAP 2 9 bo 00:02.0",
                "=6 PRICE 9 bo 00:02.0 2", "=5 COUNTDOWN 7",
            ].map { line.isEmpty ? $0 : $0.replacing(line, with: forged) }
            let isBegun = recovered.beginSegment(first: 7, state: state.count)
            #expect(isBegun)
            let isRead = try state.allSatisfy { try take($0, into: &recovered) }
            #expect(isRead == line.isEmpty, "\(line)")
        }
    }

    @Test("a first segment has no state, and every other has one", arguments: [(1, 3), (7, 0)])
    func header(first: Int, state: Int) {
        var recovered = SaleReplay()
        let isBegun = recovered.beginSegment(first: first, state: state)
        #expect(!isBegun)
    }

    /// Whether the state of a segment is read whose first event is 10.
    private func isRead(_ lines: [String]) throws -> Bool {
        var recovered = SaleReplay()
        guard recovered.beginSegment(first: 10, state: lines.count) else { return false }
        for line in lines where try !take(line, into: &recovered) { return false }
        return true
    }

    /// Takes in a line such as `- NAME al 1`, `4 JOINED al` or `=3 LOT 1 Vase`.
    private func take(_ line: String, into recovered: inout SaleReplay) throws -> Bool {
        let parts = line.split(separator: " ", maxSplits: 1)
        var words = String(parts[1])
        for (short, number) in [("al 1", 1), ("AL 2", 2), ("bo 2", 2), ("bo 1", 1), ("cy 3", 3)] {
            words = words.replacing(
                "NAME \(short)", with: "NAME \(short.dropLast())\(token(number))")
        }
        let read = Record(line: Array(words.utf8).span, elapsedMilliseconds: nil)
        let record = try #require(read, "\(words)")
        let number = Int(parts[0].hasPrefix("=") ? parts[0].dropFirst() : parts[0])
        return recovered.replay(record, number: number)
    }
}

/// The n-th token, spelled out.
private func token(_ number: Int) -> String {
    let half = String(repeating: "0", count: 15) + String(number, radix: 16)
    return half + half
}
