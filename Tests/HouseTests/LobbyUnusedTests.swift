import Auction
import Basics
import House
import Testing
import Wire

/// The number of owned names, and when they expire.
@Suite struct LobbyUnusedTests {
    private static let day: Int64 = 86_400_000

    private static func limits(names: Int? = nil, days: Int? = nil) -> Limits {
        var limits = Limits.none
        limits.names = names
        limits.nameAge = days.map { .seconds($0 * 86_400) }
        return limits
    }

    /// A sale whose first lot has ended, with bidders of these names who have left.
    private static func clients(_ limits: Limits, _ names: String...) -> TestClients {
        var clients = TestClients(Rules(seconds: 7), limits: limits)
        clients.join("eve")
        for (number, name) in names.enumerated() {
            clients.connectNamed(name)
            clients.send(name, "\(number + 1)")
            clients.lose(name)
        }
        clients.pass(milliseconds: 12_000)
        _ = clients.received("eve")
        return clients
    }

    private static let full =
        "ERROR full too many names are owned, use one that is known in this room or try again later"

    /// The answer to a request for a new name after this number of milliseconds.
    private static func answer(
        _ clients: TestClients, to name: String = "zoe", after milliseconds: Int64
    ) -> String {
        var clients = clients
        clients.pass(milliseconds: milliseconds)
        clients.connect("zoe")
        return clients.send("zoe", "name \(name)").first ?? ""
    }

    @Test("if all names are taken from many networks, new ones are possible after ten minutes")
    func filledHouse() {
        var limits = Limits()
        (limits.names, limits.greetingDelay) = (100, .milliseconds(20))
        var clients = TestClients(Rules(seconds: 7), limits: limits)
        func join(_ name: String, network: Int) -> String {
            let address = PeerAddress(version4: 0x0A00_0001 | UInt32(network) << 8)
            clients.join(name, from: address)
            _ = clients.received(name)
            return clients.send(name, "name \(name)").first ?? ""
        }
        for number in 1...100 {
            _ = join("b\(number)", network: number)
            clients.send("b\(number)", "\(number)")
            clients.lose("b\(number)")
        }
        // The owner of the first name counts as present for three seconds after it left.
        clients.pass(milliseconds: 600_000)
        #expect(join("late", network: 101) == Self.full)
        clients.pass(milliseconds: 3_000)
        for number in 1...100 {
            #expect(join("n\(number)", network: 101 + number).hasPrefix("OK name n\(number) "))
        }
        #expect(join("full", network: 202) == Self.full)
    }

    @Test("at the limit a new name is refused until another is unused for ten minutes")
    func full() {
        var clients = Self.clients(Self.limits(names: 2), "al", "bo")
        #expect(clients.send("eve", "name eve") == [Self.full])
        #expect(clients.lobby.takeLimitsReached() == [.namesFull: 1])
        clients.pass(milliseconds: 600_000)
        _ = clients.received("eve")
        #expect(clients.send("eve", "name eve").first == "OK name eve \(token(3))")
        // The one that was unused for longest is free, and the other is still owned.
        #expect(Self.answer(clients, to: "bo", after: 0).hasPrefix("ERROR name-taken"))
        #expect(Self.answer(clients, to: "al", after: 0) == "OK name al \(token(4))")
    }

