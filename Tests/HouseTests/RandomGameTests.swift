import Auction
import House
import TestSupport
import Testing
import Wire

/// Games of all formats that are played at random, cut off anywhere and continued with other flags.
@Suite struct RandomGameTests {
    private static let plans: [LotPlan] = {
        var plans: [LotPlan] = []
        for (index, format) in (AuctionFormat.allCases + AuctionFormat.allCases).enumerated() {
            var options = LotOptions()
            options.format = format
            if format == .dutch {
                (options.start, options.step) = (Price(100), Price(10))
            } else {
                (options.reserve, options.buy) = (Price(40), index < 4 ? Price(90) : nil)
                (options.start, options.step) = (Price(5), Price(5))
            }
            plans.append(LotPlan(title: "Lot \(format.rawValue) \(index)", options: options))
        }
        return plans + [LotPlan(title: "Plain")]
    }()

    private static let settings = [
        GameSettings(),
        GameSettings(purse: Price(150)),
        GameSettings(purse: Price(100), values: .personal(50...150), seed: Seed(3)),
        GameSettings(purse: Price(300), values: .common(50...150, noise: 20), seed: Seed(4)),
    ]

    private static func clients(
        _ generator: inout SplitMix64, isSteady: Bool, resuming: ServerReplay? = nil,
        tokens: UInt64 = 0
    ) -> TestClients {
        var limits = Limits.none
        if Bool.random(using: &generator) { limits.absence = .seconds(3) }
        if Bool.random(using: &generator) { limits.kick = .seconds(5) }
        let settings =
            isSteady ? settings[2] : settings.randomElement(using: &generator) ?? settings[0]
        let rules = Rules(
            seconds: isSteady || Bool.random(using: &generator) ? 7 : 3,
            longest: Bool.random(using: &generator) ? .seconds(5) : nil)
        return TestClients(
            rules, Catalogue(plans: plans, pause: .seconds(1)), settings: settings,
            limits: limits, resuming: resuming, tokens: tokens)
    }

    @Test(
        "a game is recovered from its journal and from its state, under any flags",
        arguments: 0..<12)
    func recovery(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let isSteady = seed.isMultiple(of: 2)
        var journal: [(record: Record, number: Int?)] = []
        var clients = Self.clients(&generator, isSteady: isSteady)
        for life in 1...3 {
            let before = journal
            for _ in 0..<40 {
                clients.play(using: &generator)
                let whole = before + clients.timedJournal
                try expectReadable(
                    clients.lobby.mainState, after: whole.compactMap(\.number).last ?? 0)
            }
            journal += clients.timedJournal
            check(clients, purse: isSteady ? 100 : nil)
            var replay = try read(journal)
            if Bool.random(using: &generator) {
                let cut = Int.random(in: 0...min(12, clients.timedJournal.count), using: &generator)
                journal.removeLast(cut)
                replay = try read(journal)
            } else {
                try read(
                    clients.lobby.mainState, after: replay.main.eventNumber, into: &replay)
            }
            clients = Self.clients(
                &generator, isSteady: isSteady, resuming: replay, tokens: UInt64(life) * 100)
        }
    }

    @Test("merged, the states that news has in JSON are that of a snapshot", arguments: 0..<12)
    func states(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var clients = Self.clients(&generator, isSteady: seed.isMultiple(of: 2))
        clients.join("ed")
        clients.send("ed", "format json")
        var merged = StateMembers()
        merged.merge(clients.send("ed", "status"))
        var later = StateMembers()
        for step in 0..<150 {
            if step.isMultiple(of: 20) {
                clients.lose("fay")
                clients.join("fay")
                clients.send("fay", "format json")
                later = StateMembers()
                later.merge(clients.send("fay", step.isMultiple(of: 40) ? "status" : "resume 0"))
            }
            clients.play(using: &generator)
            // What changes without news is in the state of the next news.
            later.merge(clients.received("fay"))
            guard merged.merge(clients.received("ed")) else { continue }
            var whole = StateMembers()
            whole.merge(clients.send("ed", "status"))
            #expect(merged == whole)
            #expect(later == whole)
        }
        #expect(merged.members.count == 34)
    }

    @Test("merged, what a bidder alone receives in JSON is what a snapshot has", arguments: 0..<12)
    func ownStates(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var clients = Self.clients(&generator, isSteady: seed.isMultiple(of: 2))
        clients.connectNamed("al")
        var (merged, checks) = (StateMembers(of: "you"), 0)
        for _ in 0..<300 {
            if clients.encoding(of: "al") == .text {
                merged = StateMembers(of: "you")
                clients.send("al", "format json")
                merged.merge(clients.send("al", "status"))
            }
            clients.recorded["al"] = []
            clients.play(using: &generator)
            merged.merge(clients.recorded["al"] ?? [])
            guard clients.encoding(of: "al") == .json else { continue }
            var whole = StateMembers(of: "you")
            // A connection without a name receives none.
            guard whole.merge(clients.send("al", "status")) else { continue }
            #expect(merged == whole)
            checks += 1
        }
        #expect(checks > 10)
    }

