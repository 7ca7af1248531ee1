import AuctionRules
import Sale
import Saleroom
import TestSupport
import Testing
import Wire

@Suite struct RoomStateTests {
    @Test("a room goes on the same from the state as from the whole log", arguments: 0..<60)
    func stateIsWhole(seed: UInt64) throws {
        var visitors = Visitors(Rules(seconds: 7), Catalogue(titles: ["Vase", "Clock", "Lamp"]))
        var generator = SplitMix64(seed: seed)
        for _ in 0..<40 {
            visitors.act(using: &generator)
            var fromState = SaleReplay()
            let next = (visitors.journal.compactMap(\.number).last ?? 0) + 1
            let isBegun = fromState.beginSegment(first: next, state: visitors.room.state.count)
            #expect(isBegun)
            for line in visitors.room.state {
                let isTaken = fromState.replay(line.record, number: line.number)
                #expect(isTaken)
            }
            let whole = try recovered(visitors.timedJournal)
            #expect(restarted(fromState) == restarted(whole))
            #expect(fromState.sale.summary == whole.sale.summary)
        }
    }

    @Test("wherever a log is cut, a room goes on from there, again and again", arguments: 0..<8)
    func everyCut(seed: UInt64) throws {
        let rules = Rules(seconds: 7)
        let catalogue = Catalogue(titles: ["Vase", "Clock", "Lamp"])
        var generator = SplitMix64(seed: seed)
        var visitors = Visitors(rules, catalogue)
        for _ in 0..<40 { visitors.act(using: &generator) }
        for cut in 0...visitors.journal.count {
            var journal = Array(visitors.journal.prefix(cut))
            for life in 1...2 {
                let told = try recovered(journal)
                var next = Visitors(
                    rules, catalogue, resuming: told, tokens: UInt64(life) * 100)
                for _ in 0..<6 { next.act(using: &generator) }
                journal += next.journal.prefix(.random(in: 0...9, using: &generator))
            }
            _ = try recovered(journal)
        }
    }

    @Test("a state is read whose last bidder lost the name, which somebody else has now")
    func freedBidder() throws {
        var limits = Limits.none
        limits.names = 1
        var visitors = Visitors(
            Rules(seconds: 7), Catalogue(titles: ["Vase"]), limits: limits)
        visitors.joinNamed("al")
        visitors.say("al", "5")
        visitors.pass(milliseconds: 8_000)
        visitors.end("al")
        visitors.pass(milliseconds: 700_000)
        visitors.joinNamed("bo")
        visitors.end("bo")
        visitors.pass(milliseconds: 10_000)
        visitors.joinNamed("al")
        var fromState = SaleReplay()
        let first = visitors.seqs.count + 1
        let isBegun = fromState.beginSegment(first: first, state: visitors.room.state.count)
        #expect(isBegun)
        #expect(visitors.room.state.contains { $0.record.text.hasPrefix("LAP 1 5 al") })
        for line in visitors.room.state {
            let isTaken = fromState.replay(line.record, number: line.number)
            #expect(isTaken, "\(line.record.text)")
        }
    }

    @Test("the state of a long lot holds its newest 1,000 bids, and how many there were")
    func boundedState() throws {
        var visitors = Visitors(Rules(seconds: 7, allowsSelfRaise: true))
        visitors.joinNamed("al")
        for amount in 1...1200 { visitors.say("al", "\(amount)") }
        var fromState = SaleReplay()
        let lines = visitors.room.state.count
        let isBegun = fromState.beginSegment(first: visitors.seqs.count + 1, state: lines)
        #expect(isBegun)
        for line in visitors.room.state {
            let isTaken = fromState.replay(line.record, number: line.number)
            #expect(isTaken)
        }
        var after = Visitors(resuming: fromState)
        after.join("eve")
        _ = after.hear("eve")
        #expect(after.say("eve", "laps 1 5") == ["OK laps 1200"])
        #expect(
            after.say("eve", "laps 199 3") == ["LAP 201 201 al 00:00.0", "OK laps 1200"])
        #expect(after.say("eve", "laps").count == 21)
        #expect(visitors.say("al", "laps 1 5") == ["OK laps 1200"])
    }
}

/// What a room would hold that continues a recovered sale.
private func restarted(_ recovered: SaleReplay) -> [String] {
    let rules = Rules(seconds: 7)
    let catalogue = Catalogue(titles: ["Vase", "Clock", "Lamp"])
    let visitors = Visitors(rules, catalogue, resuming: recovered)
    return visitors.room.state.map { line in
        // When a name was used last is known to the second alone.
        guard case .name(let bidder, let token, _) = line.record else {
            return "\(line.number ?? 0) \(line.record.text)"
        }
        return Record.name(bidder, token, used: nil).text
    }
}

extension Visitors {
    /// Lets the auctioneer order something, who may have to come in before.
    private mutating func rule(using generator: inout SplitMix64) {
        let orders = ["pause", "resume", "hammer", "void", "close", "kick al why", "kick di why"]
        if say("boss", "ping").isEmpty { preside() }
        say("boss", orders.randomElement(using: &generator) ?? "")
    }

    /// Lets something happen that may happen in an auction.
    fileprivate mutating func act(using generator: inout SplitMix64) {
        let visitor = ["al", "bo", "cy", "di"].randomElement(using: &generator) ?? "al"
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            vanish(visitor)
            joinNamed(visitor)
        case 8, 9: rule(using: &generator)
        case 1: vanish(visitor)
        case 2, 3, 4: say(visitor, "\(Int.random(in: 1..<100, using: &generator))")
        case 5: say(visitor, "name \(visitor) \(token(Int.random(in: 1..<9, using: &generator)))")
        default: pass(milliseconds: .random(in: 0..<4000, using: &generator))
        }
    }
}
