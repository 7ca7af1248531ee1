import Auction
import TestSupport
import Testing

@Suite struct ClassPlanTests {
    static func plan(_ change: (inout ClassPlan) -> Void) -> ClassPlan {
        var plan = ClassPlan()
        plan.parts = [
            .init(2, .vickrey, isPractice: true), .init(2, .sealed),
            .init(1, .dutch, isPractice: true),
            .init(2, .dutch),
        ]
        change(&plan)
        return plan
    }

    static func bidders(_ count: Int) -> [Bidder] {
        (0..<count).compactMap { Bidder("student-\($0)") }
    }

    @Test("rounds have numbers, and belong to the next part that is no practice")
    func rounds() {
        let rounds = Self.plan { _ in }.rounds
        #expect(rounds.map(\.number) == Array(1...7))
        #expect(rounds.map(\.treatment) == [1, 1, 1, 1, 2, 2, 2])
        #expect(rounds.map(\.isPractice) == [true, true, false, false, true, false, false])
        #expect(
            rounds.map(\.format) == [.vickrey, .vickrey, .sealed, .sealed, .dutch, .dutch, .dutch])
        #expect(rounds.map(\.draw) == Array(1...7))
    }

    @Test("with the same draws, rounds at the same place of two treatments have the same number")
    func sameDraws() {
        let draws = Self.plan { $0.hasSameDraws = true }.rounds.map(\.draw)
        #expect(draws == [101, 102, 1, 2, 101, 1, 2])
    }

    @Test("a lot has the number of its round, and rules that go together")
    func lots() throws {
        let plan = Self.plan { $0.lot.reserve = Price(60) }
        #expect(
            plan.rounds.map { plan.lotPlan(for: $0).title } == [
                "Practice 1", "Practice 2", "Round 3", "Round 4", "Practice 5", "Round 6",
                "Round 7",
            ])
        for round in plan.rounds {
            let rules = try plan.lotPlan(for: round).options.rules(Rules(seconds: 7))
            #expect(rules.format == round.format && rules.seconds == 30)
            #expect(rules.reserve?.amount == 60)
        }
    }

    /// The seconds, the start and the step of a plan, the values, and where a Dutch lot falls.
    static let falls: [(given: LotOptions, values: GameOptions.Values, start: Int64, step: Int64)] =
        [
            (options(30), .personal(50...150), 150, 3),
            (options(60), .personal(50...150), 150, 2),
            (options(30, reserve: 90), .personal(50...150), 150, 1),
            (options(30, step: 5), .personal(50...150), 150, 5),
            (options(30, step: 1), .personal(50...150), 150, 3),
            (options(30, start: 200), .personal(50...150), 200, 4),
            (options(30), .common(50...150, noise: 20), 170, 3),
            (
                options(30), .common(0...Price.highest.amount, noise: 5), 1_000_000_000_000,
                16_666_666_667
            ),
            (options(3600), .personal(1...2), 2, 1),
        ]

    static func options(
        _ seconds: Int, start: Int64 = 0, step: Int64 = 0, reserve: Int64 = 0
    ) -> LotOptions {
        var options = LotOptions()
        options.seconds = seconds
        (options.start, options.step, options.reserve) = (Price(start), Price(step), Price(reserve))
        return options
    }

    @Test("a price falls from the highest value, at most twice a second", arguments: falls)
    func fall(given: LotOptions, values: GameOptions.Values, start: Int64, step: Int64) throws {
        let plan = Self.plan { ($0.lot, $0.values) = (given, values) }
        let options = plan.lotPlan(for: plan.rounds[6]).options
        #expect(options.start?.amount == start && options.step?.amount == step)
        #expect(throws: Never.self) { try options.rules(Rules(seconds: 7)) }
    }

    @Test("other formats keep the start and the step")
    func rising() {
        let plan = Self.plan { ($0.lot.start, $0.lot.step) = (Price(20), Price(5)) }
        let options = plan.lotPlan(for: plan.rounds[2]).options
        #expect(options.start?.amount == 20 && options.step?.amount == 5)
        let plain = Self.plan { _ in }
        #expect(plain.lotPlan(for: plain.rounds[2]).options.start == .lowest)
    }

    /// The sizes of groups of three, or of another size, by the number of bidders.
    static let sizes: [(count: Int, size: Int, larger: [Int], smaller: [Int])] = [
        (0, 3, [], []), (1, 3, [1], [1]), (2, 3, [2], [2]), (3, 3, [3], [3]), (4, 3, [4], [4]),
        (5, 3, [5], [3, 2]), (6, 3, [3, 3], [3, 3]), (7, 3, [4, 3], [4, 3]),
        (8, 3, [4, 4], [3, 3, 2]), (11, 3, [4, 4, 3], [3, 3, 3, 2]), (5, 2, [3, 2], [3, 2]),
        (3, 2, [3], [3]), (10, 4, [5, 5], [4, 4, 2]), (11, 4, [6, 5], [4, 4, 3]),
        (9, 4, [5, 4], [5, 4]), (31, 30, [31], [31]), (31, 100, [31], [31]),
    ]

    @Test("the rest makes some groups larger, or one smaller", arguments: sizes)
    func rest(count: Int, size: Int, larger: [Int], smaller: [Int]) {
        for (rest, expected) in [(ClassPlan.Rest.larger, larger), (.smaller, smaller)] {
            let plan = Self.plan { ($0.groupSize, $0.rest) = (size, rest) }
            let groups = plan.groups(
                of: Self.bidders(count), in: plan.rounds[0], seed: Seed(1))
            #expect(groups.map(\.count) == expected, "\(rest)")
        }
    }

    @Test("each bidder is in one group, and no one alone", arguments: 2...31)
    func everybody(count: Int) {
        let bidders = Self.bidders(count)
        for rest in ClassPlan.Rest.allCases {
            for size in [2, 3, 4, 7] {
                let plan = Self.plan { ($0.groupSize, $0.rest) = (size, rest) }
                let groups = plan.groups(of: bidders, in: plan.rounds[0], seed: Seed(9))
                #expect(groups.joined().count == count && Set(groups.joined()) == Set(bidders))
                #expect(groups.allSatisfy { $0.count > 1 })
                let bound = rest == .smaller || count >= size * (size - 1) ? size + 1 : 2 * size - 1
                #expect(groups.allSatisfy { $0.count <= bound })
            }
        }
    }

    @Test("groups do not depend on the order of the bidders, but on the seed and on the round")
    func order() {
        let plan = Self.plan { _ in }
        var (bidders, random) = (Self.bidders(30), SplitMix64(seed: 4))
        let groups = plan.groups(of: bidders, in: plan.rounds[0], seed: Seed(1))
        for _ in 0..<20 {
            bidders.shuffle(using: &random)
            #expect(plan.groups(of: bidders, in: plan.rounds[0], seed: Seed(1)) == groups)
        }
        #expect(plan.groups(of: bidders, in: plan.rounds[1], seed: Seed(1)) != groups)
        #expect(plan.groups(of: bidders, in: plan.rounds[0], seed: Seed(2)) != groups)
    }

    @Test("any two bidders meet about equally often")
    func fairness() {
        var plan = ClassPlan()
        plan.parts = [.init(100, .sealed)]
        let bidders = Self.bidders(9)
        var meetings: [Set<Bidder>: Int] = [:]
        for (seed, round) in (1...10).flatMap({ seed in plan.rounds.map { (seed, $0) } }) {
            for group in plan.groups(of: bidders, in: round, seed: Seed(UInt64(seed))) {
                for one in group { for other in group { meetings[[one, other], default: 0] += 1 } }
            }
        }
        // Of 8 others two are met: 250 of 1,000 rounds, counted from both sides.
        let pairs = meetings.filter { $0.key.count == 2 }.map { $0.value / 2 }
        #expect(pairs.count == 36 && pairs.allSatisfy { (200...300).contains($0) })
    }

    @Test("with the same draws, equal places have equal groups; without, others")
    func sameGroups() {
        for isSame in [true, false] {
            let plan = Self.plan { $0.hasSameDraws = isSame }
            let groups = plan.rounds.map {
                plan.groups(of: Self.bidders(12), in: $0, seed: Seed(3))
            }
            #expect((groups[2] == groups[5] && groups[3] == groups[6]) == isSame)
            #expect(groups[2] != groups[3])
        }
    }

    @Test("fixed groups are the same in all rounds")
    func fixed() {
        let plan = Self.plan { $0.matchesAnew = false }
        let groups = plan.rounds.map { plan.groups(of: Self.bidders(12), in: $0, seed: Seed(3)) }
        #expect(Set(groups).count == 1)
    }

    @Test("fixed groups stay when others come and go")
    func keptGroups() throws {
        let plan = Self.plan { $0.matchesAnew = false }
        let all = Self.bidders(14)
        let former = plan.groups(of: Array(all[..<9]), in: plan.rounds[0], seed: Seed(3))
        func next(_ bidders: some Sequence<Bidder>) -> [[Bidder]] {
            plan.groups(of: Array(bidders), in: plan.rounds[1], seed: Seed(3), keeping: former)
        }
        let more = next(all[..<13])
        #expect(Array(more[1...2]) == Array(former[1...]) && more[0].dropLast() == former[0][...])
        #expect(more.map(\.count) == [4, 3, 3, 3])
        let left = Set(former[0].dropFirst())
        let fewer = next(all[..<9].filter { !left.contains($0) })
        #expect(fewer.map(\.count) == [4, 3])
        #expect(fewer[0] == former[1] + [former[0][0]] && fewer[1] == former[2])
        #expect(next(former[0].prefix(1)) == [Array(former[0].prefix(1))])
        let anew = Self.plan { _ in }
        #expect(
            anew.groups(of: Array(all[..<9]), in: anew.rounds[1], seed: Seed(3), keeping: former)
                == anew.groups(of: Array(all[..<9]), in: anew.rounds[1], seed: Seed(3)))
    }
}