    /// Reads a journal from its beginning; each line is printed and parsed.
    private func read(_ journal: [(record: Record, number: Int?)]) throws -> ServerReplay {
        var replay = ServerReplay()
        for line in journal {
            let text = line.record.text
            let parsed = try record(text, elapsedMilliseconds: line.record.elapsedMilliseconds)
            let isRead = replay.replay(parsed, number: line.number)
            try #require(isRead, "\(text)")
        }
        return replay
    }

    private func expectReadable(
        _ state: [(record: Record, number: Int?)], after number: Int
    ) throws {
        var replay = ServerReplay()
        try read(state, after: number, into: &replay)
        #expect(replay.main.state.map(\.record) == state.map(\.record))
        #expect(replay.main.state.map(\.number) == state.map(\.number))
    }

    private func read(
        _ state: [(record: Record, number: Int?)], after number: Int,
        into replay: inout ServerReplay
    ) throws {
        replay.beginSegment(first: number + 1, state: state.count)
        for line in state {
            let text = line.record.text
            let parsed = try record(text, elapsedMilliseconds: line.record.elapsedMilliseconds)
            let isRead = replay.replay(parsed, number: line.number)
            try #require(isRead, "state: \(text)")
        }
    }

    private func check(_ clients: TestClients, purse: Int64?) {
        var (spent, tallies): ([String: Int64], [String: Int64]) = ([:], [:])
        for (record, _) in clients.lobby.mainState {
            switch record {
            case .tally(let tally): tallies[tally.bidder.description] = tally.spent
            case .result(let result):
                if case .sold(let sold) = result.outcome {
                    spent[sold.bidder.description, default: 0] += sold.price.amount
                }
            default: break
            }
        }
        for (name, sum) in spent { #expect(tallies[name] == sum) }
        for (name, sum) in tallies { #expect(sum == spent[name] ?? 0) }
        if let purse { for (_, sum) in tallies { #expect(sum <= purse) } }
    }
}

extension TestClients {
    /// Performs a random action in a game.
    fileprivate mutating func play(using generator: inout SplitMix64) {
        let client = ["al", "bo", "cy", "di"].randomElement(using: &generator) ?? "al"
        let amount = Int.random(in: 1..<25, using: &generator) * 5
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            lose(client)
            connectNamed(client)
        case 1: lose(client)
        case 2, 3, 4: send(client, "\(amount)")
        case 5: send(client, "name \(client) \(token(Int.random(in: 1..<9, using: &generator)))")
        case 6, 7, 8: send(client, "max \(amount)")
        case 9: send(client, "max 0")
        case 10: send(client, "take")
        case 11: if Int.random(in: 0..<3, using: &generator) == 0 { send(client, "buy") }
        case 12: send(client, "say hello")
        case 13, 14, 15: order(using: &generator)
        default: pass(milliseconds: .random(in: 0..<2500, using: &generator))
        }
        if Int.random(in: 0..<10, using: &generator) == 0 { publishesAtOnce.toggle() }
        if Int.random(in: 0..<4, using: &generator) == 0 { publish() }
    }

    private mutating func order(using generator: inout SplitMix64) {
        let orders = [
            "pause", "resume", "hammer", "void", "close", "kick al why", "kick di why",
            "mute bo", "unmute bo", "add Lamp format=vickrey",
            "add Vase format=dutch start=50 step=9",
            "resume", "add Box reserve=30",
        ]
        if send("boss", "ping").isEmpty { preside() }
        send("boss", orders.randomElement(using: &generator) ?? "")
    }
}

/// The members of the states that a client in JSON has merged, as they were written; of the times
/// whether they are known.
private struct StateMembers: Equatable {
    private(set) var members: [Substring: Substring] = [:]
    private let start: String

    init(of member: String = "state") { start = "\"\(member)\":{" }

    /// Takes over the states of lines; false if none has one.
    @discardableResult
    mutating func merge(_ lines: [String]) -> Bool {
        var hasState = false
        for line in lines {
            guard let start = line.firstRange(of: start) else { continue }
            hasState = true
            var rest = line[start.upperBound...]
            while rest.first != "}" { takeMember(&rest) }
        }
        return hasState
    }

    private mutating func takeMember(_ rest: inout Substring) {
        if rest.first == "," { rest.removeFirst() }
        let name = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest.dropFirst(name.count + 3)
        var (depth, isText) = (0, false)
        let value = rest.prefix { character in
            switch character {
            case "\"": isText.toggle()
            case "[" where !isText: depth += 1
            case "]" where !isText: depth -= 1
            case ",", "}": return isText || depth > 0
            default: break
            }
            return true
        }
        rest = rest.dropFirst(value.count)
        let isTime = name.hasSuffix("Milliseconds") && value != "null"
        members[name] = isTime ? "known" : value
    }
}
