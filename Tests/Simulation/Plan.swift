import Auction
import House
import Journal
import TestSupport

/// What happens in a simulation: the same plan always leads to the same trace.
package protocol SimulationPlan: Sendable {
    /// The names of everything that many plans together must have seen.
    static var kinds: [String] { get }

    /// Draws the plan of a seed.
    init(seed: UInt64)

    /// The number of its actions.
    var actionCount: Int { get }

    /// Plays it to its end, or to the first promise that is broken.
    func play(keepsTrace: Bool) -> Report

    /// A plan with fewer actions that breaks the same promise, if there is one.
    func shrunk() -> Self
}

extension SimulationPlan {
    /// Plays it without a trace.
    package func play() -> Report { play(keepsTrace: false) }
}

/// Everything that happens in a simulation from outside: the terms of the server, what its clients
/// do, and what goes wrong, each at its time.
///
/// A plan is a value: the same plan always leads to the same trace, and without some of its actions
/// the others stay as they were.
package struct Plan: SimulationPlan {
    /// The seed of everything that the actions do not choose: delays, and how bytes are split.
    package let seed: UInt64
    var terms: Terms
    /// In the order of their times.
    package internal(set) var actions: [Action] = []

    /// The number of loops over which the server spreads its connections.
    package var loops: Int { terms.loops }

    /// Draws the plan of a seed.
    package init(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        self.seed = seed
        terms = Terms(using: &dice)
        // Drawn apart, so that a seed without rooms is what it was before there were any.
        var roomDice = SplitMix64(seed: ~seed)
        if roomDice.chance(in: 3) { terms.openRooms(using: &roomDice) }
        // Apart for the same reason.
        var journalDice = SplitMix64(seed: seed ^ 0x6A6F_7572_6E61_6C)
        if journalDice.chance(in: 4) { terms.limitJournal(using: &journalDice) }
        // And for the same reason again.
        var classDice = SplitMix64(seed: seed ^ 0x636C_6173_73)
        if classDice.chance(in: 6) {
            terms.teachClass(using: &classDice)
            actions = Action.gathering(of: terms.clients, using: &classDice)
        }
        let kinds =
            Action.Kind.all + (terms.rooms == nil ? [] : Action.Kind.ofRooms)
            + (terms.classPlan == nil ? [] : Action.Kind.ofClass)
        var now = Duration.zero
        for _ in 0..<Int.random(in: 20...100, using: &dice) {
            now += .gap(countdown: terms.rules.countdown, using: &dice)
            actions.append(
                Action(
                    at: now, .draw(from: kinds, using: &dice),
                    client: .random(in: 0..<terms.clients, using: &dice), seed: dice.next()))
        }
        actions.sort { $0.at < $1.at }
    }

    package static var kinds: [String] { Action.names + Occurrence.allCases.map(\.rawValue) }

    package var actionCount: Int { actions.count }

    package func play(keepsTrace: Bool) -> Report {
        let world = World(self, keepsTrace: keepsTrace)
        world.run()
        return Report(
            violation: world.oracle.violation, duration: world.now, events: world.oracle.log.last,
            received: world.oracle.received, counts: world.oracle.counts, trace: world.lines)
    }

    /// A smaller plan that breaks the same promise, after at most 600 plays.
    package func shrunk() -> Plan {
        guard let promise = play().violation?.promise else { return self }
        let breaks = { (plan: Plan) in plan.play().violation?.promise == promise }
        var smallest = self
        smallest.terms.isCalm = true
        if !breaks(smallest) { smallest = self }
        smallest.actions = smallest.actions.shrunk(tries: 600) { actions in
            var plan = smallest
            plan.actions = actions
            return breaks(plan)
        }
        return smallest
    }
}

/// The result of playing a plan.
package struct Report: Sendable {
    /// The promise that was broken; nil if all were kept.
    package let violation: Violation?
    /// How much time passed in it.
    package let duration: Duration
    /// How many events the journal has in the end.
    package let events: Int
    /// How many lines the clients received.
    package let received: Int
    /// How often each kind of action and of occurrence was seen.
    package let counts: [String: Int]
    /// What happened, a line each, if that was asked for.
    package let trace: [String]
}

