import Addresses
import AuctionRules
import Saleroom
import Testing
import Wire

/// Who gets in where all places are taken, and who has to wait.
@Suite struct RoomAdmissionTests {
    private static let full = "ERROR full too many are connected, try again later"

    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits.none
        change(&limits)
        return limits
    }

    /// A room with places for two, and two in reserve, one of them local: al owns a name, who is gone, and a and b are
    /// there and have said a line each.
    private func crowded(saying line: String = "ping") -> Visitors {
        var visitors = Visitors(
            limits: limits { ($0.connections, $0.reserve) = (2, 2) })
        visitors.preside()
        visitors.joinNamed("al")
        visitors.say("al", "5")
        visitors.vanish("al")
        visitors.vanish("boss")
        for name in ["a", "b"] {
            visitors.join(name)
            visitors.say(name, line)
        }
        visitors.pass(milliseconds: 10_000)
        return visitors
    }

    @Test("the connection makes room that was silent for longest, and never one with a name")
    func silent() {
        var visitors = Visitors(limits: limits { $0.connections = 4 })
        visitors.joinNamed("al")
        visitors.join("a")
        visitors.join("b")
        visitors.join("c")
        visitors.say("a", "ping")
        for name in ["b", "c", "d"] { _ = visitors.hear(name) }
        visitors.pass(milliseconds: 10_000)
        visitors.join("d")
        #expect(visitors.closed == ["b"])
        #expect(visitors.hear("b").last == "BYE full")
        #expect(visitors.hear("d").first?.hasPrefix("HELLO") == true)
        visitors.join("e")
        visitors.join("f")
        #expect(visitors.closed == ["b", "c", "d"])
        #expect(visitors.room.takeLimitsReached() == [.silent: 3])
    }

    @Test("a newcomer has two seconds to say something, as long as there is a place in reserve")
    func patience() {
        var visitors = crowded()
        visitors.vanish("a")
        visitors.join("c")
        visitors.join("d")
        #expect(visitors.closed == [])
        visitors.pass(milliseconds: 2000)
        visitors.join("e")
        #expect(visitors.closed == ["c"])
    }

    private static let proofs = ["name al \(token(1))", "auctioneer \(String.auctioneerToken)"]

    @Test("who proves a token with the first line is let in", arguments: proofs)
    func proof(line: String) {
        var visitors = crowded()
        visitors.arrive("c")
        visitors.send("c", Array("\(line)\nping\n".utf8))
        #expect(visitors.hear("c").contains("OK ping"))
        #expect(visitors.closed == [])
        // The reserve is taken now.
        visitors.arrive("d")
        #expect(visitors.hear("d") == [Self.full, "BYE full"])
    }

    private static let clients = [
        ["#1 format json", "#2 name al \(token(1))"],
        ["format json", "status", "name al \(token(1))"],
    ]

    @Test("a client may choose its format and ask for the snapshot first", arguments: clients)
    func preliminaries(lines: [String]) {
        var visitors = crowded()
        visitors.arrive("c")
        for line in lines.dropLast() {
            #expect(visitors.say("c", line).contains { $0.lowercased().contains("ok") })
        }
        #expect(visitors.say("c", lines.last ?? "").contains { $0.contains(token(1)) })
        #expect(visitors.closed == [])
    }

    @Test(
        "a client that sends nothing but such lines is closed",
        arguments: ["format json", "status"])
    func onlyPreliminaries(line: String) {
        var visitors = crowded()
        visitors.arrive("c")
        for _ in 0..<4 { visitors.say("c", line) }
        #expect(visitors.closed == [])
        visitors.say("c", line)
        #expect(visitors.closed == ["c"])
    }

    @Test("a client that has sent only such lines makes room as a silent one does")
    func silentPreliminaries() {
        var visitors = crowded()
        visitors.arrive("c")
        visitors.say("c", "format text")
        visitors.arrive("d")
        #expect(visitors.closed == ["c"])
    }

    @Test("a right token of a name that is refused does not keep the place")
    func refusedProof() {
        for isKicked in [false, true] {
            var visitors = Visitors(
                limits: limits {
                    ($0.connections, $0.reserve) = (2, 2)
                    $0.openings = TokenBucket.Rate(1, per: .seconds(60), burst: 1)
                    $0.kick = .seconds(600)
                })
            visitors.preside()
            visitors.joinNamed("al")
            visitors.say("al", "5")
            if isKicked { visitors.say("boss", "kick al why") } else { visitors.vanish("al") }
            if !isKicked {
                visitors.join("al")
                visitors.say("al", "name al \(token(1))")
                visitors.vanish("al")
            }
            visitors.join("b")
            visitors.say("b", "ping")
            visitors.arrive("c")
            let heard = visitors.say("c", "name al \(token(1))").suffix(2)
            #expect(heard.first?.hasPrefix(isKicked ? "ERROR kicked" : "ERROR slow-down") == true)
            #expect(heard.last == "BYE full")
            visitors.arrive("d")
            #expect(visitors.closed.suffix(1) == ["c"])
        }
    }

    private static let others = [
        "ping", "name zoe", "name zoe \(token(1))", "name al", "name al \(token(2))",
        "auctioneer x",
        "nonsense", "", String(repeating: "x", count: 2000),
    ]

    @Test("who says anything else hears that it is full", arguments: others)
    func noProof(line: String) {
        var visitors = crowded()
        visitors.arrive("c")
        visitors.send("c", Array("\(line)\n".utf8))
        #expect(visitors.hear("c").suffix(2) == [Self.full, "BYE full"])
        visitors.arrive("d")
        #expect(visitors.closed == ["c"])
    }

    @Test("the Unix socket needs no proof")
    func local() {
        var visitors = crowded()
        visitors.arrive("c", from: .local)
        #expect(visitors.say("c", "ping").last == "OK ping")
    }

    @Test("clients that prove tokens leave a quarter of the reserve to the Unix socket")
    func localShare() {
        var visitors = Visitors(
            limits: limits { ($0.connections, $0.reserve) = (1, 8) })
        for number in 1...8 {
            visitors.joinNamed("n\(number)")
            visitors.say("n\(number)", "\(number)")
            visitors.vanish("n\(number)")
        }
        visitors.join("a")
        visitors.say("a", "ping")
        for number in 1...8 {
            visitors.arrive("n\(number)")
            visitors.say("n\(number)", "name n\(number) \(token(number))")
        }
        #expect(visitors.closed == ["n7", "n8"])
        for name in ["c", "d", "e"] { visitors.arrive(name, from: .local) }
        #expect(visitors.say("c", "ping").last == "OK ping")
        #expect(visitors.closed == ["n7", "n8", "e"])
        visitors.vanish("d")
        visitors.arrive("f", from: .local)
        #expect(visitors.say("f", "ping").last == "OK ping")
    }

    @Test("silent ones in reserve make room too, so that nobody keeps it")
    func silentReserve() {
        var visitors = crowded()
        for number in 0..<9 { visitors.arrive("s\(number)") }
        #expect(visitors.closed.count == 8)
        visitors.arrive("c")
        visitors.send("c", Array("name al \(token(1))\n".utf8))
        #expect(visitors.hear("c").contains("OK name al \(token(1))"))
    }

    @Test("those who speak take the places of the silent, and never those in reserve")
    func talkers() {
        var visitors = Visitors(
            limits: limits { ($0.connections, $0.reserve) = (2, 2) })
        visitors.joinNamed("al")
        visitors.say("al", "5")
        visitors.vanish("al")
        for name in ["a", "b", "c"] { visitors.join(name) }
        visitors.pass(milliseconds: 10_000)
        var answers: [String?] = []
        for number in 0..<5 {
            visitors.arrive("t\(number)")
            answers.append(visitors.say("t\(number)", "ping").last)
        }
        #expect(answers == ["OK ping", "OK ping", "BYE full", "BYE full", "BYE full"])
        visitors.arrive("al2")
        #expect(visitors.say("al2", "name al \(token(1))").contains("OK name al \(token(1))"))
    }

    @Test("when a place is free again, a connection on trial may say anything")
    func free() {
        var visitors = crowded()
        visitors.arrive("c")
        visitors.vanish("a")
        #expect(visitors.say("c", "ping").last == "OK ping")
    }

    // New names of one address

    private static let far = PeerAddress(version4: 0xC000_0201)

    private func slow(_ seconds: Int) -> String {
        "ERROR slow-down seconds=\(seconds) too many new names from your address, "
            + "wait so long before the next"
    }

    /// Three of an address where one name a minute is left, and nobody has one.
    private func waiting() -> Visitors {
        var visitors = Visitors(
            limits: limits { $0.claims = TokenBucket.Rate(1, per: .seconds(60), burst: 1) })
        for name in ["z", "a", "b"] { visitors.join(name, from: Self.far) }
        visitors.say("z", "name z")
        for name in ["a", "b"] { _ = visitors.hear(name) }
        return visitors
    }

    @Test("those who wait for a new name have turns, however often another asks")
    func turns() {
        var visitors = waiting()
        #expect(visitors.say("a", "name a") == [slow(60)])
        #expect(visitors.say("b", "name b") == [slow(120)])
        for second in 1..<60 {
            visitors.pass(milliseconds: 1000)
            #expect(visitors.say("a", "name a") == [slow(60 - second)])
        }
        visitors.pass(milliseconds: 1000)
        #expect(visitors.say("a", "name a").first == "OK name a \(token(2))")
        visitors.join("a2", from: Self.far)
        _ = visitors.hear("a2")
        #expect(visitors.say("a2", "name a2") == [slow(120)])
        visitors.pass(milliseconds: 60_000)
        _ = visitors.hear("b")
        #expect(visitors.say("b", "name b").first == "OK name b \(token(3))")
    }

    @Test("who goes gives the turn back, and who comes late has lost it")
    func lost() {
        var visitors = waiting()
        visitors.say("a", "name a")
        visitors.vanish("a")
        #expect(visitors.say("b", "name b") == [slow(60)])
        visitors.pass(milliseconds: 70_000)
        #expect(visitors.say("b", "name b") == [slow(50)])
        visitors.pass(milliseconds: 59_999)
        #expect(visitors.say("b", "name b").first == "OK name b \(token(2))")
    }
}
