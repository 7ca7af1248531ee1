import Auction
import House
import Testing
import Wire

/// What a connection in JSON receives beside the news: `state` and `you`.
@Suite struct LobbyJSONTests {
    /// What `status` sends to a client as the state, or as what only its bidder may know.
    private func object(_ type: String, of client: String, _ clients: inout TestClients) -> String {
        clients.send(client, "status").last { $0.contains("\"type\":\"\(type)\"") } ?? ""
    }

    @Test("the state has what the lines of text say of a pause, a limit and an unsold lot")
    func lot() {
        var clients = TestClients.playing(Rules(seconds: 7, longest: .seconds(60)))
        clients.send("eve", "format json")
        #expect(object("state", of: "eve", &clients).contains(#""longest":60,"#))
        clients.send("al", "10")
        clients.pass(milliseconds: 3000)
        clients.send("boss", "pause")
        let paused = clients.received("eve").last ?? ""
        #expect(
            paused.contains(
                #""stage":"paused","secondsAtPause":4,"remainingMilliseconds":null,"#))
        clients.send("boss", "resume")
        clients.send("boss", "close")
        let news = clients.received("eve")
        let resumed = news.first { $0.contains(#""type":"resumed""#) } ?? ""
        #expect(resumed.contains(#""secondsAtPause":null"#))
        let passed = news.last { $0.contains(#""type":"passed""#) } ?? ""
        #expect(passed.contains(#""stage":"passed","reason":"closed","#))
        clients.pass(milliseconds: 3000)
        #expect(clients.received("eve").contains { $0.contains(#""reason":null"#) })
    }

    @Test("the state has the common value once it is announced")
    func value() {
        let settings = GameSettings(values: .common(100...100, noise: 5), seed: Seed(1))
        var clients = TestClients.playing(Rules(seconds: 1), settings: settings)
        clients.send("eve", "format json")
        clients.send("al", "40")
        #expect(object("state", of: "eve", &clients).contains(#""value":null"#))
        clients.pass(milliseconds: 1000)
        #expect(object("state", of: "eve", &clients).contains(#""value":100"#))
    }

    @Test("a bidder in JSON receives what changes in `you`, and one in text as lines")
    func own() {
        let settings = GameSettings(purse: price(1000), values: .personal(9...9), seed: Seed(1))
        var clients = TestClients.playing(Rules(seconds: 7), settings: settings)
        clients.send("al", "format json")
        clients.send("eve", "format json")
        #expect(
            clients.send("bo", "5")
                == ["OK bid 5", "PRICE 5 bo 00:00.0 1", "PURSE 995", "COUNTDOWN 7"])
        #expect(!clients.received("al").contains { $0.contains(#""you""#) })
        let bid = clients.send("al", "6")
        #expect(bid.contains { $0.contains(#""you":{"leads":true,"left":994}"#) })
        #expect(!bid.contains { $0.contains(#""purse""#) })
        #expect(clients.received("bo").contains("PURSE 1000"))
        clients.send("al", "format text")
        #expect(clients.send("al", "status").suffix(3) == ["PURSE 994", "WORTH 9", "OK status"])
        #expect(clients.send("bo", "7").contains("PURSE 993"))
        #expect(clients.received("al").contains("PURSE 1000"))
    }

    @Test("a winner who was away at the end of the lot, when nobody was in JSON, has a rank")
    func rank() {
        var clients = TestClients(Rules(seconds: 1))
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.lose("al")
        clients.pass(milliseconds: 1000)
        _ = clients.comeBack("al", 1)
        clients.send("al", "format json")
        #expect(object("you", of: "al", &clients).contains(#""rank":1"#))
    }

    @Test("who has first bid on the open lot has no rank before its end, also after a void")
    func rankOfFirstBid() throws {
        var clients = TestClients.playing(Rules(seconds: 1))
        clients.send("al", "5")
        clients.pass(milliseconds: 4000)
        clients.send("bo", "5")
        clients.send("bo", "format json")
        #expect(object("you", of: "bo", &clients).contains(#""rank":null"#))
        clients.send("boss", "void")
        #expect(object("you", of: "bo", &clients).contains(#""rank":null"#))
        clients.send("bo", "5")
        var after = try clients.restarted(Rules(seconds: 1))
        for (name, number, rank) in [("bo", 2, "null"), ("al", 1, "1")] {
            _ = after.comeBack(name, number)
            after.send(name, "format json")
            #expect(object("you", of: name, &after).contains(#""rank":\#(rank)"#))
        }
        after.pass(milliseconds: 1000)
        #expect(object("you", of: "bo", &after).contains(#""rank":1"#))
    }

    @Test("ranks are those of the end of the sale, also when nobody was in JSON then")
    func rankAtEnd() {
        let settings = GameSettings(values: .personal(9...9), seed: Seed(1))
        var clients = TestClients.playing(
            Rules(seconds: 1), [LotPlan(title: "Vase")], settings: settings)
        clients.send("bo", "50")
        clients.send("al", "100")
        clients.pass(milliseconds: 1000)
        clients.send("bo", "format json")
        #expect(object("you", of: "bo", &clients).contains(#""rank":1"#))
    }
}
