import AuctionRules
import Lobby
import Sale
import TestSupport
import Testing
import Wire

@Suite struct ReviewTests {
    @Test("a name that has just left another room needs a place in an opened one too")
    func placesForLeftNames() {
        var limits = Limits.none
        (limits.names, limits.absence) = (10_000, .seconds(3))
        var clients = TestClients(limits: limits)
        clients.join("al"); _ = clients.received("al")
        clients.send("al", "open blue seconds=60")
        for number in 1...1000 {
            clients.join("v\(number)"); _ = clients.received("v\(number)")
            clients.send("v\(number)", "join blue")
            clients.send("v\(number)", "name v\(number)")
            clients.send("v\(number)", "\(number)")
            clients.lose("v\(number)")
            _ = clients.received("al")
        }
        #expect(clients.send("al", "name bo")[0].hasPrefix("ERROR full "))
        clients.connectNamed("zoe")
        clients.lose("zoe")
        _ = clients.received("al")
        let answer = clients.send("al", "name zoe").first { !$0.hasPrefix("LEFT") }
        #expect(answer?.hasPrefix("ERROR full ") == true, "\(answer ?? "")")
    }

    @Test("a lot that is added to a sale that is over opens a second after the last one")
    func lotAfterTheEnd() {
        var clients = TestClients.presided()
        clients.send("boss", "open blue lots=1 pause=0")
        clients.send("boss", "close")
        #expect(clients.send("boss", "add Lamp") == ["OK add"])
        clients.pass(milliseconds: 999)
        #expect(!clients.received("boss").contains { $0.hasPrefix("LOT") })
        clients.pass(milliseconds: 1)
        #expect(clients.received("boss").first?.hasPrefix("LOT 2 Lamp") == true)
    }
}
