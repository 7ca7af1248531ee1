import Auction
import House
import TestSupport
import Testing
import Wire

@Suite struct LobbyStateTests {
    @Test("the state recovers the same sale as the whole journal", arguments: 0..<20)
    func stateIsWhole(seed: UInt64) throws {
        var clients = TestClients(Rules(seconds: 7), Catalogue(titles: ["Vase", "Clock", "Lamp"]))
        var generator = SplitMix64(seed: seed)
        for _ in 0..<40 {
            clients.act(using: &generator)
            let fromState = recoveredFromState(of: clients)
            let whole = try recovered(clients.timedJournal)
            #expect(restarted(fromState) == restarted(whole))
            #expect(fromState.main.summary == whole.main.summary)
        }
    }

    @Test("a lobby continues from a journal cut anywhere, again and again", arguments: 0..<8)
    func everyCut(seed: UInt64) throws {
        let rules = Rules(seconds: 7)
        let catalogue = Catalogue(titles: ["Vase", "Clock", "Lamp"])
        var generator = SplitMix64(seed: seed)
        var clients = TestClients(rules, catalogue)
        for _ in 0..<40 { clients.act(using: &generator) }
        for cut in 0...clients.journal.count {
            var journal = Array(clients.journal.prefix(cut))
            for life in 1...2 {
                let replay = try recovered(journal)
                var next = TestClients(
                    rules, catalogue, resuming: replay, tokens: UInt64(life) * 100)
                for _ in 0..<6 { next.act(using: &generator) }
                journal += next.journal.prefix(.random(in: 0...9, using: &generator))
            }
            _ = try recovered(journal)
        }
    }

    @Test("a state is valid if its last bidder's name has another owner now")
    func freedBidder() throws {
        var clients = TestClients(
            Rules(seconds: 7), Catalogue(titles: ["Vase"]), limits: .with { $0.names = 1 })
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.pass(milliseconds: 8_000)
        clients.end("al")
        clients.pass(milliseconds: 700_000)
        clients.connectNamed("bo")
        clients.end("bo")
        clients.pass(milliseconds: 10_000)
        clients.connectNamed("al")
        #expect(clients.lobby.mainState.contains { $0.record.text.hasPrefix("LAP 1 5 al") })
        _ = recoveredFromState(of: clients)
    }

    @Test("the state of a long lot holds its newest 1,000 bids, and their number")
    func boundedState() throws {
        var clients = TestClients(Rules(seconds: 7, allowsSelfRaise: true))
        clients.connectNamed("al")
        for amount in 1...1200 { clients.send("al", "\(amount)") }
        var after = TestClients(resuming: recoveredFromState(of: clients))
        after.connect("eve")
        #expect(after.send("eve", "laps 1 5") == ["OK laps 1200"])
        #expect(
            after.send("eve", "laps 199 3") == ["LAP 201 201 al 00:00.0", "OK laps 1200"])
        #expect(after.send("eve", "laps").count == 21)
        #expect(clients.send("al", "laps 1 5") == ["OK laps 1200"])
    }
}

/// The state of a lobby that continues a recovered sale.
private func restarted(_ recovered: ServerReplay) -> [String] {
    let rules = Rules(seconds: 7)
    let catalogue = Catalogue(titles: ["Vase", "Clock", "Lamp"])
    let clients = TestClients(rules, catalogue, resuming: recovered)
    return clients.lobby.mainState.map { line in
        // When a name was used last is known to the second alone.
        guard case .name(let bidder, let hash, _, let hasBid) = line.record else {
            return "\(line.number ?? 0) \(line.record.text)"
        }
        return Record.name(bidder, hash, used: nil, hasBid: hasBid).text
    }
}

extension TestClients {
    /// Sends a random command of the auctioneer, connected first if necessary.
    private mutating func rule(using generator: inout SplitMix64) {
        let orders = ["pause", "resume", "hammer", "void", "close", "kick al why", "kick di why"]
        if send("boss", "ping").isEmpty { preside() }
        send("boss", orders.randomElement(using: &generator) ?? "")
    }

    /// Performs a random action.
    fileprivate mutating func act(using generator: inout SplitMix64) {
        let client = ["al", "bo", "cy", "di"].randomElement(using: &generator) ?? "al"
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            lose(client)
            connectNamed(client)
        case 8, 9: rule(using: &generator)
        case 1: lose(client)
        case 2, 3, 4: send(client, "\(Int.random(in: 1..<100, using: &generator))")
        case 5: send(client, "name \(client) \(token(Int.random(in: 1..<9, using: &generator)))")
        default: pass(milliseconds: .random(in: 0..<4000, using: &generator))
        }
    }
}
