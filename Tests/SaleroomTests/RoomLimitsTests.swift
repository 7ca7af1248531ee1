import Addresses
import AuctionRules
import Saleroom
import Testing
import Wire

@Suite struct RoomLimitsTests {
    private static let full = "ERROR full too many are connected, try again later"
    private static let addressFull =
        "ERROR full too many connections come from your address, close one of them first"
    private static let far = PeerAddress(version4: 0xC000_0201)

    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits.none
        change(&limits)
        return limits
    }

    // Connections

    @Test("past the limit a newcomer hears that it is full, and one who goes makes room")
    func full() {
        var visitors = Visitors(limits: limits { $0.connections = 2 })
        visitors.join("a")
        visitors.join("b")
        for name in ["a", "b"] { visitors.say(name, "ping") }
        visitors.arrive("c")
        #expect(visitors.hear("c") == [Self.full, "BYE full"])
        #expect(visitors.closed == ["c"])
        visitors.vanish("a")
        visitors.arrive("d")
        visitors.pass(milliseconds: 20)
        #expect(visitors.hear("d").first?.hasPrefix("HELLO") == true)
        #expect(visitors.room.takeLimitsReached() == [.full: 1])
        #expect(visitors.room.takeLimitsReached() == [:])
    }

    @Test("the limit of an address is its own, and this machine has none")
    func addressFull() {
        var visitors = Visitors(limits: limits { $0.connectionsPerAddress = 2 })
        for name in ["a", "b", "c"] { visitors.arrive(name, from: Self.far) }
        #expect(visitors.hear("c") == [Self.addressFull, "BYE full"])
        visitors.arrive("d", from: PeerAddress(version4: 0xC000_0202))
        for name in ["e", "f", "g"] { visitors.arrive(name) }
        for name in ["h", "i", "j"] { visitors.arrive(name, from: .local) }
        #expect(visitors.closed == ["c"])
        visitors.vanish("a")
        visitors.arrive("k", from: Self.far)
        #expect(visitors.closed == ["c"])
        #expect(visitors.room.takeLimitsReached() == [.addressFull: 1])
    }

    @Test("who loses a name to another connection gives a place back too")
    func addressAfterTakingOver() {
        var visitors = Visitors(limits: limits { $0.connectionsPerAddress = 2 })
        visitors.arrive("a", from: Self.far)
        visitors.say("a", "name al")
        visitors.arrive("b", from: Self.far)
        visitors.say("b", "name al \(token(1))")
        #expect(visitors.closed == ["a"])
        visitors.arrive("c", from: Self.far)
        #expect(visitors.closed == ["a"])
        visitors.vanish("b")
        visitors.vanish("c")
        #expect(visitors.room.knownAddressCount == 0)
    }

    @Test("an IPv6 network of 64 bits is one address")
    func network() {
        var visitors = Visitors(limits: limits { $0.connectionsPerAddress = 1 })
        visitors.arrive("a", from: PeerAddress(high: 7, low: 1))
        visitors.arrive("b", from: PeerAddress(high: 7, low: 2))
        visitors.arrive("c", from: PeerAddress(high: 8, low: 1))
        #expect(visitors.closed == ["b"])
    }

    // Lines

    private static let lines = TokenBucket.Rate(50, per: .seconds(1), burst: 4)

    private static let said: [(said: [UInt8], lines: Int)] = [
        (Array("ping\n".utf8), 1), (Array("\n".utf8), 1), (Array("nonsense\r\n".utf8), 1),
        ([255, 253, 1], 1), ([255, 241], 0), (Array("part".utf8), 0),
        ([UInt8](repeating: 120, count: 1024 * 3) + [10], 3),
        ([UInt8](repeating: 241, count: 1024).flatMap { [255, $0] }, 2),
    ]

    @Test("lines, negotiations and bytes that come to nothing count", arguments: said)
    func counts(said: [UInt8], lines: Int) {
        var visitors = Visitors(limits: limits { $0.lines = Self.lines })
        visitors.join("al")
        visitors.send("al", said)
        let pings = Array(String(repeating: "ping\n", count: 9).utf8)
        #expect(visitors.take("al", pings) == 5 * (4 - lines))
    }

    @Test("what is over is taken when it is due, in order, and nobody is refused")
    func due() {
        var visitors = Visitors(limits: limits { $0.lines = Self.lines })
        visitors.join("al")
        _ = visitors.hear("al")
        var rest = (1...12).map { "#\($0) ping\n" }.joined().utf8[...]
        var times: [Int64] = []
        while !rest.isEmpty {
            let taken = visitors.take("al", Array(rest))
            rest = rest.dropFirst(taken)
            guard let due = visitors.due("al"), !rest.isEmpty else { break }
            times.append(visitors.milliseconds(to: due))
            visitors.pass(milliseconds: times[times.count - 1])
        }
        // The 4 of a burst, and then the 4 that a bucket holds, each due after 20 ms.
        #expect(times == [80, 80])
        #expect(visitors.hear("al") == (1...12).map { "OK #\($0) ping" })
        #expect(visitors.room.takeLimitsReached() == [:])
    }

    @Test("one who waits keeps nobody else waiting")
    func others() {
        var visitors = Visitors(limits: limits { $0.lines = Self.lines })
        visitors.join("al")
        visitors.join("bo")
        _ = visitors.hear("bo")
        #expect(visitors.take("al", Array(String(repeating: "\n", count: 99).utf8)) == 4)
        #expect(visitors.say("bo", "ping") == ["OK ping"])
    }

    // Lines without an end

    private static let idle: [(said: [UInt8], closes: Bool)] = [
        (Array("bid 1".utf8), true), ([255, 250, 1], true), (Array("bid 1\r".utf8), true),
        ([UInt8](repeating: 120, count: 2000), true),
        ([], false), (Array("ping\n".utf8), false), ([255, 253, 1], false),
        ([UInt8](repeating: 120, count: 2000) + [10], false),
    ]

    @Test("who has a line under way for 30 seconds is sent away", arguments: idle)
    func unfinished(said: [UInt8], closes: Bool) {
        var visitors = Visitors(limits: limits { $0.lineTime = .seconds(30) })
        visitors.join("al")
        visitors.send("al", said)
        visitors.pass(milliseconds: 29_999)
        #expect(visitors.closed.isEmpty)
        visitors.pass(milliseconds: 1)
        #expect(visitors.closed == (closes ? ["al"] : []))
        if closes { #expect(visitors.hear("al").last == "BYE idle") }
        visitors.pass(milliseconds: 600_000)
        #expect(visitors.closed == (closes ? ["al"] : []))
    }

    @Test("the time counts from the beginning of the line that is under way, byte by byte")
    func byteByByte() {
        var visitors = Visitors(limits: limits { $0.lineTime = .seconds(30) })
        visitors.join("al")
        visitors.send("al", Array("pi".utf8))
        visitors.pass(milliseconds: 20_000)
        visitors.send("al", Array("ng\np".utf8))
        for _ in 0..<29 {
            visitors.pass(milliseconds: 1000)
            visitors.send("al", Array("x".utf8))
        }
        #expect(visitors.closed.isEmpty)
        visitors.pass(milliseconds: 1000)
        #expect(visitors.closed == ["al"])
    }

    @Test("whom we do not read is not sent away, but for a line that is too long anyway")
    func unread() {
        var visitors = Visitors(limits: limits { $0.lineTime = .seconds(30) })
        visitors.join("al")
        visitors.join("bo")
        visitors.send("al", Array("bid 1".utf8))
        visitors.send("bo", [UInt8](repeating: 120, count: 2000))
        visitors.unread = ["al", "bo"]
        visitors.pass(milliseconds: 45_000)
        #expect(visitors.closed == ["bo"])
        visitors.unread = []
        visitors.pass(milliseconds: 30_000)
        #expect(visitors.closed == ["bo", "al"])
    }

    // Names and tokens

    @Test("new names of an address are counted, on whichever connection")
    func names() {
        var visitors = Visitors(
            limits: limits { $0.claims = TokenBucket.Rate(2, per: .seconds(60), burst: 2) })
        for name in ["a", "b", "c", "d"] {
            visitors.arrive(name, from: name == "d" ? Self.far : .loopback)
        }
        visitors.pass(milliseconds: 20)
        for name in ["a", "b", "c", "d"] { _ = visitors.hear(name) }
        for name in ["a", "b"] {
            _ = visitors.hear(name)
            #expect(visitors.say(name, "name \(name)")[0].hasPrefix("OK name"))
        }
        let slow = { (seconds: Int) in
            "ERROR slow-down seconds=\(seconds) too many new names from your address, "
                + "wait so long before the next"
        }
        _ = visitors.hear("c")
        #expect(visitors.say("c", "#1 name c") == [slow(30).replacing("ERROR", with: "ERROR #1")])
        _ = visitors.hear("d")
        #expect(visitors.say("d", "name d")[0].hasPrefix("OK name"))
        _ = visitors.hear("a")
        _ = visitors.hear("c")
        visitors.pass(milliseconds: 29_500)
        #expect(visitors.say("c", "name c") == [slow(1)])
        #expect(visitors.say("a", "name a") == ["OK name a \(token(1))"])
        visitors.pass(milliseconds: 500)
        #expect(visitors.say("c", "name c")[0].hasPrefix("OK name"))
        #expect(visitors.room.takeLimitsReached() == [.names: 2])
    }

    @Test("a name that is owned is not new: its token opens it, however often")
    func owned() {
        var visitors = Visitors(
            limits: limits { $0.claims = TokenBucket.Rate(1, per: .seconds(60), burst: 1) })
        visitors.joinNamed("a")
        visitors.say("a", "5")
        for number in 0..<5 {
            visitors.join("a\(number)")
            _ = visitors.hear("a\(number)")
            #expect(
                visitors.say("a\(number)", "name a \(token(1))") == ["OK name a \(token(1))"])
        }
    }

    @Test("after too many wrong tokens of an address another has to wait, and the right one passes")
    func tokens() {
        var visitors = Visitors(
            limits: limits { $0.wrongTokens = TokenBucket.Rate(5, per: .seconds(60), burst: 5) })
        visitors.joinNamed("al")
        visitors.join("bo")
        visitors.join("cy", from: Self.far)
        _ = visitors.hear("bo")
        _ = visitors.hear("cy")
        let wrong = "ERROR wrong-token this token does not open the name, choose another name"
        for bad in [token(2), "x", token(1) + "0", token(1).replacing("1", with: "g"), "é"] {
            #expect(visitors.say("bo", "name al \(bad)") == [wrong])
        }
        let slow =
            "ERROR slow-down seconds=12 too many wrong tokens from your address, "
            + "wait so long before the next"
        #expect(visitors.say("bo", "name al \(token(2))") == [slow])
        #expect(visitors.say("al", "name al x") == ["OK name al \(token(1))"])
        #expect(visitors.say("cy", "name al \(token(2))") == [wrong])
        #expect(visitors.say("bo", "name al \(token(1))") == ["OK name al \(token(1))"])
        #expect(visitors.room.takeLimitsReached() == [.wrongTokens: 1])
    }

    @Test("a token is read in either case")
    func letterCase() {
        var visitors = Visitors(tokens: 9)
        visitors.joinNamed("al")
        visitors.join("bo")
        _ = visitors.hear("bo")
        #expect(visitors.say("bo", "name al \(token(10).uppercased())")[0].hasPrefix("OK name"))
    }

    @Test("of addresses without a connection nothing is known once their buckets are full")
    func forgetting() {
        var visitors = Visitors(
            limits: limits {
                $0.connectionsPerAddress = 3
                $0.claims = TokenBucket.Rate(20, per: .seconds(60), burst: 20)
            })
        for number in 0..<50 {
            let name = "v\(number)"
            visitors.arrive(name, from: PeerAddress(version4: UInt32(number) << 8))
            if number % 2 == 0 { visitors.say(name, "name \(name)") }
        }
        #expect(visitors.room.knownAddressCount == 100)
        for number in 0..<49 { visitors.vanish("v\(number)") }
        #expect(visitors.room.knownAddressCount == 52)
        visitors.stall(milliseconds: 61_000)
        visitors.wake()
        #expect(visitors.room.knownAddressCount == 2)
        visitors.vanish("v49")
        #expect(visitors.room.knownAddressCount == 0)
    }

    @Test("nor where the connections of an address are not counted")
    func forgettingUncounted() {
        var visitors = Visitors(
            limits: limits { $0.claims = TokenBucket.Rate(20, per: .seconds(60), burst: 20) })
        visitors.arrive("al", from: Self.far)
        visitors.say("al", "name al")
        #expect(visitors.room.knownAddressCount == 2)
        visitors.vanish("al")
        visitors.stall(milliseconds: 61_000)
        visitors.wake()
        #expect(visitors.room.knownAddressCount == 0)
    }
}
