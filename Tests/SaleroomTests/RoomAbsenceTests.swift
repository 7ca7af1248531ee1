import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

/// Who leaves and comes back, and how often.
@Suite struct RoomAbsenceTests {
    private static let limits: Limits = {
        var limits = Limits.none
        limits.absence = .seconds(3)
        return limits
    }()

    private static func room(_ limits: Limits = limits) -> Visitors {
        var visitors = Visitors(limits: limits)
        visitors.join("eve")
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "5")
        _ = visitors.hear("eve")
        return visitors
    }

    @Test("LEFT is told after an absence of three seconds, and who lists the name until then")
    func left() {
        var visitors = Self.room()
        visitors.vanish("al")
        visitors.pass(milliseconds: 2999)
        #expect(!visitors.hear("eve").contains("LEFT al"))
        #expect(visitors.say("eve", "who") == ["WHO al", "WHO bo", "OK who 2"])
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("eve").contains("LEFT al"))
        #expect(visitors.say("eve", "who") == ["WHO bo", "OK who 1"])
    }

    @Test("one who comes back before is no news, and keeps the place in who")
    func back() {
        var visitors = Self.room()
        for _ in 0..<5 {
            visitors.vanish("al")
            visitors.pass(milliseconds: 2000)
            visitors.join("al")
            _ = visitors.hear("al")
            #expect(visitors.say("al", "name al \(token(1))") == ["OK name al \(token(1))"])
        }
        visitors.pass(milliseconds: 10_000)
        #expect(!visitors.hear("eve").contains { $0.hasPrefix("LEFT") || $0.hasPrefix("JOINED") })
        #expect(visitors.say("eve", "who") == ["WHO al", "WHO bo", "OK who 2"])
    }

    @Test("the three seconds count from when the connection ended last")
    func awayAgain() {
        var visitors = Self.room()
        visitors.vanish("al")
        visitors.pass(milliseconds: 2000)
        visitors.join("al")
        visitors.say("al", "name al \(token(1))")
        visitors.vanish("al")
        visitors.pass(milliseconds: 2999)
        #expect(!visitors.hear("eve").contains("LEFT al"))
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("eve").contains("LEFT al"))
    }

    @Test("a name without a bid is anybody's at once, and LEFT is told before its new owner joins")
    func unbid() {
        var visitors = Self.room()
        visitors.vanish("bo")
        visitors.pass(milliseconds: 1000)
        _ = visitors.hear("eve")
        #expect(
            visitors.say("eve", "name Bo")
                == ["LEFT bo", "OK name Bo \(token(3))", "JOINED Bo"])
        visitors.pass(milliseconds: 10_000)
        #expect(!visitors.hear("eve").contains { $0.hasPrefix("LEFT") })
    }

    @Test("a name without a bid opens to its token until LEFT is told")
    func unbidBack() {
        var visitors = Self.room()
        visitors.vanish("bo")
        visitors.pass(milliseconds: 1000)
        visitors.join("bo2")
        _ = visitors.hear("bo2")
        #expect(visitors.say("bo2", "name bo \(token(2))") == ["OK name bo \(token(2))"])
        #expect(!visitors.hear("eve").contains { $0.hasPrefix("LEFT") || $0.hasPrefix("JOINED") })
    }

    @Test("after KICKED, LEFT is told at once, to one who is away too", arguments: [false, true])
    func kicked(isAway: Bool) {
        var visitors = Self.room()
        visitors.preside()
        if isAway { visitors.vanish("al") }
        _ = visitors.hear("eve")
        #expect(visitors.say("boss", "kick al why").first == "OK kick")
        #expect(visitors.hear("eve") == ["KICKED al why", "LEFT al"])
        visitors.pass(milliseconds: 10_000)
        #expect(!visitors.hear("eve").contains { $0.hasPrefix("LEFT") })
    }

    @Test("a server that starts again tells LEFT of those who were present, away or not")
    func crash() {
        var visitors = Self.room()
        visitors.vanish("al")
        var recovered = SaleReplay()
        for line in visitors.journal {
            let isTaken = recovered.replay(line.record, number: line.number)
            #expect(isTaken)
        }
        var state = SaleReplay()
        let lines = visitors.room.state
        let isBegun = state.beginSegment(first: visitors.seqs.count + 1, state: lines.count)
        #expect(isBegun)
        for line in lines {
            let isTaken = state.replay(line.record, number: line.number)
            #expect(isTaken)
        }
        for recovered in [recovered, state] {
            let after = Visitors(limits: Self.limits, resuming: recovered)
            let words = after.journal.filter { $0.number != nil }.map { $0.record.text }
            #expect(words.prefix(2) == ["LEFT al", "LEFT bo"])
        }
    }

    // How often

    private static let openings: [(milliseconds: Int64, isOpened: Bool, wait: Int)] = [
        (0, true, 0), (0, true, 0), (0, false, 30), (29_000, false, 1), (1000, true, 0),
        (0, false, 30), (60_000, true, 0), (0, true, 0), (0, false, 30),
    ]

    @Test("a name is opened so often, and then when it is due")
    func often() {
        var limits = Self.limits
        limits.openings = TokenBucket.Rate(2, per: .seconds(60), burst: 2)
        var visitors = Self.room(limits)
        for (number, step) in Self.openings.enumerated() {
            visitors.pass(milliseconds: step.milliseconds)
            let name = "v\(number)"
            visitors.arrive(name)
            visitors.say(name, "ping")
            let answer = visitors.say(name, "name al \(token(1))").first
            #expect(
                answer
                    == (step.isOpened
                        ? "OK name al \(token(1))"
                        : "ERROR slow-down seconds=\(step.wait) names were opened too often, "
                            + "wait so long before the next time"))
        }
        #expect(visitors.room.takeLimitsReached() == [.openings: 4])
    }

    @Test("the names of one address are opened ten times as often, and a rested one always opens")
    func address() {
        var limits = Self.limits
        limits.openings = TokenBucket.Rate(4, per: .seconds(60), burst: 4)
        var visitors = Visitors(limits: limits)
        let names = (1...21).map { "n\($0)" }
        for (number, name) in names.enumerated() {
            visitors.joinNamed(name)
            visitors.say(name, "\(number + 1)")
        }
        var opened = 0
        for round in 0..<3 {
            for (number, name) in names.enumerated() where round == 0 || number < 20 {
                visitors.arrive("v")
                visitors.say("v", "ping")
                if visitors.say("v", "name \(name) \(token(number + 1))")[0].hasPrefix("OK") {
                    opened += 1
                }
                visitors.vanish("v")
            }
        }
        // Each once, as none was opened before; of the others as many as the address has left.
        #expect(opened == 21 + 19)
    }
}
