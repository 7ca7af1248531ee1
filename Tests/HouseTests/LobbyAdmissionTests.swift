import Auction
import Basics
import House
import Testing
import Wire

/// Admission when all places are taken.
@Suite struct LobbyAdmissionTests {
    private static let full = "ERROR full too many are connected, try again later"

    /// A lobby with two regular and two reserved places, one of them local: al owns a name and has
    /// left; a and b are connected and have sent a line each.
    private func full(afterLine line: String = "ping") -> TestClients {
        var clients = TestClients(limits: .with { ($0.connections, $0.reserve) = (2, 2) })
        clients.preside()
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.lose("al")
        clients.lose("boss")
        for name in ["a", "b"] {
            clients.join(name)
            clients.send(name, line)
        }
        clients.pass(milliseconds: 10_000)
        return clients
    }

    @Test("the connection silent for longest is closed, and never one with a name")
    func silent() {
        var clients = TestClients(limits: .with { $0.connections = 4 })
        clients.connectNamed("al")
        clients.join("a")
        clients.join("b")
        clients.join("c")
        clients.send("a", "ping")
        clients.forget("b", "c", "d")
        clients.pass(milliseconds: 10_000)
        clients.join("d")
        #expect(clients.closed == ["b"])
        #expect(clients.received("b").last == "BYE full")
        #expect(clients.received("d").first?.hasPrefix("HELLO") == true)
        clients.join("e")
        clients.join("f")
        #expect(clients.closed == ["b", "c", "d"])
        #expect(clients.lobby.takeLimitsReached() == [.silent: 3])
    }

    @Test("a new connection has two seconds to send a line while a reserved place is free")
    func silenceAllowed() {
        var clients = full()
        clients.lose("a")
        clients.join("c")
        clients.join("d")
        #expect(clients.closed == [])
        clients.pass(milliseconds: 2000)
        clients.join("e")
        #expect(clients.closed == ["c"])
    }

    private static let proofs = ["name al \(token(1))", "auctioneer \(String.auctioneerToken)"]

    @Test("a first line that proves a token is admitted", arguments: proofs)
    func proof(line: String) {
        var clients = full()
        clients.connectUngreeted("c")
        clients.send("c", Array("\(line)\nping\n".utf8))
        #expect(clients.received("c").contains("OK ping"))
        #expect(clients.closed == [])
        // The reserve is taken now.
        clients.connectUngreeted("d")
        #expect(clients.received("d") == [Self.full, "BYE full"])
    }

    private static let clients = [
        ["#1 format json", "#2 name al \(token(1))"],
        ["format json", "status", "name al \(token(1))"],
    ]

    @Test("a client may choose its format and ask for the snapshot first", arguments: clients)
    func preliminaries(lines: [String]) {
        var clients = full()
        clients.connectUngreeted("c")
        for line in lines.dropLast() {
            #expect(clients.send("c", line).contains { $0.lowercased().contains("ok") })
        }
        #expect(clients.send("c", lines.last ?? "").contains { $0.contains(token(1)) })
        #expect(clients.closed == [])
    }

    @Test(
        "a client that sends nothing but such lines is closed",
        arguments: ["format json", "status"])
    func onlyPreliminaries(line: String) {
        var clients = full()
        clients.connectUngreeted("c")
        for _ in 0..<4 { clients.send("c", line) }
        #expect(clients.closed == [])
        clients.send("c", line)
        #expect(clients.closed == ["c"])
    }

    @Test("a client that has sent only such lines counts as silent")
    func silentPreliminaries() {
        var clients = full()
        clients.connectUngreeted("c")
        clients.send("c", "format text")
        clients.connectUngreeted("d")
        #expect(clients.closed == ["c"])
    }

    @Test("a right token of a name that is refused does not keep the place")
    func refusedProof() {
        for isKicked in [false, true] {
            var clients = TestClients(
                limits: .with {
                    ($0.connections, $0.reserve) = (2, 2)
                    $0.openings = .perMinute(1)
                    $0.kick = .seconds(600)
                })
            clients.preside()
            clients.connectNamed("al")
            clients.send("al", "5")
            if isKicked { clients.send("boss", "kick al why") } else { clients.lose("al") }
            if !isKicked {
                clients.join("al")
                clients.send("al", "name al \(token(1))")
                clients.lose("al")
            }
            clients.join("b")
            clients.send("b", "ping")
            clients.connectUngreeted("c")
            let lines = clients.send("c", "name al \(token(1))").suffix(2)
            #expect(lines.first?.hasPrefix(isKicked ? "ERROR kicked" : "ERROR slow-down") == true)
            #expect(lines.last == "BYE full")
            clients.connectUngreeted("d")
            #expect(clients.closed.suffix(1) == ["c"])
        }
    }

    private static let others = [
        "ping", "name zoe", "name zoe \(token(1))", "name al", "name al \(token(2))",
        "auctioneer x",
        "nonsense", "", String(repeating: "x", count: 2000),
    ]

