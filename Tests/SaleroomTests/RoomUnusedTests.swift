import Addresses
import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

/// How many names are owned, and for how long.
@Suite struct RoomUnusedTests {
    private static let day: Int64 = 86_400_000

    private static func limits(names: Int? = nil, days: Int? = nil) -> Limits {
        var limits = Limits.none
        limits.names = names
        limits.nameAge = days.map { .seconds($0 * 86_400) }
        return limits
    }

    /// A room in which the first lot is over for those named, each of whom has bid and left.
    private static func room(_ limits: Limits, _ names: String...) -> Visitors {
        var visitors = Visitors(Rules(seconds: 7), limits: limits)
        visitors.join("eve")
        for (number, name) in names.enumerated() {
            visitors.joinNamed(name)
            visitors.say(name, "\(number + 1)")
            visitors.vanish(name)
        }
        visitors.pass(milliseconds: 12_000)
        _ = visitors.hear("eve")
        return visitors
    }

    private static let full =
        "ERROR full too many names are owned, use one that you own or try again later"

    /// What a newcomer is told who asks for a name after so many milliseconds.
    private static func answer(
        _ visitors: Visitors, to name: String = "zoe", after milliseconds: Int64
    ) -> String {
        var visitors = visitors
        visitors.pass(milliseconds: milliseconds)
        visitors.join("zoe")
        _ = visitors.hear("zoe")
        return visitors.say("zoe", "name \(name)").first ?? ""
    }

    @Test("a house filled from many networks lets newcomers in after ten minutes")
    func filledHouse() {
        var limits = Limits()
        limits.names = 100
        var visitors = Visitors(Rules(seconds: 7), limits: limits)
        func join(_ name: String, network: Int) -> String {
            let address = PeerAddress(version4: 0x0A00_0001 | UInt32(network) << 8)
            visitors.join(name, from: address)
            _ = visitors.hear(name)
            return visitors.say(name, "name \(name)").first ?? ""
        }
        for number in 1...100 {
            _ = join("b\(number)", network: number)
            visitors.say("b\(number)", "\(number)")
            visitors.vanish("b\(number)")
        }
        // The owner of the first name counts as present for three seconds after it left.
        visitors.pass(milliseconds: 600_000)
        #expect(join("late", network: 101) == Self.full)
        visitors.pass(milliseconds: 3_000)
        for number in 1...100 {
            #expect(join("n\(number)", network: 101 + number).hasPrefix("OK name n\(number) "))
        }
        #expect(join("full", network: 202) == Self.full)
    }

    @Test("at the limit a new name is refused until another is ten minutes unused")
    func full() {
        var visitors = Self.room(Self.limits(names: 2), "al", "bo")
        #expect(visitors.say("eve", "name eve") == [Self.full])
        #expect(visitors.room.takeLimitsReached() == [.namesFull: 1])
        visitors.pass(milliseconds: 600_000)
        _ = visitors.hear("eve")
        #expect(visitors.say("eve", "name eve").first == "OK name eve \(token(3))")
        // The one that was unused for longest made room, and the other is still owned.
        #expect(Self.answer(visitors, to: "bo", after: 0).hasPrefix("ERROR name-taken"))
        #expect(Self.answer(visitors, to: "al", after: 0) == "OK name al \(token(4))")
    }

    @Test("a name that bid outlives one that did not")
    func neverBid() {
        var visitors = Self.room(Self.limits(names: 2), "al")
        visitors.joinNamed("bo")
        visitors.pass(milliseconds: 3_600_000)
        visitors.vanish("bo")
        visitors.join("zoe")
        _ = visitors.hear("zoe")
        #expect(visitors.say("zoe", "name zoe").first?.hasPrefix("OK name zoe") == true)
        #expect(visitors.say("eve", "name al").last?.hasPrefix("ERROR name-taken") == true)
    }

    @Test("a name with a connection never makes room, whether it bid or not")
    func connected() {
        var visitors = Visitors(limits: Self.limits(names: 2))
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "1")
        visitors.pass(milliseconds: 20_000)
        #expect(Self.answer(visitors, after: 100 * Self.day) == Self.full)
    }

    @Test("a name that was refused costs nothing of what its address may take")
    func refusedForFree() {
        var limits = Self.limits(names: 2)
        limits.claims = TokenBucket.Rate(3, per: .seconds(60), burst: 3)
        var visitors = Self.room(limits, "al", "bo")
        for _ in 0..<9 { #expect(visitors.say("eve", "name eve") == [Self.full]) }
    }

    @Test("an unused name is free after its days, and not before")
    func days() {
        for (elapsed, isFree) in [(89 * Self.day, false), (90 * Self.day + 20_000, true)] {
            var visitors = Self.room(Self.limits(days: 90), "al")
            visitors.stall(milliseconds: elapsed)
            visitors.wake()
            _ = visitors.hear("eve")
            let answer = visitors.say("eve", "name al").first
            #expect(answer?.hasPrefix(isFree ? "OK name al" : "ERROR name-taken") == true)
        }
    }

    @Test("a name that is present is never free, and its days count from when it left")
    func present() {
        var visitors = Self.room(Self.limits(days: 90), "al")
        visitors.join("al")
        visitors.say("al", "name al \(token(1))")
        visitors.stall(milliseconds: 200 * Self.day)
        visitors.wake()
        visitors.vanish("al")
        visitors.stall(milliseconds: 80 * Self.day)
        visitors.wake()
        _ = visitors.hear("eve")
        #expect(visitors.say("eve", "name al").first?.hasPrefix("ERROR name-taken") == true)
    }

    @Test(
        "who has bid for the open lot keeps the name, a bid that was passed too", arguments: [1, 2])
    func openLot(amount: Int) {
        var visitors = Visitors(limits: Self.limits(names: 1, days: 90))
        visitors.preside()
        visitors.say("boss", "pause")
        visitors.say("boss", "resume")
        visitors.joinNamed("al")
        visitors.say("al", "1")
        visitors.say("boss", "pause")
        visitors.vanish("al")
        visitors.stall(milliseconds: 100 * Self.day)
        visitors.wake()
        _ = visitors.hear("boss")
        #expect(visitors.say("boss", "name boss") == [Self.full])
        #expect(visitors.say("boss", "name al").first?.hasPrefix("ERROR name-taken") == true)
    }

    @Test("a server that starts again knows what is free, and since when the others are unused")
    func restart() {
        var visitors = Self.room(Self.limits(names: 2), "al", "bo")
        visitors.pass(milliseconds: Self.day)
        visitors.say("eve", "name eve")
        var recovered = SaleReplay()
        for line in visitors.timedJournal {
            let isTaken = recovered.replay(line.record, number: line.number)
            #expect(isTaken)
        }
        let lines = visitors.room.state
        var state = SaleReplay()
        let isBegun = state.beginSegment(first: visitors.seqs.count + 1, state: lines.count)
        #expect(isBegun)
        for line in lines {
            let isTaken = state.replay(line.record, number: line.number)
            #expect(isTaken)
        }
        for recovered in [recovered, state] {
            let start = Visitors.firstTimeOfDay + Self.day
            var after = Visitors(
                limits: Self.limits(days: 2), resuming: recovered, timeOfDay: start)
            after.join("zoe")
            _ = after.hear("zoe")
            #expect(after.say("zoe", "name bo").first?.hasPrefix("ERROR name-taken") == true)
            after.stall(milliseconds: Self.day + 60_000)
            after.wake()
            _ = after.hear("zoe")
            #expect(after.say("zoe", "name bo").first?.hasPrefix("OK name bo") == true)
        }
    }
}
