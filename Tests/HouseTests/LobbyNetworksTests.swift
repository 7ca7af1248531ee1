import Auction
import Basics
import House
import Testing
import Wire

/// The limits of an address, and of the networks around it.
@Suite struct LobbyNetworksTests {
    /// The n-th address of a network, which differ from each other in the bits above those given.
    private static func addresses(_ kind: Kind) -> (Int) -> PeerAddress {
        { number in
            let bits = UInt64(number)
            return switch kind {
            case .sameAddress4: PeerAddress(version4: 0xC000_0201)
            case .sameSite4: PeerAddress(version4: 0xC000_0200 | UInt32(number))
            case .apart4: PeerAddress(version4: 0xC000_0001 | UInt32(number) << 8)
            case .sameAddress6: PeerAddress(high: 0x2001_0DB8_0000_0000, low: bits)
            case .sameSite6: PeerAddress(high: 0x2001_0DB8_0000_0000 | bits, low: 1)
            case .sameProvider6: PeerAddress(high: 0x2001_0DB8_0000_0000 | bits << 16, low: 1)
            case .apart6: PeerAddress(high: 0x2001_0000_0000_0000 | bits << 32, low: 1)
            }
        }
    }

    enum Kind: CaseIterable {
        case sameAddress4, sameSite4, apart4, sameAddress6, sameSite6, sameProvider6, apart6

        /// The factor of the network's limit over that of one address.
        var factor: Int {
            switch self {
            case .sameAddress4, .sameAddress6: 1
            case .sameSite4, .sameSite6: 8
            case .sameProvider6: 64
            case .apart4, .apart6: .max
            }
        }
    }

    @Test("wider networks have larger allowances of connections", arguments: Kind.allCases)
    func connections(kind: Kind) {
        var clients = TestClients(limits: .with { $0.connectionsPerAddress = 1 })
        for number in 0..<100 {
            clients.connectUngreeted("v\(number)", from: Self.addresses(kind)(number))
        }
        #expect(clients.closed.count == 100 - min(kind.factor, 100))
    }

    @Test("the counters of networks are bounded, however many there are")
    func bounded() {
        var clients = TestClients(limits: .with { $0.connects = .perMinute(600) })
        for number in 0..<10_000 {
            clients.connectUngreeted("v\(number)", from: Self.addresses(.apart6)(number))
            clients.lose("v\(number)")
        }
        #expect((16_000...16_384).contains(clients.lobby.knownAddressCount))
    }

    @Test("wider networks have larger allowances of new names", arguments: Kind.allCases)
    func names(kind: Kind) {
        var clients = TestClients(limits: .with { $0.nameUses = .perMinute(1) })
        var named = 0
        for number in 0..<100 {
            let name = "v\(number)"
            clients.connectUngreeted(name, from: Self.addresses(kind)(number))
            clients.send(name, "ping")
            if clients.send(name, "name \(name)")[0].hasPrefix("OK") { named += 1 }
        }
        #expect(named == min(kind.factor, 100))
    }

    @Test("wider networks may have more rooms open at once", arguments: Kind.allCases)
    func rooms(kind: Kind) {
        var limits = Limits.with { $0.roomsPerAddress = 1 }
        limits.rooms = 1000
        var clients = TestClients(limits: limits)
        var opened = 0
        for number in 0..<100 {
            let name = "v\(number)"
            clients.connectUngreeted(name, from: Self.addresses(kind)(number))
            if clients.send(name, "open \(name)").last?.hasPrefix("OK") == true { opened += 1 }
        }
        #expect(opened == min(kind.factor, 100))
    }

    /// Limits of one for each address, with trust in the network 192.0.2.0/25.
    private var trusting: Limits {
        Limits.with {
            $0.trustedNetworks = TrustedNetworks([AddressBlock("192.0.2.0/25")].compactMap(\.self))
            ($0.connectionsPerAddress, $0.roomsPerAddress, $0.rooms) = (1, 1, 1000)
            $0.nameUses = .perMinute(1)
        }
    }

    @Test(
        "a trusted address has ten times the limits, and so have the networks around it",
        arguments: [(apart: 0 as UInt32, count: 10), (apart: 1, count: 80)])
    func trusted(apart: UInt32, count: Int) {
        var clients = TestClients(limits: trusting)
        var (named, opened) = (0, 0)
        for number in 0..<100 {
            let name = "v\(number)"
            let address = 0xC000_0201 + apart * UInt32(number)
            clients.connectUngreeted(name, from: PeerAddress(version4: address))
            let answers = clients.send(name, "name \(name)")
            if answers.contains(where: { $0.hasPrefix("OK name") }) { named += 1 }
            let answer = clients.send(name, "open \(name)")
            if answer.contains(where: { $0.hasPrefix("OK open") }) { opened += 1 }
        }
        #expect(named == count && opened == count)
    }