/// What holds for all of a simulation.
struct Terms: Sendable {
    /// How the journal is written.
    enum LogMode: CaseIterable, Sendable {
        /// By a thread of its own.
        case thread
        /// By the server's loop between two turns, while that is quick.
        case inline
        /// Within the step that appends to it.
        case immediate
    }

    let rules: Rules
    let catalogue: Catalogue
    /// What makes the sale a game; nil for a plain sale.
    let game: GameTerms?
    /// What rooms clients open; nil for one room.
    private(set) var rooms: RoomTerms?
    /// What a class plays; nil if none is taught.
    private(set) var classPlan: ClassPlan?
    private(set) var clients: Int
    private(set) var limits: Limits
    /// The bytes after which a segment of the journal is full.
    let segmentBytes: Int
    let retention: Retention
    let logMode: LogMode
    /// By how many lines of news a client may be behind.
    let ringLines: Int
    /// Every client whose index is divisible by this connects through a proxy; nil for none.
    let proxied: Int?
    /// Every client whose index is divisible by this speaks WebSocket; nil for none.
    let visitors: Int?
    /// With this many connections open, a newcomer is refused at once.
    let openLimit: Int
    /// Over how many loops the connections are spread.
    let loops: Int
    /// How late a loop beside the actor's may be.
    let loopLag: Duration
    /// The number of bytes not taken by the actor above which such a loop stops reading.
    let mostRead: Int
    /// The number of unsent effects above which the actor stops reading.
    let mostUnsent: Int
    /// Whether bytes arrive whole and at once, and the disk is quick.
    var isCalm = false

    fileprivate init(using dice: inout SplitMix64) {
        let start = Price(.random(in: 1...50, using: &dice)) ?? .lowest
        rules = Rules(
            seconds: dice.pick([1, 2, 3, 5, 7]), start: start,
            step: Price(.random(in: 1...9, using: &dice)) ?? .lowest,
            allowsSelfRaise: dice.chance(in: 4),
            longest: dice.chance(in: 3) ? .seconds(4) : nil,
            mostRaise: dice.chance(in: 5) ? Price(1000) : nil)
        game = dice.chance(in: 2) ? GameTerms(rules, using: &dice) : nil
        let titles = dice.chance(in: 3) ? (1...6).map { "Clock \($0)" } : []
        catalogue = Catalogue(
            plans: game?.plans ?? titles.map { LotPlan(title: $0) },
            pause: .milliseconds(Int.random(in: 0...3000, using: &dice)))
        clients = .random(in: 2...7, using: &dice)
        var limits = dice.chance(in: 2) ? Limits(clients: clients, using: &dice) : .none
        limits.greetingDelay = dice.pick([.milliseconds(20), .milliseconds(200)])
        self.limits = limits
        segmentBytes = dice.pick([400, 1500, 6000, 64 << 10])
        retention = Retention(bytes: dice.chance(in: 3) ? 4 * segmentBytes : nil)
        logMode = dice.pick(LogMode.allCases)
        ringLines = dice.pick([3, 9, 40])
        proxied = dice.chance(in: 3) ? .random(in: 1...2, using: &dice) : nil
        visitors = dice.chance(in: 2) ? .random(in: 1...2, using: &dice) : nil
        openLimit = dice.chance(in: 4) ? .random(in: 1...clients, using: &dice) : .max
        loops = .random(in: 1...3, using: &dice)
        loopLag = dice.pick([.microseconds(200), .milliseconds(5), .milliseconds(120)])
        mostRead = dice.pick([8, 100, 1 << 20])
        mostUnsent = dice.pick([2, 9, 40, 1 << 13, 1 << 13, 1 << 13])
    }

    /// Limits the journal's bytes so that most crowds reach the limit, and wait some seconds.
    fileprivate mutating func limitJournal(using dice: inout SplitMix64) {
        limits.addressJournal = TokenBucket.Rate(
            .random(in: 200...1000, using: &dice), per: .seconds(1),
            burst: .random(in: 100...1500, using: &dice))
    }

    fileprivate mutating func teachClass(using dice: inout SplitMix64) {
        classPlan = ClassPlan(using: &dice)
        clients = .random(in: 4...7, using: &dice)
    }

    /// Whether some amounts are not for everybody.
    var hasSecrets: Bool { game != nil || classPlan != nil }

