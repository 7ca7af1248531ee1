import Basics
import TestSupport

/// What several nodes, their clients and NATS do in one simulation: everything follows from a seed.
package struct ClusterPlan: SimulationPlan {
    /// A fault that is planted in a node or in NATS, which a check must find.
    package enum Planted: String, CaseIterable, Sendable {
        /// NATS stores messages although they expect another one before them.
        case comparisonsIgnored = "comparisons-ignored"
        /// A node counts what it has sent to NATS as durable.
        case durableWhenSent = "durable-when-sent"
        /// A node hears no heartbeats, and so takes over the rooms of the others.
        case heartbeatsUnheard = "heartbeats-unheard"
        /// A node leaves bids out of what it appends.
        case bidsDropped = "bids-dropped"
        /// A node that was fenced goes on, and sends what it has decided.
        case fencingUnnoticed = "fencing-unnoticed"
        /// A node swaps two news that it sends to its clients.
        case newsSwapped = "news-swapped"
        /// A node appends a winner that is not the last bidder.
        case winnerChanged = "winner-changed"
        /// A node reads a value of a lot that is not the one that was drawn.
        case valueMisread = "value-misread"
        /// A node reads results that are not those of the state.
        case resultsMisread = "results-misread"
        /// A node sends a refusal for a bid that it has accepted.
        case bidDenied = "bid-denied"

        /// The promise that it breaks.
        package var promise: Promise {
            switch self {
            case .comparisonsIgnored: .fenced
            case .durableWhenSent: .durable
            case .heartbeatsUnheard: .live
            case .bidsDropped: .acknowledged
            case .fencingUnnoticed, .newsSwapped: .order
            case .winnerChanged: .oneWinner
            case .valueMisread: .sameValue
            case .resultsMisread: .agreed
            case .bidDenied: .refused
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
    package func play(keepsTrace: Bool) -> Report {
        let world = ClusterWorld(self, keepsTrace: keepsTrace)
        world.run()
        return Report(
            violation: world.judge.violation, duration: world.duration,
            events: world.judge.newsCount, received: world.judge.lineCount,
            counts: world.counts.merging(world.judge.counts, uniquingKeysWith: +),
            trace: world.lines)
    }

    /// A plan with fewer actions that breaks the same promise, if there is one.
    package func shrunk() -> ClusterPlan {
        guard let promise = play().violation?.promise else { return self }
        var plan = self
        plan.actions = actions.shrunk(tries: 400) { actions in
            var plan = self
            plan.actions = actions
            return plan.play().violation?.promise == promise
        }
        return plan
    }

    package var actionCount: Int { actions.count }

    package static var kinds: [String] {
        ClusterAction.Kind.allCases.map(\.rawValue) + StreamModel.occurrences
            + ["newcomer", "purged before read", "lost node"]
    }
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
    /// After how many entries a node stores states; nil for as many as in the program.
    let segmentEntries: Int?
    /// Whether another node starts at the end, and reads only what the stream still has.
    let hasNewcomer: Bool

    /// The names that clients take.
    static let names = ["ann", "bob", "cat", "Dan", "eve"]
    /// The rooms that clients open and join, and those that somebody always follows at each node.
    static let (rooms, watched) = (["blue", "red", "gold"], ["main", "blue", "red"])
    /// The options of rooms.
    static let openings = [
        "seconds=1", "seconds=2", "seconds=3", "seconds=2 worth=50..150",
        "format=sealed seconds=2 worth=50..150", "format=vickrey seconds=1 common=40..90 noise=10",
        "format=dutch seconds=2 start=20 step=1 worth=10..99",
    ]
    /// After how long without a connection a room ends.
    static let roomIdle = Duration.seconds(4)

    init(using dice: inout SplitMix64) {
        nodes = Array(["one", "two", "three", "four"].prefix(.random(in: 2...4, using: &dice)))
        bidders = .random(in: 2...5, using: &dice)
        seconds = dice.pick([1, 2, 3])
        pause = .milliseconds(Int.random(in: 0...1500, using: &dice))
        natsDelay = dice.pick([0, 3, 40])
        clientDelay = dice.pick([0, 5, 60])
        isCluster = !dice.chance(in: 4)
        segmentEntries = dice.pick([nil, 10, 40])
        hasNewcomer = dice.chance(in: 3)
    }
}

/// Something that a client does, or that goes wrong, at a time.
package struct ClusterAction: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case name, bid, open, end, join, say, react, laps, results, who, rooms, standings, resume
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
                dice.pick([.bid, .bid, .bid, .name, .burst, .open, .end])
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