    @Test("untrusted addresses have their own limits in the same network")
    func trustedNeighbours() {
        var clients = TestClients(limits: trusting)
        for number in 0..<200 {
            let address = PeerAddress(version4: 0xC000_0200 | UInt32(number % 100 + 1))
            clients.connectUngreeted("t\(number)", from: address)
        }
        #expect(clients.closed.count == 200 - 80)
        for number in 0..<20 {
            let address = PeerAddress(version4: 0xC000_0280 | UInt32(number))
            clients.connectUngreeted("u\(number)", from: address)
        }
        #expect(clients.closed.count { $0.hasPrefix("u") } == 20 - 8)
    }

    @Test("the rooms of the Unix socket are not counted")
    func roomsOfUnixSocket() {
        var clients = TestClients(limits: .with { $0.roomsPerAddress = 1 })
        for number in 0..<3 {
            let name = "v\(number)"
            clients.connectUngreeted(name, from: .local)
            #expect(clients.send(name, "open \(name)").last?.hasPrefix("OK") == true)
        }
    }

    @Test("waiting connections get no more new names than their networks may have")
    func waitingNames() {
        var clients = TestClients(limits: .with { $0.nameUses = .perMinute(1) })
        var unnamed = (0..<32).map { "v\($0)" }
        for (number, name) in unnamed.enumerated() {
            clients.connectUngreeted(name, from: Self.addresses(.sameSite6)(number % 16))
            clients.send(name, "ping")
        }
        var counts: [Int] = []
        for _ in 0...3 {
            let before = unnamed.count
            for _ in 0..<60 {
                unnamed.removeAll { name in
                    clients.send(name, "name \(name)").contains { $0.hasPrefix("OK") }
                }
                clients.pass(milliseconds: 1000)
            }
            counts.append(before - unnamed.count)
        }
        // A site has 8 at once, and 8 in each minute.
        #expect(counts == [15, 8, 8, 1])
    }

    @Test("a network without a name left serves its addresses in the order of their requests")
    func siteTurns() {
        var clients = TestClients(limits: .with { $0.nameUses = .perMinute(1) })
        for number in 0..<11 {
            clients.connectUngreeted("v\(number)", from: Self.addresses(.sameSite4)(number))
            clients.send("v\(number)", "ping")
        }
        for number in 0..<8 { clients.send("v\(number)", "name v\(number)") }
        /// Whether the answer to a client who asks for a name begins so.
        func isAnswered(_ name: String, _ beginning: String) -> Bool {
            clients.send(name, "name \(name)").contains { $0.hasPrefix(beginning) }
        }
        for (name, seconds) in [("v8", 8), ("v9", 15), ("v10", 23)] {
            #expect(isAnswered(name, "ERROR slow-down seconds=\(seconds) "))
        }
        clients.pass(milliseconds: 15_000)
        #expect(isAnswered("v10", "ERROR slow-down seconds=8 "))
        #expect(isAnswered("v9", "OK name v9"))
        #expect(isAnswered("v8", "OK name v8"))
    }

    // New connections

    private static let connects: [(milliseconds: Int64, answer: String)] = [
        (0, "HELLO"), (0, "HELLO"), (0, "ERROR slow-down seconds=30"),
        (29_000, "ERROR slow-down seconds=1"), (1000, "HELLO"), (60_000, "HELLO"),
    ]

    @Test("new connections of an address are limited by a rate, however short they are")
    func connects() {
        var clients = TestClients(limits: .with { $0.connects = .perMinute(2) })
        for (number, step) in Self.connects.enumerated() {
            clients.pass(milliseconds: step.milliseconds)
            let name = "v\(number)"
            clients.connectUngreeted(name, from: PeerAddress(version4: 0xC000_0201))
            clients.send(name, Array("ping\n".utf8))
            #expect(clients.received(name).first?.hasPrefix(step.answer) == true)
            clients.lose(name)
        }
        for number in 0..<9 { clients.connectUngreeted("l\(number)") }
        #expect(clients.closed.count == 2)
        #expect(clients.lobby.takeLimitsReached() == [.connects: 2])
    }

    // Lines

    private static let far = PeerAddress(version4: 0xC000_0201)
    private static let pings = Array(String(repeating: "ping\n", count: 99).utf8)
    private static let lines = TokenBucket.Rate(10, per: .seconds(1), burst: 20)

