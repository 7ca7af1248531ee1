import Addresses
import AuctionRules
import Saleroom
import Testing
import Wire

/// What strangers may do from one address, and from the networks around it.
@Suite struct RoomNetworksTests {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits.none
        change(&limits)
        return limits
    }

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

        /// How many times as much as one address they may do together.
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
        var visitors = Visitors(limits: limits { $0.connectionsPerAddress = 1 })
        for number in 0..<100 {
            visitors.arrive("v\(number)", from: Self.addresses(kind)(number))
        }
        #expect(visitors.closed.count == 100 - min(kind.factor, 100))
    }

    @Test("what is remembered of networks is bounded, however many there are")
    func bounded() {
        var visitors = Visitors(
            limits: limits { $0.connects = TokenBucket.Rate(600, per: .seconds(60), burst: 600) })
        for number in 0..<10_000 {
            visitors.arrive("v\(number)", from: Self.addresses(.apart6)(number))
            visitors.vanish("v\(number)")
        }
        #expect((16_000...16_384).contains(visitors.room.knownAddressCount))
    }

    @Test("wider networks have larger allowances of new names", arguments: Kind.allCases)
    func names(kind: Kind) {
        var visitors = Visitors(
            limits: limits { $0.claims = TokenBucket.Rate(1, per: .seconds(60), burst: 1) })
        var named = 0
        for number in 0..<100 {
            let name = "v\(number)"
            visitors.arrive(name, from: Self.addresses(kind)(number))
            visitors.say(name, "ping")
            if visitors.say(name, "name \(name)")[0].hasPrefix("OK") { named += 1 }
        }
        #expect(named == min(kind.factor, 100))
    }

    @Test("connections that wait for new names get no more than the networks around them may")
    func waitingNames() {
        var visitors = Visitors(
            limits: limits { $0.claims = TokenBucket.Rate(1, per: .seconds(60), burst: 1) })
        var unnamed = (0..<32).map { "v\($0)" }
        for (number, name) in unnamed.enumerated() {
            visitors.arrive(name, from: Self.addresses(.sameSite6)(number % 16))
            visitors.say(name, "ping")
        }
        var counts: [Int] = []
        for _ in 0...3 {
            let before = unnamed.count
            for _ in 0..<60 {
                unnamed.removeAll { name in
                    visitors.say(name, "name \(name)").contains { $0.hasPrefix("OK") }
                }
                visitors.pass(milliseconds: 1000)
            }
            counts.append(before - unnamed.count)
        }
        // A site has 8 at once, and 8 in each minute.
        #expect(counts == [15, 8, 8, 1])
    }

    @Test("a network without a name left serves its addresses in the order of their requests")
    func siteTurns() {
        var visitors = Visitors(
            limits: limits { $0.claims = TokenBucket.Rate(1, per: .seconds(60), burst: 1) })
        for number in 0..<11 {
            visitors.arrive("v\(number)", from: Self.addresses(.sameSite4)(number))
            visitors.say("v\(number)", "ping")
        }
        for number in 0..<8 { visitors.say("v\(number)", "name v\(number)") }
        /// Whether the answer to a visitor who asks for a name begins so.
        func isAnswered(_ name: String, _ beginning: String) -> Bool {
            visitors.say(name, "name \(name)").contains { $0.hasPrefix(beginning) }
        }
        for (name, seconds) in [("v8", 8), ("v9", 15), ("v10", 23)] {
            #expect(isAnswered(name, "ERROR slow-down seconds=\(seconds) "))
        }
        visitors.pass(milliseconds: 15_000)
        #expect(isAnswered("v10", "ERROR slow-down seconds=8 "))
        #expect(isAnswered("v9", "OK name v9"))
        #expect(isAnswered("v8", "OK name v8"))
    }

    // New connections

    private static let connects: [(milliseconds: Int64, answer: String)] = [
        (0, "HELLO"), (0, "HELLO"), (0, "ERROR slow-down seconds=30"),
        (29_000, "ERROR slow-down seconds=1"), (1000, "HELLO"), (60_000, "HELLO"),
    ]

    @Test("connections of an address come so often, however soon they go")
    func connects() {
        var visitors = Visitors(
            limits: limits { $0.connects = TokenBucket.Rate(2, per: .seconds(60), burst: 2) })
        for (number, step) in Self.connects.enumerated() {
            visitors.pass(milliseconds: step.milliseconds)
            let name = "v\(number)"
            visitors.arrive(name, from: PeerAddress(version4: 0xC000_0201))
            visitors.send(name, Array("ping\n".utf8))
            #expect(visitors.hear(name).first?.hasPrefix(step.answer) == true)
            visitors.vanish(name)
        }
        for number in 0..<9 { visitors.arrive("l\(number)") }
        #expect(visitors.closed.count == 2)
        #expect(visitors.room.takeLimitsReached() == [.connects: 2])
    }

    // Lines

    private static let far = PeerAddress(version4: 0xC000_0201)
    private static let pings = Array(String(repeating: "ping\n", count: 99).utf8)
    private static let lines = TokenBucket.Rate(10, per: .seconds(1), burst: 20)

    @Test("the lines of an address are counted over all its connections, others and we are exempt")
    func lines() {
        var visitors = Visitors(limits: limits { $0.addressLines = Self.lines })
        for name in ["a", "b", "c"] { visitors.join(name, from: Self.far) }
        visitors.join("d", from: PeerAddress(version4: 0xC000_0202))
        visitors.join("e")
        visitors.join("f", from: .local)
        #expect(visitors.take("a", Self.pings) == 5 * 8)
        #expect(visitors.take("b", Self.pings) == 5 * 4)
        #expect(visitors.take("d", Self.pings) == 5 * 8)
        #expect(visitors.take("e", Self.pings) == Self.pings.count)
        #expect(visitors.take("f", Self.pings) == Self.pings.count)
    }

    @Test("those of one address who wait are heard one after the other, each in its turn")
    func turns() {
        var visitors = Visitors(limits: limits { $0.addressLines = Self.lines })
        let names = ["a", "b", "c", "d"]
        for name in names { visitors.join(name, from: Self.far) }
        var rests = [String: Int]()
        for name in names { rests[name] = visitors.take(name, Self.pings) / 5 }
        // A burst of 20 was there; 8 lines were set aside for each as it had to wait.
        #expect(names.map { rests[$0] } == [8, 4, 0, 0])
        var heard: [String] = []
        for _ in 0..<12 {
            let due = names.map { name in (visitors.due(name) ?? visitors.now, name) }
            guard let (next, name) = due.min(by: { $0.0 < $1.0 }) else { break }
            visitors.pass(milliseconds: visitors.milliseconds(to: next))
            heard.append(name)
            #expect(visitors.take(name, Self.pings) == 5 * 8)
        }
        #expect(
            Set(heard.prefix(4)) == Set(names) && Set(heard.dropFirst(4).prefix(4)) == Set(names))
        // 12 lines and 12 times 8, less a burst of 20, at 10 a second.
        #expect(visitors.milliseconds(to: Instant(nanoseconds: 0)) <= -8800)
    }

    @Test("one who has waited and says less gives back the rest")
    func givenBack() {
        var visitors = Visitors(limits: limits { $0.addressLines = Self.lines })
        visitors.join("a", from: Self.far)
        visitors.join("b", from: Self.far)
        for _ in 0..<3 { _ = visitors.take("a", Array(Self.pings.prefix(5 * 8))) }
        #expect(visitors.take("b", Self.pings) == 0)
        visitors.pass(milliseconds: 10_000)
        #expect(visitors.take("b", Array(Self.pings.prefix(5))) == 5)
        #expect(visitors.take("a", Self.pings) == 5 * 8)
        #expect(visitors.take("b", Self.pings) == 5 * 8)
    }

    // Tokens

    @Test("who says too many wrong tokens in a row is sent away, and a right one ends the row")
    func guesses() {
        var visitors = Visitors(limits: limits { $0.wrongTokensInRow = 3 })
        visitors.preside()
        visitors.joinNamed("al")
        visitors.join("bo")
        for _ in 0..<2 { visitors.say("bo", "name al x") }
        visitors.say("bo", "auctioneer \(String.auctioneerToken)")
        for _ in 0..<2 { visitors.say("bo", "auctioneer x") }
        #expect(visitors.closed.isEmpty)
        #expect(
            visitors.say("bo", "name al x") == [
                "ERROR wrong-token this token does not open the name, choose another name",
                "BYE wrong-token",
            ])
        #expect(visitors.closed == ["bo"])
    }

    @Test("where the auctioneer is local, a token is answered alike elsewhere, right or wrong")
    func local() {
        var visitors = Visitors()
        visitors.room.auctioneerToken = .test
        visitors.room.isAuctioneerLocal = true
        visitors.join("al", from: Self.far)
        visitors.join("bo")
        visitors.join("cy", from: .local)
        for name in ["al", "bo"] {
            _ = visitors.hear(name)
            for token in [String.auctioneerToken, "x"] {
                #expect(
                    visitors.say(name, "auctioneer \(token)") == [
                        "ERROR not-auctioneer the auctioneer's token counts on the server's "
                            + "Unix socket alone"
                    ])
            }
        }
        _ = visitors.hear("cy")
        #expect(visitors.say("cy", "auctioneer \(String.auctioneerToken)") == ["OK auctioneer"])
    }
}
