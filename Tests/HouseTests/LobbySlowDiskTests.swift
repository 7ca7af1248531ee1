import Auction
import Testing
import Wire

/// A second begins when it is told, however long the disk takes until then.
@Suite("Lobby, slow disk")
struct LobbySlowDiskTests {
    /// A lot of five seconds with a bid, in whose second of this number the disk stalls.
    private static func stalled(at second: Int, _ rules: Rules = Rules(seconds: 5)) -> TestClients {
        var clients = TestClients.playing(rules)
        clients.send("al", "10")
        clients.pass(milliseconds: Int64(rules.seconds - second) * 1000 - 1)
        clients.publishesAtOnce = false
        _ = clients.received("al")
        clients.pass(milliseconds: 1)
        return clients
    }

    @Test(
        "the next second and the hammer come their time after the second before was published",
        arguments: [
            (4, 0, 1000, 4000), (4, 50, 950, 3950), (4, 51, 950, 3950), (4, 300, 950, 3950),
            (4, 4600, 950, 3950), (4, 60_000, 950, 3950), (1, 0, 1000, 1000), (1, 50, 950, 950),
            (1, 999, 950, 950), (1, 1000, 950, 950), (1, 6000, 950, 950),
        ] as [(Int, Int64, Int64, Int64)])
    func stall(second: Int, stalled: Int64, next: Int64, hammer: Int64) {
        var clients = Self.stalled(at: second)
        clients.pass(milliseconds: stalled)
        let told = clients.received("al")
        #expect(told.first == "COUNTDOWN \(second)")
        #expect(told.count == (second == 1 ? 2 : 1), "\(told)")
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: next - 1)
        #expect(clients.received("al") == [])
        clients.pass(milliseconds: 1)
        #expect(clients.received("al").first == "COUNTDOWN \(second - 1)")
        clients.pass(milliseconds: hammer - next - 1)
        #expect(!clients.received("bo").contains { $0.hasPrefix("WINNER") } || hammer == next)
        clients.pass(milliseconds: 1)
        #expect(clients.received("eve").contains { $0.hasPrefix("WINNER al 10 ") })
    }

    @Test("while a second is not published nothing is due, and a bid is in time")
    func bid() {
        var clients = Self.stalled(at: 1)
        clients.pass(milliseconds: 6000)
        #expect(clients.lobby.deadline == nil)
        clients.wake()
        _ = clients.received("bo")
        #expect(
            clients.send("bo", "11") == ["OK bid 11", "PRICE 11 bo 00:10.0 2", "COUNTDOWN 5"])
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 4999)
        #expect(!clients.received("bo").contains { $0.hasPrefix("WINNER") })
        clients.pass(milliseconds: 1)
        #expect(clients.received("bo").contains("WINNER bo 11 00:15.0 lot-1"))
    }

    @Test(
        "a bid that no longer resets the countdown neither ends the stall nor shortens the second")
    func bidAfterLast() {
        var clients = TestClients(Rules(seconds: 5, longest: .seconds(1)))
        clients.connectNamed("al", "bo")
        clients.send("al", "10")
        clients.pass(milliseconds: 1000)
        clients.send("bo", "11")
        clients.pass(milliseconds: 3999)
        clients.publishesAtOnce = false
        clients.pass(milliseconds: 7000)
        #expect(clients.send("al", "12").contains { $0.hasPrefix("PRICE 12 al ") })
        #expect(clients.lobby.deadline == nil)
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 949)
        #expect(!clients.received("bo").contains { $0.hasPrefix("WINNER") })
        clients.pass(milliseconds: 1)
        #expect(clients.received("bo").contains { $0.hasPrefix("WINNER al 12 ") })
    }

    @Test(
        "the auctioneer orders in a stall as ever",
        arguments: [
            ("hammer", "WINNER al 10 "), ("close", "PASSED 1 closed "), ("pause", "PAUSED"),
            ("void", "VOIDED 10 al "),
        ])
    func orders(order: String, line: String) {
        var clients = Self.stalled(at: 3)
        clients.pass(milliseconds: 6000)
        #expect(clients.send("boss", order).contains { $0.hasPrefix(line) })
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 500)
        guard order == "pause" else { return }
        #expect(clients.send("boss", "resume").last == "COUNTDOWN 5")
    }

    @Test(
        "each second is longer by what the disk takes beyond 50 ms",
        arguments: [(0, 5000), (45, 5000), (50, 5000), (300, 6000), (900, 8400)]
            as [(Int64, Int64)])
    func slow(sync: Int64, lasts: Int64) {
        var clients = TestClients.playing(Rules(seconds: 5))
        clients.send("al", "10")
        clients.publishesAtOnce = false
        clients.pass(milliseconds: 1000)
        for _ in 0..<4 {
            clients.stall(milliseconds: sync)
            clients.publish()
            clients.pass(milliseconds: max(1000 - sync, 950))
        }
        var times: [Duration] = []
        for message in clients.news {
            switch message.event {
            case .bidPlaced(let bid): times.append(bid.elapsed)
            case .lotSold(let sale): times.append(sale.elapsed)
            default: break
            }
        }
        #expect(times.count == 2 && times[1] - times[0] == .milliseconds(lasts))
    }

    @Test("the remaining time stands still while a second is not published")
    func remaining() {
        var clients = Self.stalled(at: 3)
        clients.send("al", "format json")
        for (passed, left) in [(20, 2980), (6000, 2950)] as [(Int64, Int)] {
            clients.stall(milliseconds: passed)
            let lines = clients.send("al", "status").filter { $0.contains("\"state\":{") }
            #expect(
                lines.count == 1
                    && lines.allSatisfy { $0.contains("\"remainingMilliseconds\":\(left)") },
                "\(lines)")
        }
    }

    @Test("an asking price has its time after it was published, and can be taken until the next")
    func asks() {
        let dutch = Rules.clocked(.dutch, start: 100, step: 10, reserve: 60)
        var clients = TestClients.playing(dutch)
        clients.pass(milliseconds: 1959)
        clients.publishesAtOnce = false
        _ = clients.received("al")
        clients.pass(milliseconds: 1)
        clients.pass(milliseconds: 60_000)
        #expect(clients.received("al") == ["ASK 90", "COUNTDOWN 8"])
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 1949)
        #expect(clients.received("al") == ["COUNTDOWN 7"])
        clients.pass(milliseconds: 1)
        #expect(clients.received("al") == ["ASK 80", "COUNTDOWN 6"])
        clients.publishesAtOnce = false
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("bo", "take").contains("OK take 80"))
    }

    @Test("the last asking price has its time too, when the server was late")
    func lastAsk() {
        let dutch = Rules.clocked(.dutch, start: 100, step: 10, reserve: 60)
        var clients = TestClients.playing(dutch)
        clients.pass(milliseconds: 7959)
        clients.stall(milliseconds: 990)
        _ = clients.received("al")
        clients.wake()
        #expect(clients.received("al") == ["ASK 60", "COUNTDOWN 2"])
        clients.pass(milliseconds: 1949)
        #expect(!clients.received("al").contains { $0.hasPrefix("PASSED") })
        clients.pass(milliseconds: 1)
        #expect(clients.received("al").contains { $0.hasPrefix("PASSED") })
    }

    @Test("a server that was late tells each asking price that is left, and the last second after")
    func manyAsks() {
        var clients = TestClients.playing(.clocked(.dutch, start: 100, step: 1))
        clients.pass(milliseconds: 9059)
        _ = clients.received("al")
        clients.stall(milliseconds: 1800)
        clients.wake()
        clients.pass(milliseconds: 3000)
        let asks: [String] = (1...9).reversed().map { "ASK \($0)" }
        let told = Array(clients.received("al").prefix(11))
        #expect(Array(told.prefix(9)) == asks)
        #expect(Array(told.dropFirst(9)) == ["COUNTDOWN 0", "PASSED 1 no-bids lot-1"])
    }

    @Test("sealed bids are accepted until the last second has had its time")
    func sealed() {
        var clients = TestClients.playing(.clocked(.sealed))
        clients.pass(milliseconds: 8959)
        clients.publishesAtOnce = false
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("bo", "bid 40").contains("OK bid 40"))
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 949)
        #expect(!clients.received("al").contains { $0.hasPrefix("REVEALED") })
        clients.pass(milliseconds: 1)
        #expect(clients.received("al").contains { $0.hasPrefix("WINNER bo 40 ") })
    }
}
