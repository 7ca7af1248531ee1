import Auction
import House
import Testing
import Wire

/// How long a kicked name is barred.
@Suite struct LobbyKickTests {
    private static let limits = Limits.with { $0.kick = .seconds(600) }

    private static func kicked(
        _ limits: Limits = limits, resuming recovered: ServerReplay? = nil
    ) -> TestClients {
        var clients = TestClients(limits: limits, resuming: recovered)
        clients.preside()
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.send("boss", "kick al why")
        clients.connect("eve")
        return clients
    }

    private static func refusal(_ seconds: Int) -> String {
        "ERROR kicked seconds=\(seconds) the auctioneer kicked this name, try again in \(seconds) s"
    }

    @Test("the name is barred with and without its token, and the address is not")
    func out() {
        var clients = Self.kicked()
        clients.pass(milliseconds: 60_000)
        _ = clients.received("eve")
        for line in ["name al", "name AL", "name al \(token(1))", "name al x"] {
            #expect(clients.send("eve", line) == [Self.refusal(540)])
        }
        #expect(clients.send("eve", "name al2").first == "OK name al2 \(token(2))")
    }

    @Test("after its time the name opens to its token again")
    func back() {
        var clients = Self.kicked()
        // Eve took 20 ms to come in.
        clients.pass(milliseconds: 599_979)
        _ = clients.received("eve")
        #expect(clients.send("eve", "name al \(token(1))") == [Self.refusal(1)])
        clients.pass(milliseconds: 1)
        #expect(clients.send("eve", "name al \(token(1))").first == "OK name al \(token(1))")
    }

    @Test("a kick takes back the sealed bid of a bidder who has left, and nobody else notices")
    func absentSealedBid() {
        var clients = TestClients.playing(.clocked(.sealed))
        clients.send("al", "5")
        clients.send("bo", "900")
        clients.lose("bo")
        clients.forget()
        #expect(clients.send("boss", "kick bo why") == ["OK kick", "KICKED bo why", "SEALED 1"])
        clients.pass(milliseconds: 10_000)
        #expect(clients.received("eve").contains("WINNER al 5 00:10.0 lot-1"))
    }

    @Test("a kick takes back the maximum of a bidder who is in another room, and leaves them there")
    func absentMaximum() {
        var clients = TestClients.playing(Rules(seconds: 7))
        clients.send("al", "max 900")
        clients.send("al", "open blue")
        clients.forget()
        #expect(clients.send("boss", "kick al why") == ["OK kick", "KICKED al why"])
        #expect(clients.received("al") == [])
        #expect(clients.send("bo", "2").contains("PRICE 2 bo 00:00.0 2"))
        #expect(!clients.received("eve").contains { $0.hasPrefix("PRICE 3") })
        #expect(clients.send("al", "join main").first?.hasPrefix("ERROR kicked") != true)
    }

    @Test("without a kick time the name may be taken again at once")
    func atOnce() {
        var clients = Self.kicked(.none)
        #expect(clients.send("eve", "name al \(token(1))").first == "OK name al \(token(1))")
    }

    @Test(
        "a kick lasts over a restart, for what is left of it and never longer",
        arguments: [(0, 600), (60, 540), (599, 1), (600, 0), (-86_400, 600)])
    func restart(elapsed: Int64, left: Int) throws {
        let clients = Self.kicked()
        // The kick was 40 ms after the first start, and eve asks 20 ms after the second.
        let timeOfDay = TestClients.firstTimeOfDay + 40 + elapsed * 1000 - 20
        for recovered in [try recovered(clients.journal), recoveredFromState(of: clients)] {
            var after = TestClients(limits: Self.limits, resuming: recovered, timeOfDay: timeOfDay)
            after.connect("eve")
            let answer = after.send("eve", "name al \(token(1))").first
            #expect(answer == (left > 0 ? Self.refusal(left) : "OK name al \(token(1))"))
        }
    }
}