    fileprivate mutating func openRooms(using dice: inout SplitMix64) {
        rooms = RoomTerms(rules)
        limits.rooms = dice.pick([2, 3, 4])
        limits.roomsPerAddress = dice.chance(in: 2) ? .random(in: 1...2, using: &dice) : nil
        let idle = Duration.random(in: 500_000_000...9_000_000_000, using: &dice)
        limits.roomIdle = dice.chance(in: 4) ? nil : idle
        limits.kick = .random(in: 0...20_000_000_000, using: &dice)
    }
}

extension Limits {
    fileprivate init(clients: Int, using dice: inout SplitMix64) {
        self = .none
        if dice.chance(in: 3) { connections = max(clients + .random(in: -2...3, using: &dice), 1) }
        if dice.chance(in: 2) { connectionsPerAddress = .random(in: 1...4, using: &dice) }
        if !dice.chance(in: 3) { lines = .aSecond(bursts: 2...10, using: &dice) }
        if !dice.chance(in: 3) { addressLines = .aSecond(bursts: 2...20, using: &dice) }
        if !dice.chance(in: 3) { wrongTokensInRow = .random(in: 1...9, using: &dice) }
        if !dice.chance(in: 3) { nameUses = .aMinute(.random(in: 1...5, using: &dice)) }
        if !dice.chance(in: 3) { wrongTokens = .aMinute(.random(in: 1...4, using: &dice)) }
        if !dice.chance(in: 3) { openings = .aMinute(.random(in: 1...5, using: &dice)) }
        kick = .random(in: 0...20_000_000_000, using: &dice)
        absence = .random(in: 0...5_000_000_000, using: &dice)
        if !dice.chance(in: 3) { answerLines = .random(in: 2...12, using: &dice) }
        if !dice.chance(in: 3) { lineTime = .seconds(Int.random(in: 1...30, using: &dice)) }
    }
}

extension TokenBucket.Rate {
    /// `count` a minute, all of them at once if need be.
    fileprivate static func aMinute(_ count: Int) -> Self {
        Self(count, per: .seconds(60), burst: count)
    }

    /// 2 to 20 a second.
    fileprivate static func aSecond(
        bursts: ClosedRange<Int>, using dice: inout SplitMix64
    ) -> Self {
        Self(
            .random(in: 2...20, using: &dice), per: .seconds(1),
            burst: .random(in: bursts, using: &dice))
    }
}

extension Duration {
    /// Draws a duration in nanoseconds.
    static func random(in nanoseconds: ClosedRange<Int64>, using dice: inout SplitMix64) -> Duration
    {
        .nanoseconds(Int64.random(in: nanoseconds, using: &dice))
    }

    /// Draws the time to the next action: at once, soon, or about the end of the lot.
    fileprivate static func gap(countdown: Duration, using dice: inout SplitMix64) -> Duration {
        switch Int.random(in: 0..<10, using: &dice) {
        case 0..<4: .random(in: 0...3_000_000, using: &dice)
        case 4..<8: .random(in: 0...700_000_000, using: &dice)
        default: countdown * Int.random(in: 20...150, using: &dice) / 100
        }
    }

    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Minutes, seconds and microseconds, such as `01:02.345678`.
    var stopwatch: String {
        let microseconds = nanoseconds / 1000
        let (seconds, rest) = (microseconds / 1_000_000, microseconds % 1_000_000)
        return "\(padded(seconds / 60, 2)):\(padded(seconds % 60, 2)).\(padded(rest, 6))"
    }
}

private func padded(_ number: Int64, _ length: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(length - digits.count, 0)) + digits
}

extension SplitMix64 {
    /// Whether one of `cases` equally likely cases came up.
    mutating func chance(in cases: Int) -> Bool {
        Int.random(in: 0..<cases, using: &self) == 0
    }

    /// Draws one of the elements, of which there must be one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }
}

extension Array {
    /// The array without elements that a failure does not need; large pieces are left out first.
    ///
    /// Calls `fails` at most `tries` times.
    package func shrunk(tries: Int, while fails: ([Element]) -> Bool) -> [Element] {
        var (smallest, left) = (self, tries)
        var length = (count + 1) / 2
        while length > 0, left > 0 {
            var start = 0
            while start < smallest.count, left > 0 {
                var candidate = smallest
                candidate.removeSubrange(start..<Swift.min(start + length, smallest.count))
                left -= 1
                if fails(candidate) { smallest = candidate } else { start += length }
            }
            length /= 2
        }
        return smallest
    }
}
