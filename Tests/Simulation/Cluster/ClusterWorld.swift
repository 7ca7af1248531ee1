import Basics
import ClusterSupport
import TestSupport

/// Several nodes with their clients, and NATS between the nodes, on one timeline.
final class ClusterWorld {
    /// When the clients of the end begin, after everything works again, and when they stop.
    ///
    /// The lists that clients are told are compared `restTime` after that.
    private static let (restTime, playTime) = (Duration.seconds(12), Duration.seconds(12))
    /// How long everything may take then until nothing happens any more.
    private static let calmTime = Duration.seconds(13)
    /// With more turns than this in a row at one instant, a node keeps itself awake.
    private static let mostTurns = 1000

    let plan: ClusterPlan
    let nats: FakeNATS
    let judge: ClusterJudge
    private var dice: SplitMix64
    private var timers = TimerQueue<() -> Void, Instant>()
    private(set) var nodes: [ClusterMachine] = []
    private(set) var clients: [ClusterClient] = []
    private(set) var now = Instant(nanoseconds: 0)
    private(set) var counts: [String: Int] = [:]
    private(set) var lines: [String] = []
    private let keepsTrace: Bool
    /// Whether nothing goes wrong any more.
    private(set) var isQuiet = false
    private var turnCount = 0

    init(_ plan: ClusterPlan, keepsTrace: Bool) {
        (self.plan, self.keepsTrace) = (plan, keepsTrace)
        dice = SplitMix64(seed: ~plan.seed)
        nats = FakeNATS(seed: dice.next(), isCluster: plan.terms.isCluster)
        judge = ClusterJudge()
    }

    /// Whether a machine of a node was lost for good.
    var hasLostNode: Bool { nodes.contains(where: \.isLost) }

    /// The time since the start.
    var duration: Duration { Instant(nanoseconds: 0).duration(to: now) }

    func trace(_ text: @autoclosure () -> String) {
        guard keepsTrace else { return }
        lines.append("\(duration.stopwatch)  \(text())")
    }

    func count(_ name: String) { counts[name, default: 0] += 1 }

    func after(_ duration: Duration, _ action: @escaping () -> Void) {
        timers.insert(action, due: now.advanced(by: duration))
    }

    /// Draws a delay of at most some milliseconds, of which a part is less than one.
    func delay(upTo milliseconds: Int64) -> Duration {
        .random(in: 20_000...max(milliseconds * 1_000_000, 200_000), using: &dice)
    }

    // The course

    /// Lets everything happen, up to the first promise that is broken.
    func run() {
        nats.faults.delay = 0...plan.terms.natsDelay
        if plan.planted == .comparisonsIgnored { nats.faults.ignoredComparisons = 100 }
        nodes = plan.terms.nodes.map { ClusterMachine($0, seed: dice.next(), self) }
        let bidders = (0..<plan.terms.bidders).map {
            ClusterClient("c\($0)", seed: dice.next(), self)
        }
        clients = bidders + nodes.flatMap { observers(at: $0) }
        for node in nodes { node.start() }
        for client in clients { client.connectSoon() }
        for action in plan.actions { after(action.at) { [self] in perform(action) } }
        let end = max(plan.actions.last?.at ?? .zero, .seconds(5))
        after(end) { [self] in calmDown() }
        let last = Instant(nanoseconds: 0).advanced(
            by: end + Self.restTime + Self.playTime + Self.calmTime)
        while judge.violation == nil, let due = Instant.earliest(timers.deadline, nats.deadline),
            due <= last
        {
            advance(to: due)
        }
        if judge.violation == nil { judge.checkEnd(self) }
        for node in nodes { node.endOfWorld() }
        (nodes, clients, timers) = ([], [], TimerQueue())
    }

    private func observers(at node: ClusterMachine) -> [ClusterClient] {
        ClusterTerms.watched.map { room in
            ClusterClient(
                "\(node.name)-\(room)", seed: dice.next(), self, watching: room, at: node)
        }
    }

    private func advance(to time: Instant) {
        turnCount = time == now ? turnCount + 1 : 0
        if turnCount > Self.mostTurns {
            judge.report(.restful, "\(turnCount) things happen at one instant")
        }
        now = time
        let received = nats.advance(to: now)
        judge.read(nats.history)
        for item in received { nodes.first { $0.has(item.connection) }?.receive(item) }
        while judge.violation == nil, let action = timers.popDue(at: now) { action() }
    }

    private func perform(_ action: ClusterAction) {
        count(action.kind.rawValue)
        var dice = SplitMix64(seed: action.seed)
        switch action.kind {
        case .kill, .stop, .freeze, .partition:
            nodes[action.index].suffer(action.kind, &dice)
        case .leaderless:
            let time = Duration.milliseconds(Int.random(in: 200...8000, using: &dice))
            trace("-- NATS has no leader for \(time)")
            nats.stopLeader(until: now.advanced(by: time))
        case .faults: setFaults(&dice)
        case .name, .bid, .open, .end, .join, .say, .react, .laps, .results, .who, .rooms,
            .standings, .resume, .status, .ping, .quit, .burst, .drop, .fallBehind:
            trace("-- \(clients[action.index].name): \(action.kind.rawValue)")
            clients[action.index].perform(action.kind, &dice)
        }
    }

    /// Lets requests to NATS fail for a while.
    private func setFaults(_ dice: inout SplitMix64) {
        func percent(_ dice: inout SplitMix64) -> Int { dice.pick([0, 0, 0, 10, 50]) }
        nats.faults.lostAcknowledgements = percent(&dice)
        nats.faults.errorsAfterStoring = percent(&dice)
        nats.faults.errorsBeforeStoring = percent(&dice)
        nats.faults.lostRequests = percent(&dice)
        nats.faults.lostDeliveries = percent(&dice) / 5
        nats.faults.repeatedDeliveries = percent(&dice)
        let time = Duration.milliseconds(Int.random(in: 500...6000, using: &dice))
        trace("-- NATS loses requests for \(time)")
        after(time) { [self] in endFaults() }
    }

    private func endFaults() {
        let (delay, ignored) = (nats.faults.delay, nats.faults.ignoredComparisons)
        nats.faults = FakeNATS.Faults()
        (nats.faults.delay, nats.faults.ignoredComparisons) = (delay, ignored)
    }

    /// Ends everything that is wrong; a while later clients bid in each room.
    private func calmDown() {
        trace("-- everything works again")
        isQuiet = true
        endFaults()
        nats.stopLeader(until: now)
        for client in clients where client.isNodeLost { client.rest() }
        clients.removeAll(where: \.isNodeLost)
        nodes.removeAll(where: \.isLost)
        for node in nodes { node.recover() }
        if plan.terms.hasNewcomer {
            count("newcomer")
            let newcomer = ClusterMachine("five", seed: dice.next(), self)
            nodes.append(newcomer)
            newcomer.start()
            let observers = observers(at: newcomer)
            clients += observers
            for client in observers { client.connectSoon() }
        }
        after(Self.restTime) { [self] in
            judge.beginEnd(at: now)
            trace("-- clients bid in each room")
            let players = judge.rooms.enumerated().map { index, room in
                ClusterClient(
                    "end-\(room)", seed: dice.next(), self, playing: room,
                    at: nodes[index % nodes.count])
            }
            clients += players
            for player in players { player.connectSoon() }
            // While bidders are present, some rooms open lot after lot.
            after(Self.playTime) { [self] in
                for client in clients where !client.isObserver { client.rest() }
            }
            after(Self.playTime + Self.restTime) { [self] in
                judge.beginComparing()
                for client in clients where client.isObserver { client.compare() }
            }
        }
    }
}
