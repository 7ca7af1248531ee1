import Auction
import House
import Testing
import Wire

/// Absences, and how often a name may be opened.
@Suite struct LobbyAbsenceTests {
    private static let limits = Limits.with { $0.absence = .seconds(3) }

    private static func clients(_ limits: Limits = limits) -> TestClients {
        var clients = TestClients(limits: limits)
        clients.join("eve")
        clients.connectNamed("al", "bo")
        clients.send("al", "5")
        _ = clients.received("eve")
        return clients
    }

    @Test("LEFT is sent after an absence of three seconds; until then who lists the name")
    func left() {
        var clients = Self.clients()
        clients.lose("al")
        clients.pass(milliseconds: 2999)
        #expect(!clients.received("eve").contains("LEFT al"))
        #expect(clients.send("eve", "who") == ["WHO al", "WHO bo", "OK who 2"])
        clients.pass(milliseconds: 1)
        #expect(clients.received("eve").contains("LEFT al"))
        #expect(clients.send("eve", "who") == ["WHO bo", "OK who 1"])
    }

    @Test("a return before that is no news, and keeps the position in who")
    func back() {
        var clients = Self.clients()
        for _ in 0..<5 {
            clients.lose("al")
            clients.pass(milliseconds: 2000)
            clients.connect("al")
            #expect(clients.send("al", "name al \(token(1))") == ["OK name al \(token(1))"])
        }
        clients.pass(milliseconds: 10_000)
        #expect(
            !clients.received("eve").contains { $0.hasPrefix("LEFT") || $0.hasPrefix("JOINED") })
        #expect(clients.send("eve", "who") == ["WHO al", "WHO bo", "OK who 2"])
    }

    @Test("during an absence only its token opens a name, which then is free without a bid")
    func ownedWhileAway() {
        var clients = Self.clients()
        clients.lose("bo")
        clients.pass(milliseconds: 50)
        _ = clients.received("eve")
        #expect(clients.send("eve", "name bo").first?.hasPrefix("ERROR name-taken") == true)
        #expect(clients.send("eve", "name bo x").first?.hasPrefix("ERROR wrong-token") == true)
        clients.connect("bo2")
        #expect(clients.send("bo2", "name bo \(token(2))") == ["OK name bo \(token(2))"])
        #expect(clients.received("eve").isEmpty)
        clients.lose("bo2")
        clients.pass(milliseconds: 3000)
        _ = clients.received("eve")
        #expect(clients.send("eve", "name bo").first == "OK name bo \(token(3))")
    }

    @Test("the three seconds count from the last end of a connection")
    func awayAgain() {
        var clients = Self.clients()
        clients.lose("al")
        clients.pass(milliseconds: 2000)
        clients.join("al")
        clients.send("al", "name al \(token(1))")
        clients.lose("al")
        clients.pass(milliseconds: 2999)
        #expect(!clients.received("eve").contains("LEFT al"))
        clients.pass(milliseconds: 1)
        #expect(clients.received("eve").contains("LEFT al"))
    }

    @Test("after KICKED, LEFT is sent at once, also of an absent bidder", arguments: [false, true])
    func kicked(isAway: Bool) {
        var clients = Self.clients()
        clients.preside()
        if isAway { clients.lose("al") }
        _ = clients.received("eve")
        #expect(clients.send("boss", "kick al why").first == "OK kick")
        #expect(clients.received("eve") == ["KICKED al why", "LEFT al"])
        clients.pass(milliseconds: 10_000)
        #expect(!clients.received("eve").contains { $0.hasPrefix("LEFT") })
    }

    @Test("after a restart LEFT is sent of all who were present, absent ones included")
    func crash() throws {
        var clients = Self.clients()
        clients.lose("al")
        for recovered in [try recovered(clients.journal), recoveredFromState(of: clients)] {
            let after = TestClients(limits: Self.limits, resuming: recovered)
            let words = after.journal.filter { $0.number != nil }.map { $0.record.text }
            #expect(words.prefix(2) == ["LEFT al", "LEFT bo"])
        }
    }

    // How often

    private static let openings: [(milliseconds: Int64, isOpened: Bool, wait: Int)] = [
        (0, true, 0), (0, true, 0), (0, false, 30), (29_000, false, 1), (1000, true, 0),
        (0, false, 30), (60_000, true, 0), (0, true, 0), (0, false, 30),
    ]

    @Test("a name may be opened at its rate, and the error says when again")
    func often() {
        var limits = Self.limits
        limits.openings = .perMinute(2)
        var clients = Self.clients(limits)
        for (number, step) in Self.openings.enumerated() {
            clients.pass(milliseconds: step.milliseconds)
            let name = "v\(number)"
            clients.connectUngreeted(name)
            clients.send(name, "ping")
            let answer = clients.send(name, "name al \(token(1))").first
            #expect(
                answer
                    == (step.isOpened
                        ? "OK name al \(token(1))"
                        : "ERROR slow-down seconds=\(step.wait) names were used or moved too "
                            + "often, try again in \(step.wait) s"))
        }
        #expect(clients.lobby.takeLimitsReached() == [.openings: 4])
    }

    @Test("the names of one address are opened ten times as often, and a rested one always opens")
    func address() {
        var limits = Self.limits
        limits.openings = .perMinute(4)
        var clients = TestClients(limits: limits)
        let names = (1...21).map { "n\($0)" }
        for (number, name) in names.enumerated() {
            clients.connectNamed(name)
            clients.send(name, "\(number + 1)")
        }
        var opened = 0
        for round in 0..<3 {
            for (number, name) in names.enumerated() where round == 0 || number < 20 {
                clients.connectUngreeted("v")
                clients.send("v", "ping")
                if clients.send("v", "name \(name) \(token(number + 1))")[0].hasPrefix("OK") {
                    opened += 1
                }
                clients.lose("v")
            }
        }
        // Each once, as none was opened before; of the others as many as the address has left.
        #expect(opened == 21 + 19)
    }
}
