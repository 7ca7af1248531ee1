import Auction
import Basics
import House
import Testing
import Wire

/// The bytes of the journal that the lines of an address may cause.
@Suite struct JournalLimitTests {
    private static let remote = PeerAddress(version4: 0xC000_0201)
    /// The bytes that one read may write beyond the limit: eight lines.
    private static let overshoot = 8 * 200

    private func clients(rate: Int, burst: Int) -> TestClients {
        return TestClients(
            Rules(seconds: 60, allowsSelfRaise: true),
            limits: .with {
                $0.addressJournal = TokenBucket.Rate(rate, per: .seconds(1), burst: burst)
            })
    }

    /// The bytes of the words in the journal.
    private func journalBytes(_ clients: TestClients) -> Int {
        clients.timedJournal.reduce(0) { $0 + $1.record.text.utf8.count + 25 }
    }

    private func bids(_ numbers: Range<Int>) -> [UInt8] {
        Array(numbers.map { "bid \($0)\n" }.joined().utf8)
    }

    /// Sends lines for a time, and returns how many bytes of them were left.
    private func send(
        _ bytes: [UInt8], seconds: Int64, as client: String, _ clients: inout TestClients
    ) -> Int {
        let end = clients.now.advanced(by: .seconds(seconds))
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(clients.take(client, Array(rest), isConfirmed: true))
            guard !rest.isEmpty, let due = clients.due(client) else { continue }
            guard due <= end else { break }
            clients.pass(milliseconds: max(clients.milliseconds(to: due) + 1, 1))
        }
        return rest.count
    }

    @Test("lines wait when those of their address have written their share, and no longer")
    func share() {
        var clients = clients(rate: 200, burst: 4000)
        clients.join("al", from: Self.remote)
        clients.send("al", "name al")
        let before = journalBytes(clients)
        #expect(send(bids(1..<1000), seconds: 20, as: "al", &clients) > 0)
        let written = journalBytes(clients) - before
        #expect((6000...8000 + Self.overshoot).contains(written), "\(written)")
    }

    @Test("the share is that of all connections of the address, also of those that have ended")
    func shortConnections() {
        var clients = clients(rate: 1, burst: 2000)
        for number in 0..<20 {
            let name = "v\(number)"
            clients.connectUngreeted(name, from: Self.remote)
            let lines = Array("name \(name)\nbid \(number + 1)\nsay hello\nquit\n".utf8)
            _ = clients.take(name, lines)
        }
        #expect((1500...2000 + Self.overshoot).contains(journalBytes(clients)))
        clients.connectUngreeted("near", from: PeerAddress(version4: 0xC000_0202))
        #expect(clients.take("near", Array("ping\n".utf8)) == 5)
    }

    @Test("a text that somebody writes counts with its bytes")
    func texts() {
        var clients = clients(rate: 1, burst: 2000)
        clients.preside()
        clients.join("al", from: Self.remote)
        clients.send("al", "auctioneer \(String.auctioneerToken)")
        let before = journalBytes(clients)
        let lots = String(repeating: "add \(String(repeating: "x", count: 150))\n", count: 100)
        #expect(send(Array(lots.utf8), seconds: 1, as: "al", &clients) > 0)
        #expect((1000...2000 + Self.overshoot).contains(journalBytes(clients) - before))
    }

    @Test("of connections that wait, each has its turn")
    func turns() {
        var clients = clients(rate: 400, burst: 1000)
        for name in ["al", "bo"] {
            clients.join(name, from: Self.remote)
            clients.send(name, "name \(name)")
        }
        var left = ["al": bids(1..<2000)[...], "bo": bids(2000..<4000)[...]]
        for _ in 0..<200 {
            for name in ["al", "bo"] {
                guard clients.due(name).map({ $0 <= clients.now }) ?? true else { continue }
                let rest = left[name] ?? []
                let taken = clients.take(name, Array(rest), isConfirmed: true)
                left[name] = rest.dropFirst(taken)
            }
            clients.pass(milliseconds: 100)
        }
        let (al, bo) = (2000 * 9 - (left["al"]?.count ?? 0), 2000 * 9 - (left["bo"]?.count ?? 0))
        #expect(al > 500 && bo > 500, "\(al) and \(bo)")
    }

    @Test("among many that wait, a line has its turn as if each of them wrote one bid")
    func manyWaiting() throws {
        var clients = clients(rate: 400, burst: 1000)
        clients.join("al", from: Self.remote)
        clients.send("al", "name al")
        _ = send(bids(1..<1000), seconds: 0, as: "al", &clients)
        let names = (1...20).map { "w\($0)" }
        for name in names {
            clients.join(name, from: Self.remote)
            #expect(clients.take(name, Array("ping\n".utf8)) == 0)
        }
        let due = try #require(clients.due("w20"))
        #expect(clients.milliseconds(to: due) < 15_000)
    }

    @Test("lines that write nothing cost nothing, and those of this machine never wait")
    func exempt() {
        var clients = clients(rate: 1, burst: 2000)
        clients.join("al", from: Self.remote)
        let pings = Array(String(repeating: "ping\n", count: 500).utf8)
        #expect(send(pings, seconds: 1, as: "al", &clients) == 0)
        clients.connectNamed("bo")
        #expect(send(bids(1..<500), seconds: 0, as: "bo", &clients) == 0)
    }
}
