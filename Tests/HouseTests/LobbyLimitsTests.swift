import Auction
import Basics
import House
import Testing
import Wire

@Suite struct LobbyLimitsTests {
    private static let full = "ERROR full too many are connected, try again later"
    private static let addressFull =
        "ERROR full too many connections come from your address, close one of them first"
    private static let far = PeerAddress(version4: 0xC000_0201)

    @Test(
        "what an address may use follows from the rates of lines and of new names",
        arguments: [(Limits(), 50, 20), (.with { $0.set(10, 2) }, 10, 2)])
    func derived(limits: Limits, lines: Int, names: Int) {
        #expect(limits.lines == TokenBucket.Rate(lines, per: .seconds(1), burst: 4 * lines))
        #expect(
            limits.addressLines
                == TokenBucket.Rate(20 * lines, per: .seconds(1), burst: 80 * lines))
        #expect(limits.nameUses == .perMinute(names))
        #expect(limits.connects == .perMinute(30 * names))
        #expect(limits.openings == .perMinute(3 * names))
        #expect(limits.wrongTokens == .perMinute(max(names / 4, 1)))
    }

    // Connections

    @Test("above the limit a new connection is answered with full, until one leaves")
    func full() {
        var clients = TestClients(limits: .with { $0.connections = 2 })
        clients.join("a")
        clients.join("b")
        for name in ["a", "b"] { clients.send(name, "ping") }
        clients.connectUngreeted("c")
        #expect(clients.received("c") == [Self.full, "BYE full"])
        #expect(clients.closed == ["c"])
        clients.lose("a")
        clients.connectUngreeted("d")
        clients.pass(milliseconds: 20)
        #expect(clients.received("d").first?.hasPrefix("HELLO") == true)
        #expect(clients.lobby.takeLimitsReached() == [.full: 1])
        #expect(clients.lobby.takeLimitsReached() == [:])
    }

    @Test("each address has its own limit, and this machine has none")
    func addressFull() {
        var clients = TestClients(limits: .with { $0.connectionsPerAddress = 2 })
        for name in ["a", "b", "c"] { clients.connectUngreeted(name, from: Self.far) }
        #expect(clients.received("c") == [Self.addressFull, "BYE full"])
        clients.connectUngreeted("d", from: PeerAddress(version4: 0xC000_0202))
        for name in ["e", "f", "g"] { clients.connectUngreeted(name) }
        for name in ["h", "i", "j"] { clients.connectUngreeted(name, from: .local) }
        #expect(clients.closed == ["c"])
        clients.lose("a")
        clients.connectUngreeted("k", from: Self.far)
        #expect(clients.closed == ["c"])
        #expect(clients.lobby.takeLimitsReached() == [.addressFull: 1])
    }

    @Test("a connection that loses its name to another frees its place")
    func addressAfterTakingOver() {
        var clients = TestClients(limits: .with { $0.connectionsPerAddress = 2 })
        clients.connectUngreeted("a", from: Self.far)
        clients.send("a", "name al")
        clients.connectUngreeted("b", from: Self.far)
        clients.send("b", "name al \(token(1))")
        #expect(clients.closed == ["a"])
        clients.connectUngreeted("c", from: Self.far)
        #expect(clients.closed == ["a"])
        clients.lose("b")
        clients.lose("c")
        #expect(clients.lobby.knownAddressCount == 0)
    }

    @Test("an IPv6 network of 64 bits is one address")
    func network() {
        var clients = TestClients(limits: .with { $0.connectionsPerAddress = 1 })
        clients.connectUngreeted("a", from: PeerAddress(high: 7, low: 1))
        clients.connectUngreeted("b", from: PeerAddress(high: 7, low: 2))
        clients.connectUngreeted("c", from: PeerAddress(high: 8, low: 1))
        #expect(clients.closed == ["b"])
    }

    // Lines

    private static let lines = TokenBucket.Rate(50, per: .seconds(1), burst: 4)

    private static let inputs: [(bytes: [UInt8], lines: Int)] = [
        (Array("ping\n".utf8), 1), (Array("\n".utf8), 1), (Array("nonsense\r\n".utf8), 1),
        ([255, 253, 1], 1), ([255, 241], 0), (Array("part".utf8), 0),
        ([UInt8](repeating: 120, count: 1024 * 3) + [10], 3),
        ([UInt8](repeating: 241, count: 1024).flatMap { [255, $0] }, 2),
    ]

    @Test("lines, negotiations and meaningless bytes count", arguments: inputs)
    func counts(bytes: [UInt8], lines: Int) {
        var clients = TestClients(limits: .with { $0.lines = Self.lines })
        clients.join("al")
        clients.send("al", bytes)
        let pings = Array(String(repeating: "ping\n", count: 9).utf8)
        #expect(clients.take("al", pings) == 5 * (4 - lines))
    }

    @Test("lines above the rate are handled when they are due, in order")
    func due() {
        var clients = TestClients(limits: .with { $0.lines = Self.lines })
        clients.connect("al")
        var rest = (1...12).map { "#\($0) ping\n" }.joined().utf8[...]
        var times: [Int64] = []
        while !rest.isEmpty {
            let taken = clients.take("al", Array(rest))
            rest = rest.dropFirst(taken)
            guard let due = clients.due("al"), !rest.isEmpty else { break }
            times.append(clients.milliseconds(to: due))
            clients.pass(milliseconds: times[times.count - 1])
        }
        // The 4 of a burst, and then the 4 that a bucket holds, each due after 20 ms.
        #expect(times == [80, 80])
        #expect(clients.received("al") == (1...12).map { "OK #\($0) ping" })
        #expect(clients.lobby.takeLimitsReached() == [:])
    }

    @Test("a connection that waits does not delay others")
    func others() {
        var clients = TestClients(limits: .with { $0.lines = Self.lines })
        clients.join("al")
        clients.connect("bo")
        #expect(clients.take("al", Array(String(repeating: "\n", count: 99).utf8)) == 4)
        #expect(clients.send("bo", "ping") == ["OK ping"])
    }

    // Lines without an end

    private static let idle: [(bytes: [UInt8], closes: Bool)] = [
        (Array("bid 1".utf8), true), ([255, 250, 1], true), (Array("bid 1\r".utf8), true),
        ([UInt8](repeating: 120, count: 2000), true),
        ([], false), (Array("ping\n".utf8), false), ([255, 253, 1], false),
        ([UInt8](repeating: 120, count: 2000) + [10], false),
    ]

    @Test("a line that is incomplete for 30 seconds closes the connection", arguments: idle)
    func unfinished(bytes: [UInt8], closes: Bool) {
        var clients = TestClients(limits: .with { $0.lineTime = .seconds(30) })
        clients.join("al")
        clients.send("al", bytes)
        clients.pass(milliseconds: 29_999)
        #expect(clients.closed.isEmpty)
        clients.pass(milliseconds: 1)
        #expect(clients.closed == (closes ? ["al"] : []))
        if closes { #expect(clients.received("al").last == "BYE idle") }
        clients.pass(milliseconds: 600_000)
        #expect(clients.closed == (closes ? ["al"] : []))
    }

    @Test("the time counts from the beginning of the incomplete line, byte by byte")
    func byteByByte() {
        var clients = TestClients(limits: .with { $0.lineTime = .seconds(30) })
        clients.join("al")
        clients.send("al", Array("pi".utf8))
        clients.pass(milliseconds: 20_000)
        clients.send("al", Array("ng\np".utf8))
        for _ in 0..<29 {
            clients.pass(milliseconds: 1000)
            clients.send("al", Array("x".utf8))
        }
        #expect(clients.closed.isEmpty)
        clients.pass(milliseconds: 1000)
        #expect(clients.closed == ["al"])
    }

    @Test("a connection that we do not read is not closed, except for a line over the limit")
    func unread() {
        var clients = TestClients(limits: .with { $0.lineTime = .seconds(30) })
        clients.join("al")
        clients.join("bo")
        clients.send("al", Array("bid 1".utf8))
        clients.send("bo", [UInt8](repeating: 120, count: 2000))
        clients.unread = ["al", "bo"]
        clients.pass(milliseconds: 45_000)
        #expect(clients.closed == ["bo"])
        clients.unread = []
        clients.pass(milliseconds: 30_000)
        #expect(clients.closed == ["bo", "al"])
    }

    // Names and tokens

    @Test("new names of an address are counted over all its connections")
    func names() {
        var clients = TestClients(limits: .with { $0.nameUses = .perMinute(2) })
        for name in ["a", "b", "c", "d"] {
            clients.connectUngreeted(name, from: name == "d" ? Self.far : .loopback)
        }
        clients.pass(milliseconds: 20)
        clients.forget("a", "b", "c", "d")
        for name in ["a", "b"] {
            _ = clients.received(name)
            #expect(clients.send(name, "name \(name)")[0].hasPrefix("OK name"))
        }
        let slow = { (seconds: Int) in
            "ERROR slow-down seconds=\(seconds) too many new names from your address, "
                + "try again in \(seconds) s"
        }
        _ = clients.received("c")
        #expect(clients.send("c", "#1 name c") == [slow(30).replacing("ERROR", with: "ERROR #1")])
        _ = clients.received("d")
        #expect(clients.send("d", "name d")[0].hasPrefix("OK name"))
        clients.forget("a", "c")
        clients.pass(milliseconds: 29_500)
        #expect(clients.send("c", "name c") == [slow(1)])
        #expect(clients.send("a", "name a") == ["OK name a \(token(1))"])
        clients.pass(milliseconds: 500)
        #expect(clients.send("c", "name c")[0].hasPrefix("OK name"))
        #expect(clients.lobby.takeLimitsReached() == [.names: 2])
    }

    @Test("a name that is owned is not new: its token opens it, however often")
    func owned() {
        var clients = TestClients(limits: .with { $0.nameUses = .perMinute(1) })
        clients.connectNamed("a")
        clients.send("a", "5")
        for number in 0..<5 {
            clients.join("a\(number)")
            _ = clients.received("a\(number)")
            #expect(
                clients.send("a\(number)", "name a \(token(1))") == ["OK name a \(token(1))"])
        }
    }

    @Test("after too many wrong tokens of an address another must wait; the right one is accepted")
    func tokens() {
        var clients = TestClients(limits: .with { $0.wrongTokens = .perMinute(5) })
        clients.connectNamed("al")
        clients.join("bo")
        clients.join("cy", from: Self.far)
        clients.forget("bo", "cy")
        let wrong =
            "ERROR wrong-token this is not the token of the name, send the right one or choose another name"
        for bad in [token(2), "x", token(1) + "0", token(1).replacing("1", with: "g"), "é"] {
            #expect(clients.send("bo", "name al \(bad)") == [wrong])
        }
        let slow =
            "ERROR slow-down seconds=12 too many wrong tokens from your address, "
            + "try again in 12 s"
        #expect(clients.send("bo", "name al \(token(2))") == [slow])
        #expect(clients.send("al", "name al x") == ["OK name al \(token(1))"])
        #expect(clients.send("cy", "name al \(token(2))") == [wrong])
        #expect(clients.send("bo", "name al \(token(1))") == ["OK name al \(token(1))"])
        #expect(clients.lobby.takeLimitsReached() == [.wrongTokens: 1])
    }

    @Test("a token is read in either case")
    func letterCase() {
        var clients = TestClients(tokens: 9)
        clients.connectNamed("al")
        clients.connect("bo")
        let answer = "OK name al \(token(10))"
        #expect(clients.send("bo", "name al \(token(10).uppercased())")[0] == answer)
        #expect(clients.send("bo", "name AL") == [answer])
    }

    @Test("an address without a connection is forgotten when its buckets are full")
    func forgetting() {
        var clients = TestClients(
            limits: .with {
                $0.connectionsPerAddress = 3
                $0.nameUses = .perMinute(20)
            })
        for number in 0..<50 {
            let name = "v\(number)"
            clients.connectUngreeted(name, from: PeerAddress(version4: UInt32(number) << 8))
            if number % 2 == 0 { clients.send(name, "name \(name)") }
        }
        #expect(clients.lobby.knownAddressCount == 100)
        for number in 0..<49 { clients.lose("v\(number)") }
        #expect(clients.lobby.knownAddressCount == 52)
        clients.stall(milliseconds: 61_000)
        clients.wake()
        #expect(clients.lobby.knownAddressCount == 2)
        clients.lose("v49")
        #expect(clients.lobby.knownAddressCount == 0)
    }

    @Test("the same holds if the connections of an address are not counted")
    func forgettingUncounted() {
        var clients = TestClients(limits: .with { $0.nameUses = .perMinute(20) })
        clients.connectUngreeted("al", from: Self.far)
        clients.send("al", "name al")
        #expect(clients.lobby.knownAddressCount == 2)
        clients.lose("al")
        clients.stall(milliseconds: 61_000)
        clients.wake()
        #expect(clients.lobby.knownAddressCount == 0)
    }
}

extension Limits {
    fileprivate mutating func set(_ lines: Int, _ names: Int) {
        setLines(perSecond: lines)
        setNames(perMinute: names)
    }
}