    @Test("the lines of an address are counted over all its connections; this machine is exempt")
    func lines() {
        var clients = TestClients(limits: .with { $0.addressLines = Self.lines })
        for name in ["a", "b", "c"] { clients.join(name, from: Self.far) }
        clients.join("d", from: PeerAddress(version4: 0xC000_0202))
        clients.join("e")
        clients.join("f", from: .local)
        #expect(clients.take("a", Self.pings) == 5 * 8)
        #expect(clients.take("b", Self.pings) == 5 * 4)
        #expect(clients.take("d", Self.pings) == 5 * 8)
        #expect(clients.take("e", Self.pings) == Self.pings.count)
        #expect(clients.take("f", Self.pings) == Self.pings.count)
    }

    @Test("waiting connections of one address are served one after the other")
    func turns() {
        var clients = TestClients(limits: .with { $0.addressLines = Self.lines })
        let names = ["a", "b", "c", "d"]
        for name in names { clients.join(name, from: Self.far) }
        var rests = [String: Int]()
        for name in names { rests[name] = clients.take(name, Self.pings) / 5 }
        // A burst of 20 was there; 8 lines were set aside for each as it had to wait.
        #expect(names.map { rests[$0] } == [8, 4, 0, 0])
        var lines: [String] = []
        for _ in 0..<12 {
            let due = names.map { name in (clients.due(name) ?? clients.now, name) }
            guard let (next, name) = due.min(by: { $0.0 < $1.0 }) else { break }
            clients.pass(milliseconds: clients.milliseconds(to: next))
            lines.append(name)
            #expect(clients.take(name, Self.pings) == 5 * 8)
        }
        #expect(
            Set(lines.prefix(4)) == Set(names) && Set(lines.dropFirst(4).prefix(4)) == Set(names))
        // 12 lines and 12 times 8, less a burst of 20, at 10 a second.
        #expect(clients.milliseconds(to: Instant(nanoseconds: 0)) <= -8800)
    }

    @Test("a connection that waited and sends fewer lines refunds the rest")
    func givenBack() {
        var clients = TestClients(limits: .with { $0.addressLines = Self.lines })
        clients.join("a", from: Self.far)
        clients.join("b", from: Self.far)
        for _ in 0..<3 { _ = clients.take("a", Array(Self.pings.prefix(5 * 8))) }
        #expect(clients.take("b", Self.pings) == 0)
        clients.pass(milliseconds: 10_000)
        #expect(clients.take("b", Array(Self.pings.prefix(5))) == 5)
        #expect(clients.take("a", Self.pings) == 5 * 8)
        #expect(clients.take("b", Self.pings) == 5 * 8)
    }

    @Test("a connection that waits and goes refunds what was reserved for it")
    func refunded() {
        var clients = TestClients(limits: .with { $0.addressLines = Self.lines })
        for name in ["a", "b", "c"] { clients.join(name, from: Self.far) }
        // Of a burst of 20, 16 lines were used, and 8 are reserved for each that waits.
        for _ in 0..<2 { _ = clients.take("a", Array(Self.pings.prefix(5 * 8))) }
        #expect(clients.take("a", Self.pings) == 5 * 4)
        #expect(clients.take("b", Self.pings) == 0)
        clients.lose("a")
        clients.lose("b")
        clients.pass(milliseconds: 800)
        #expect(clients.take("c", Self.pings) == 5 * 8)
    }

    // Tokens

    @Test("too many wrong tokens in a row close the connection, and a right one ends the row")
    func guesses() {
        var clients = TestClients(limits: .with { $0.wrongTokensInRow = 3 })
        clients.preside()
        clients.connectNamed("al")
        clients.join("bo")
        for _ in 0..<2 { clients.send("bo", "name al x") }
        clients.send("bo", "auctioneer \(String.auctioneerToken)")
        for _ in 0..<2 { clients.send("bo", "auctioneer x") }
        #expect(clients.closed.isEmpty)
        #expect(
            clients.send("bo", "name al x") == [
                "ERROR wrong-token this is not the token of the name, send the right one or choose another name",
                "BYE wrong-token",
            ])
        #expect(clients.closed == ["bo"])
    }

    @Test("if the auctioneer is local, right and wrong tokens get the same answer elsewhere")
    func local() {
        var clients = TestClients()
        clients.lobby.auctioneerToken = .test
        clients.lobby.isAuctioneerLocal = true
        clients.join("al", from: Self.far)
        clients.join("bo")
        clients.join("cy", from: .local)
        for name in ["al", "bo"] {
            _ = clients.received(name)
            for token in [String.auctioneerToken, "x"] {
                #expect(
                    clients.send(name, "auctioneer \(token)") == [
                        "ERROR not-auctioneer the auctioneer's token is accepted only on the "
                            + "server's Unix socket"
                    ])
            }
        }
        _ = clients.received("cy")
        #expect(clients.send("cy", "auctioneer \(String.auctioneerToken)") == ["OK auctioneer"])
    }
}
