import Basics
import ClusterSupport
import TestSupport

/// The machine of a node: on it one process of the node runs after the other.
final class ClusterMachine {
    let name: String
    private unowned let world: ClusterWorld
    private var dice: SplitMix64
    private(set) var process: ClusterProcess?
    /// Until when no process can connect to NATS; nil if it can.
    private(set) var partitionedUntil: Instant?
    private var frozenUntil = Instant.distantPast
    /// Whether no process runs on it any more.
    private(set) var isLost = false

    init(_ name: String, seed: UInt64, _ world: ClusterWorld) {
        (self.name, self.world) = (name, world)
        dice = SplitMix64(seed: seed)
    }

    var isFrozen: Bool { frozenUntil > world.now }
    var isPartitioned: Bool { partitionedUntil.map { $0 > world.now } ?? false }
    /// When it goes on.
    var thawsAt: Instant { frozenUntil }

    /// Starts a process, which knows nothing of the one before.
    func start() {
        process = ClusterProcess(self, world, seed: dice.next())
        world.trace("\(name): starts as \(process?.digits ?? "")")
        process?.wake()
    }

    /// Starts again after the process has ended.
    func restart(_ reason: String) {
        world.trace("\(name): ends: \(reason)")
        process?.end()
        process = nil
        world.after(.random(in: 50_000_000...1_500_000_000, using: &dice)) { [self] in
            if process == nil { start() }
        }
    }

    /// Whether a connection to NATS is that of the process.
    func has(_ connection: Int) -> Bool { process?.connection == connection }

    func receive(_ item: FakeNATS.Received) { process?.receive(item) }

    func suffer(_ fault: ClusterAction.Kind, _ dice: inout SplitMix64) {
        let time = Duration.milliseconds(Int.random(in: 1000...20_000, using: &dice))
        switch fault {
        case .kill:
            guard process != nil else { return }
            if !world.hasLostNode, dice.chance(in: 6) { lose(&dice) } else { restart("killed") }
        case .stop: process?.shutDown()
        case .freeze:
            world.trace("\(name): frozen for \(time)")
            frozenUntil = max(frozenUntil, world.now.advanced(by: time))
            world.after(time) { [self] in process?.wake() }
        case .partition:
            world.trace("\(name): partitioned for \(time)")
            partitionedUntil = world.now.advanced(by: time)
            process?.holdConnection()
            world.after(time) { [self] in if !isPartitioned { endPartition() } }
        default: preconditionFailure("\(fault) is no fault of a machine")
        }
    }

    /// Loses the machine for good: others take over its rooms.
    private func lose(_ dice: inout SplitMix64) {
        world.trace("\(name): lost")
        world.count("lost node")
        isLost = true
        endOfWorld()
        // The other nodes pass requests on to it until they notice.
        for client in world.clients where !client.isObserver { client.perform(.join, &dice) }
    }

    private func endPartition() {
        partitionedUntil = nil
        process?.releaseConnection()
    }

    /// Ends everything that is wrong with it.
    func recover() {
        if isFrozen { world.trace("\(name): goes on") }
        frozenUntil = world.now
        if isPartitioned { endPartition() }
        process?.wake()
    }

    /// Ends the process for good.
    func endOfWorld() {
        process?.end()
        process = nil
    }
}
