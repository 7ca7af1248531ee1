import House
import Testing

@Suite struct LobbyNamesTests {
    @Test("a name is answered with its token, and JOINED is sent to everybody")
    func join() {
        var clients = TestClients()
        clients.join("eve")
        clients.connect("al")
        _ = clients.received("eve")
        #expect(
            clients.send("al", "#1 name Alice") == ["OK #1 name Alice \(token(1))", "JOINED Alice"])
        #expect(clients.received("eve") == ["JOINED Alice"])
    }

    @Test("a bid needs a name")
    func notNamed() {
        var clients = TestClients()
        clients.connect("al")
        #expect(clients.send("al", "5") == ["ERROR not-named take a name first, type: name YOU"])
    }

    @Test("the same name again is confirmed, another is refused")
    func alreadyNamed() {
        var clients = TestClients()
        clients.connectNamed("al")
        #expect(clients.send("al", "name AL") == ["OK name al \(token(1))"])
        #expect(
            clients.send("al", "name bo")
                == ["ERROR already-named you are al here, connect again for another name"])
    }

    @Test("an owned name is taken, whatever its case, and opens to its token alone")
    func taken() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.connect("bo")
        #expect(
            clients.send("bo", "name AL")
                == [
                    "ERROR name-taken choose another name, or prove that it is yours: name YOU TOKEN"
                ])
        for wrong in [token(2), "x", token(1) + "0", String(token(1).dropLast())] {
            #expect(
                clients.send("bo", "name al \(wrong)")
                    == [
                        "ERROR wrong-token this is not the token of the name, send the right one or choose another name"
                    ])
        }
    }

    @Test("the token takes a name over, and the former connection is replaced")
    func replaced() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.join("al2")
        clients.join("eve")
        clients.forget("al2", "eve")
        #expect(clients.send("al2", "name al \(token(1))") == ["OK name al \(token(1))"])
        #expect(clients.received("al").last == "BYE replaced")
        #expect(clients.closed == ["al"])
        #expect(clients.received("eve") == [])
        #expect(clients.send("al2", "who") == ["WHO al", "OK who 1"])
        #expect(clients.send("al2", "5").first == "OK bid 5")
    }

    @Test("without an accepted bid a name is free again when its connection ends")
    func freed() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.join("eve")
        clients.lose("al")
        #expect(clients.received("eve").last == "LEFT al")
        #expect(clients.send("eve", "name al").first == "OK name al \(token(2))")
    }

    @Test("with an accepted bid a name stays owned, and its token brings it back")
    func kept() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.lose("al")
        clients.connect("eve")
        #expect(clients.send("eve", "name al").first?.hasPrefix("ERROR name-taken") == true)
        #expect(
            clients.send("eve", "name AL \(token(1))") == ["OK name al \(token(1))", "JOINED al"])
        #expect(clients.send("eve", "5") == ["OK bid 5"])
    }

    @Test("a sealed bid keeps the name owned, as any accepted bid does")
    func keptBySealedBid() {
        var clients = TestClients(.clocked(.sealed))
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.lose("al")
        clients.connect("eve")
        #expect(clients.send("eve", "name al").first?.hasPrefix("ERROR name-taken") == true)
        #expect(clients.send("eve", "name al \(token(1))").first == "OK name al \(token(1))")
    }

    @Test(
        "while bids are sealed every name stays owned, and then those whose bid everybody knows",
        arguments: [("hammer", true), ("close", false)])
    func keptWhileSealed(command: String, isRevealed: Bool) throws {
        var clients = TestClients.playing(.clocked(.sealed))
        clients.send("al", "5")
        for client in ["al", "bo"] { clients.lose(client) }
        var after = TestClients(
            .clocked(.sealed), resuming: try recovered(clients.journal), tokens: 100)
        after.preside()
        for name in ["al", "bo"] {
            for line in [clients.send("boss", "name \(name)"), after.send("boss", "name \(name)")] {
                #expect(line.last?.hasPrefix("ERROR name-taken") == true)
            }
        }
        clients.send("boss", command)
        clients.connect("zoe")
        #expect(clients.send("zoe", "name al").first?.hasPrefix("ERROR name-taken") == isRevealed)
        #expect(clients.send("boss", "name bo").contains { $0.hasPrefix("OK name bo") })
    }

    @Test("for a name without an owner a token is ignored")
    func tokenOfNobody() {
        var clients = TestClients()
        clients.connect("al")
        #expect(clients.send("al", "name al feed").first == "OK name al \(token(1))")
    }

    @Test("who lists the present bidders in the order of their arrival")
    func who() {
        var clients = TestClients()
        clients.connectNamed("zoe", "al", "bo")
        clients.join("eve")
        clients.send("al", "5")
        clients.lose("al")
        _ = clients.received("eve")
        #expect(clients.send("eve", "#9 who") == ["WHO zoe", "WHO bo", "OK #9 who 2"])
    }
}