    @Test("any other first line is answered with full", arguments: others)
    func noProof(line: String) {
        var clients = full()
        clients.connectUngreeted("c")
        clients.send("c", Array("\(line)\n".utf8))
        #expect(clients.received("c").suffix(2) == [Self.full, "BYE full"])
        clients.connectUngreeted("d")
        #expect(clients.closed == ["c"])
    }

    @Test("the Unix socket needs no proof")
    func local() {
        var clients = full()
        clients.connectUngreeted("c", from: .local)
        #expect(clients.send("c", "ping").last == "OK ping")
    }

    @Test("a quarter of the reserved places is for the Unix socket alone")
    func localShare() {
        var clients = TestClients(limits: .with { ($0.connections, $0.reserve) = (1, 8) })
        for number in 1...8 {
            clients.connectNamed("n\(number)")
            clients.send("n\(number)", "\(number)")
            clients.lose("n\(number)")
        }
        clients.join("a")
        clients.send("a", "ping")
        for number in 1...8 {
            clients.connectUngreeted("n\(number)")
            clients.send("n\(number)", "name n\(number) \(token(number))")
        }
        #expect(clients.closed == ["n7", "n8"])
        for name in ["c", "d", "e"] { clients.connectUngreeted(name, from: .local) }
        #expect(clients.send("c", "ping").last == "OK ping")
        #expect(clients.closed == ["n7", "n8", "e"])
        clients.lose("d")
        clients.connectUngreeted("f", from: .local)
        #expect(clients.send("f", "ping").last == "OK ping")
    }

    @Test("a silent connection in a reserved place is closed for a new one")
    func silentReserve() {
        var clients = full()
        for number in 0..<9 { clients.connectUngreeted("s\(number)") }
        #expect(clients.closed.count == 8)
        clients.connectUngreeted("c")
        clients.send("c", Array("name al \(token(1))\n".utf8))
        #expect(clients.received("c").contains("OK name al \(token(1))"))
    }

    @Test("connections that send lines get regular places, and never reserved ones")
    func talkers() {
        var clients = TestClients(limits: .with { ($0.connections, $0.reserve) = (2, 2) })
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.lose("al")
        for name in ["a", "b", "c"] { clients.join(name) }
        clients.pass(milliseconds: 10_000)
        var answers: [String?] = []
        for number in 0..<5 {
            clients.connectUngreeted("t\(number)")
            answers.append(clients.send("t\(number)", "ping").last)
        }
        #expect(answers == ["OK ping", "OK ping", "BYE full", "BYE full", "BYE full"])
        clients.connectUngreeted("al2")
        #expect(clients.send("al2", "name al \(token(1))").contains("OK name al \(token(1))"))
    }

    @Test("when a regular place is free again, a connection on trial may send anything")
    func free() {
        var clients = full()
        clients.connectUngreeted("c")
        clients.lose("a")
        #expect(clients.send("c", "ping").last == "OK ping")
    }

    // New names of one address

    private static let far = PeerAddress(version4: 0xC000_0201)

    private func slow(_ seconds: Int) -> String {
        "ERROR slow-down seconds=\(seconds) too many new names from your address, "
            + "try again in \(seconds) s"
    }

    /// Three clients of an address with one new name a minute left.
    private func waiting() -> TestClients {
        var clients = TestClients(limits: .with { $0.nameUses = .perMinute(1) })
        for name in ["z", "a", "b"] { clients.join(name, from: Self.far) }
        clients.send("z", "name z")
        clients.forget("a", "b")
        return clients
    }

    @Test("clients that wait for a new name are served in turn, however often others ask")
    func turns() {
        var clients = waiting()
        #expect(clients.send("a", "name a") == [slow(60)])
        #expect(clients.send("b", "name b") == [slow(120)])
        for second in 1..<60 {
            clients.pass(milliseconds: 1000)
            #expect(clients.send("a", "name a") == [slow(60 - second)])
        }
        clients.pass(milliseconds: 1000)
        #expect(clients.send("a", "name a").first == "OK name a \(token(2))")
        clients.join("a2", from: Self.far)
        _ = clients.received("a2")
        #expect(clients.send("a2", "name a2") == [slow(120)])
        clients.pass(milliseconds: 60_000)
        _ = clients.received("b")
        #expect(clients.send("b", "name b").first == "OK name b \(token(3))")
    }

    @Test("a client that leaves refunds its turn, and a late one loses it")
    func lost() {
        var clients = waiting()
        clients.send("a", "name a")
        clients.lose("a")
        #expect(clients.send("b", "name b") == [slow(60)])
        clients.pass(milliseconds: 70_000)
        #expect(clients.send("b", "name b") == [slow(50)])
        clients.pass(milliseconds: 59_999)
        #expect(clients.send("b", "name b").first == "OK name b \(token(2))")
    }
}