    @Test(
        "no change of the clock makes a name look old, or repeats KEPT",
        arguments: [-366 * day, -3_600_000, 3_600_000, 366 * day])
    func clockSet(change: Int64) {
        let start = 400 * Self.day
        var clients = TestClients(limits: Self.limits(names: 2, days: 90), timeOfDay: start)
        clients.connectNamed("al", "bo")
        clients.send("al", "1")
        clients.lobby.setTimeOfDay(start + change, at: clients.now)
        clients.lose("al")
        clients.join("zoe")
        for _ in 0..<9 { #expect(clients.send("zoe", "name zoe").last == Self.full) }
        clients.pass(milliseconds: 1000)
        let kept = clients.timedJournal.filter {
            if case .event(.nameKept) = $0.record { true } else { false }
        }
        #expect(kept.count <= 1)
        #expect(clients.send("zoe", "name al").last?.hasPrefix("ERROR name-taken") == true)
    }

    @Test("a name that bid outlives one that did not")
    func neverBid() {
        var clients = Self.clients(Self.limits(names: 2), "al")
        clients.connectNamed("bo")
        clients.pass(milliseconds: 3_600_000)
        clients.lose("bo")
        clients.connect("zoe")
        #expect(clients.send("zoe", "name zoe").first?.hasPrefix("OK name zoe") == true)
        #expect(clients.send("eve", "name al").last?.hasPrefix("ERROR name-taken") == true)
    }

    @Test("a name with a connection is never freed, with or without a bid")
    func connected() {
        var clients = TestClients(limits: Self.limits(names: 2))
        clients.connectNamed("al", "bo")
        clients.send("al", "1")
        clients.pass(milliseconds: 20_000)
        #expect(Self.answer(clients, after: 100 * Self.day) == Self.full)
    }

    @Test("a refused name is not charged to its address")
    func refusedForFree() {
        var limits = Self.limits(names: 2)
        limits.nameUses = .perMinute(3)
        var clients = Self.clients(limits, "al", "bo")
        for _ in 0..<9 { #expect(clients.send("eve", "name eve") == [Self.full]) }
    }

    @Test("an unused name is free after its age limit, and not before")
    func days() {
        for (elapsed, isFree) in [(89 * Self.day, false), (90 * Self.day + 20_000, true)] {
            var clients = Self.clients(Self.limits(days: 90), "al")
            clients.stall(milliseconds: elapsed)
            clients.wake()
            _ = clients.received("eve")
            let answer = clients.send("eve", "name al").first
            #expect(answer?.hasPrefix(isFree ? "OK name al" : "ERROR name-taken") == true)
        }
    }

    @Test("the name of a present bidder is never freed, and its age counts from the departure")
    func present() {
        var clients = Self.clients(Self.limits(days: 90), "al")
        clients.join("al")
        clients.send("al", "name al \(token(1))")
        clients.stall(milliseconds: 200 * Self.day)
        clients.wake()
        clients.lose("al")
        clients.stall(milliseconds: 80 * Self.day)
        clients.wake()
        _ = clients.received("eve")
        #expect(clients.send("eve", "name al").first?.hasPrefix("ERROR name-taken") == true)
    }

    @Test(
        "a bidder on the open lot keeps the name, whether leading or outbid", arguments: [1, 2])
    func openLot(amount: Int) {
        var clients = TestClients(limits: Self.limits(names: 1, days: 90))
        clients.preside()
        clients.send("boss", "pause")
        clients.send("boss", "resume")
        clients.connectNamed("al")
        clients.send("al", "1")
        clients.send("boss", "pause")
        clients.lose("al")
        clients.stall(milliseconds: 100 * Self.day)
        clients.wake()
        _ = clients.received("boss")
        #expect(clients.send("boss", "name boss") == [Self.full])
        #expect(clients.send("boss", "name al").first?.hasPrefix("ERROR name-taken") == true)
    }

    @Test("a restart keeps which names are free, and since when the others are unused")
    func restart() throws {
        var clients = Self.clients(Self.limits(names: 2), "al", "bo")
        clients.pass(milliseconds: Self.day)
        clients.send("eve", "name eve")
        for recovered in [try recovered(clients.timedJournal), recoveredFromState(of: clients)] {
            let start = TestClients.firstTimeOfDay + Self.day
            var after = TestClients(
                limits: Self.limits(days: 2), resuming: recovered, timeOfDay: start)
            after.connect("zoe")
            #expect(after.send("zoe", "name bo").first?.hasPrefix("ERROR name-taken") == true)
            after.stall(milliseconds: Self.day + 60_000)
            after.wake()
            _ = after.received("zoe")
            #expect(after.send("zoe", "name bo").first?.hasPrefix("OK name bo") == true)
        }
    }
}
