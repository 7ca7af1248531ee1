import Auction
import Testing

/// The countdown after a standstill of the machine, from which no bidder may suffer.
@Suite("Lobby, standstill")
struct LobbyStandstillTests {
    @Test(
        "a second that was never sent gives the full seconds again, and a late one does not",
        arguments: [
            (900, 100, "COUNTDOWN 6"), (900, 1099, "COUNTDOWN 6"), (900, 1100, "COUNTDOWN 7"),
            (900, 60_000, "COUNTDOWN 7"), (3000, 1999, "COUNTDOWN 3"), (3000, 2000, "COUNTDOWN 7"),
            (4500, 1499, "COUNTDOWN 2"), (4500, 1500, "COUNTDOWN 7"),
        ] as [(Int64, Int64, String)])
    func restart(passed: Int64, stalled: Int64, line: String) {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: passed)
        _ = clients.received("al")
        clients.stall(milliseconds: stalled)
        clients.wake()
        #expect(clients.received("al").first == line)
    }

    @Test(
        "a lot ends less than a second late, or else its countdown begins again",
        arguments: [
            (1, 0, true), (1, 999, true), (1, 1000, false), (7, 999, true), (7, 1000, false),
        ]
            as [(Int, Int64, Bool)])
    func hammer(seconds: Int, late: Int64, falls: Bool) {
        var clients = TestClients(Rules(seconds: seconds))
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: Int64(seconds) * 1000 - 1)
        _ = clients.received("al")
        clients.stall(milliseconds: 1 + late)
        clients.wake()
        let hammer = ["COUNTDOWN 0", "WINNER al 10 00:0\(seconds).0 lot-1", "NEXT 3 lot-2"]
        #expect(clients.received("al") == (falls ? hammer : ["COUNTDOWN \(seconds)"]))
    }

    @Test("after a standstill the full seconds are sent one by one, and then the lot ends")
    func fullCountdown() {
        var clients = TestClients(Rules(seconds: 3))
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.stall(milliseconds: 60_000)
        clients.wake()
        clients.pass(milliseconds: 2999)
        #expect(
            clients.received("al") == ["COUNTDOWN 3", "COUNTDOWN 2", "COUNTDOWN 1"])
        clients.pass(milliseconds: 1)
        #expect(
            clients.received("al") == ["COUNTDOWN 0", "WINNER al 10 01:03.0 lot-1", "NEXT 3 lot-2"])
    }

    @Test(
        "the full seconds after a standstill run from their publication, however slow the disk"
    )
    func slowDisk() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.publishesAtOnce = false
        clients.stall(milliseconds: 60_000)
        clients.wake()
        clients.pass(milliseconds: 60_000)
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 6_999)
        #expect(clients.received("al").last == "GOING twice")
        clients.pass(milliseconds: 1)
        #expect(clients.received("al").contains("WINNER al 10 02:07.0 lot-1"))
    }

    @Test("a bid in the step that ends a standstill counts first, and resets the countdown")
    func bidAfterStandstill() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.send("al", "10")
        clients.pass(milliseconds: 6900)
        _ = clients.received("bo")
        clients.stall(milliseconds: 5000)
        #expect(
            clients.send("bo", "11")
                == ["OK bid 11", "PRICE 11 bo 00:11.9 2", "COUNTDOWN 7"])
        clients.wake()
        #expect(clients.received("bo") == [])
    }
}
