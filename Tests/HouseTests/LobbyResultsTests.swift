import Auction
import House
import Testing
import Wire

/// The list of how the lots ended.
@Suite struct LobbyResultsTests {
    /// A sale in which al won the odd lots, the auctioneer closed the even ones, and one more is
    /// open.
    private func afterLots(_ count: Int, resuming recovered: ServerReplay? = nil) -> TestClients {
        var clients = TestClients.presided(Catalogue(pause: .zero), resuming: recovered)
        for lot in 1..<count + 1 {
            clients.pass(milliseconds: 1000)
            if lot.isMultiple(of: 2) {
                clients.send("boss", "close")
            } else {
                clients.send("al", "\(lot)")
                clients.pass(milliseconds: 7000)
            }
            clients.pass(milliseconds: 1)
        }
        clients.forget("al", "bo", "boss")
        return clients
    }

    private static let first = "RESULT 1 al 1 00:08.0 lot-1"
    private static let second = "RESULT 2 - - 00:01.0 lot-2"
    private static let third = "RESULT 3 al 3 00:08.0 lot-3"

    @Test(
        "results lists the lots that have ended, the newest 20 or those requested",
        arguments: [
            (0, "results", ["OK results 0"]), (1, "results", [first, "OK results 1"]),
            (3, "#7 results", [first, second, third, "OK #7 results 3"]),
            (3, "results 2 1", [second, "OK results 3"]),
            (3, "results 3 1000", [third, "OK results 3"]), (3, "results 4 10", ["OK results 3"]),
            (3, "results 999999999 10", ["OK results 3"]),
        ])
    func listed(lots: Int, request: String, answer: [String]) {
        var clients = afterLots(lots)
        #expect(clients.send("bo", request) == answer)
    }

    @Test("without arguments these are the newest 20")
    func newest() {
        var clients = afterLots(25)
        let lines = clients.send("bo", "results")
        #expect(lines.count == 21)
        #expect(lines.first?.hasPrefix("RESULT 6 - - ") == true)
        #expect(lines.last == "OK results 25")
    }

    @Test("a long list comes in parts, and lots that end meanwhile are not in it")
    func inParts() {
        var clients = TestClients(
            Rules(seconds: 1), Catalogue(pause: .zero), limits: .with { $0.answerLines = 4 })
        clients.connectNamed("al", "eve")
        for _ in 1...10 {
            clients.send("al", "5")
            clients.pass(milliseconds: 1500)
        }
        _ = clients.received("eve")
        _ = clients.take("eve", Array("results\n".utf8), isConfirmed: true)
        #expect(clients.held == ["eve"])
        clients.send("al", "5")
        clients.pass(milliseconds: 1500)
        clients.send("eve", [])
        let lines = clients.received("eve").filter { $0.hasPrefix("RESULT") || $0.hasPrefix("OK") }
        #expect(lines.count == 11)
        #expect(lines.last == "OK results 10")
        #expect(clients.held.isEmpty)
    }

    @Test("the results are the same after a restart")
    func restarted() throws {
        var before = afterLots(3)
        let expected = before.send("bo", "results")
        var after = TestClients(Rules(seconds: 7), resuming: try recovered(before.journal))
        after.connect("eve")
        #expect(after.send("eve", "results") == expected)
    }
}
