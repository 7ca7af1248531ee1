import Basics
import TestSupport

/// What several nodes, their clients and NATS do in one simulation: everything follows from a seed.
package struct ClusterPlan: Sendable {
    /// A fault that is planted in a node or in NATS, which a check must find.
    package enum Planted: String, CaseIterable, Sendable {
        /// NATS stores messages although they expect another one before them.
        case comparisonsIgnored = "comparisons-ignored"
        /// A node counts what it has sent to NATS as durable.
        case durableWhenSent = "durable-when-sent"
        /// A node hears no heartbeats, and so takes over the rooms of the others.
        case heartbeatsUnheard = "heartbeats-unheard"

        /// The promise that it breaks.
        package var promise: Promise {
            switch self {
            case .comparisonsIgnored: .fenced
            case .durableWhenSent: .durable
            case .heartbeatsUnheard: .live
            }
        }
    }

    let seed: UInt64
    var terms: ClusterTerms
    /// What happens, in order of time.
    package internal(set) var actions: [ClusterAction]
    /// The fault that is planted; nil for none.
    package var planted: Planted?

    /// Draws what happens.
    package init(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        self.seed = seed
        terms = ClusterTerms(using: &dice)
        actions = []
        var time = Duration.seconds(4)
        for _ in 0..<Int.random(in: 30...90, using: &dice) {
            time += .gap(using: &dice)
            actions.append(ClusterAction(at: time, terms, using: &dice))
        }
    }

    /// Plays the plan up to the first promise that is broken.
    package func play(keepsTrace: Bool = false) -> ClusterReport {
        let world = ClusterWorld(self, keepsTrace: keepsTrace)
        world.run()
        return ClusterReport(
            violation: world.judge.violation, duration: world.duration,
            news: world.judge.newsCount, bids: world.judge.bidCount, counts: world.counts,
            trace: world.lines)
    }

    /// A plan with fewer actions that breaks the same promise, if there is one.
    package func shrunk(tries: Int = 400) -> ClusterPlan {
        guard let promise = play().violation?.promise else { return self }
        var plan = self
        plan.actions = actions.shrunk(tries: tries) { actions in
            var plan = self
            plan.actions = actions
            return plan.play().violation?.promise == promise
        }
        return plan
    }
}

/// The result of playing a plan.
package struct ClusterReport: Sendable {
    /// The promise that was broken; nil if all were kept.
    package let violation: Violation?
    /// How much time passed in it.
    package let duration: Duration
    /// The number of news that the stream has in the end.
    package let news: Int
    /// The number of bids that were answered by `OK`.
    package let bids: Int
    /// How often each kind of action and of occurrence was seen.
    package let counts: [String: Int]
    /// What happened, a line each, if that was asked for.
    package let trace: [String]
}

/// What holds for all of a simulation of several nodes.
struct ClusterTerms: Sendable {
    /// The names of the nodes.
    let nodes: [String]
    /// The number of clients that bid.
    let bidders: Int
    /// The seconds of a full countdown.
    let seconds: Int
    let pause: Duration
    /// The longest delay between a node and NATS, and between a client and its node, in
    /// milliseconds.
    let (natsDelay, clientDelay): (Int64, Int64)
    /// Whether NATS is a cluster.
    let isCluster: Bool

    /// The names that clients take, and the rooms that they open and join.
    static let (names, rooms) = (["ann", "bob", "cat", "Dan", "eve"], ["blue", "red"])

    init(using dice: inout SplitMix64) {
        nodes = Array(["one", "two", "three", "four"].prefix(.random(in: 2...4, using: &dice)))
        bidders = .random(in: 2...5, using: &dice)
        seconds = dice.pick([1, 2, 3])
        pause = .milliseconds(Int.random(in: 0...1500, using: &dice))
        natsDelay = dice.pick([0, 3, 40])
        clientDelay = dice.pick([0, 5, 60])
        isCluster = !dice.chance(in: 4)
    }
}

/// Something that a client does, or that goes wrong, at a time.
package struct ClusterAction: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case name, bid, open, join, say, react, laps, results, who, rooms, standings, resume
        case status, ping, quit, burst, drop, fallBehind
        case kill, stop, freeze, partition, leaderless, faults
    }

    let at: Duration
    let kind: Kind
    /// The client or the node.
    let index: Int
    let seed: UInt64

    fileprivate init(at time: Duration, _ terms: ClusterTerms, using dice: inout SplitMix64) {
        at = time
        let isFault = dice.chance(in: 6)
        kind =
            if isFault {
                dice.pick([
                    .kill, .kill, .stop, .freeze, .freeze, .partition, .partition,
                    .leaderless, .faults, .faults,
                ])
            } else if dice.chance(in: 2) {
                dice.pick([.bid, .bid, .bid, .name, .burst])
            } else {
                dice.pick(Array(Kind.allCases.prefix { $0 != .kill }))
            }
        index = .random(in: 0..<(isFault ? terms.nodes.count : terms.bidders), using: &dice)
        seed = dice.next()
    }
}

extension Duration {
    /// Draws the time to the next action: at once, soon, or a while later.
    fileprivate static func gap(using dice: inout SplitMix64) -> Duration {
        switch Int.random(in: 0..<10, using: &dice) {
        case 0..<4: .random(in: 0...5_000_000, using: &dice)
        case 4..<8: .random(in: 0...600_000_000, using: &dice)
        default: .random(in: 0...2_500_000_000, using: &dice)
        }
    }
}
