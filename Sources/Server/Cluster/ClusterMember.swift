import Auction
import Basics
import Cluster
import House
import Posix
import Transport

/// What an operator chooses for a node of several.
public struct ClusterSettings: Sendable {
    /// The NATS servers, of which one is used at a time.
    public var servers: [NATSURL]
    /// The name of the node.
    public var node: NodeName

    /// Makes the settings of a node.
    public init(_ servers: [NATSURL], node: NodeName) {
        (self.servers, self.node) = (servers, node)
    }
}

/// A node that cannot take part, or no longer.
public struct ClusterFailure: Error, CustomStringConvertible {
    /// Why, as a sentence.
    public let description: String

    init(_ reason: String) {
        description = reason
    }

    /// Says why NATS cannot be reached; `other` is the failure if it can be reached.
    init(unreachable reason: String?, else other: String) {
        description =
            reason.map { "cannot reach NATS: \($0); check that the servers of --cluster run" }
            ?? other
    }
}

/// A node that must begin again from the stream.
///
/// Another node owns one of its rooms, it missed or cannot apply a part of the stream, or it cannot
/// use the stream.
public struct NodeFenced: Error, CustomStringConvertible {
    /// Why, as a sentence.
    public let description: String
}

/// A node on the loop of its server: the connection to NATS, and what the node makes of it.
final class ClusterMember {
    /// How long the first connection may take.
    private static let startTime = Duration.seconds(30)

    let node: ClusterNode
    private let link: NATSLink
    private let log: Log
    /// Why the connection was lost last; nil while there is one.
    private var lost: String?
    /// The reasons for losses that were logged since the last connection.
    private var reasons: Set<String> = []
    /// Whether the warning about `sync_interval` was logged.
    private var hasWarned = false
    /// Whether the node can serve; nil before it could.
    private var isAvailable: Bool?

    init(_ settings: ClusterSettings, _ loop: EventLoop, _ log: Log) {
        node = ClusterNode(settings.node, number: .random(in: .min ... .max), at: .now)
        link = NATSLink(loop, to: settings.servers, name: "auction-server \(settings.node)")
        self.log = log
    }

    /// Follows the log until the state of all rooms is known and a live node owns `main`.
    ///
    /// - Throws: `ClusterFailure` if that takes too long, or the servers cannot be used.
    func begin(on loop: EventLoop, _ house: inout House) throws {
        let end = Instant.now.advanced(by: Self.startTime)
        try loop.run { ready, _ in
            let now = Instant.now
            read(ready, at: now)
            do throws(ClusterError) {
                try node.deliver(to: &house, at: now)
            } catch {
                throw NodeFenced(description: error.description)
            }
            node.finish(house)
            flush(at: now)
            log.endTurn(at: now)
            if let lost, link.areAllUnusable { throw ClusterFailure(lost) }
            if let conflict = node.conflict { throw ClusterFailure(conflict) }
            if let problem = node.problem { throw NodeFenced(description: problem) }
            if node.isReady {
                loop.stop()
            } else if now >= end {
                throw ClusterFailure(
                    unreachable: lost,
                    else: node.log.problem ?? "no node owns main: see the logs of the other nodes")
            }
            return Instant.earliest(deadline, end)
        }
    }

    /// When a turn is due without a ready descriptor.
    var deadline: Instant? { Instant.earliest(link.deadline, node.deadline) }

    /// Whether the handle is that of the connection.
    func contains(_ handle: Handle) -> Bool { link.contains(handle) }

    /// Reads what NATS has sent.
    func read(_ ready: [Readiness], at now: Instant) {
        let readiness = ready.first { link.contains($0.handle) }
        take(link.turn(readiness, at: now), at: now)
    }

    /// Tells the other nodes that this one leaves.
    func leave(_ house: borrowing House) {
        node.leave(house)
        flush(at: .now)
    }

    /// Sends what waits for NATS.
    func flush(at now: Instant) {
        take(link.transmit(node.takeCommands(), at: now), at: now)
        logAvailability()
    }

    private func logAvailability() {
        let isServing = node.isServing
        guard isServing || isAvailable != nil, isServing != isAvailable else { return }
        if !isServing {
            log.write(.warning, "unavailable") {
                $0.add("reason", node.log.problem ?? lost ?? "NATS has stored nothing for a second")
            }
        } else if isAvailable == false {
            log.write(.info, "available")
        }
        isAvailable = isServing
    }

    private func take(_ events: [NATSLink.Event], at now: Instant) {
        for event in events {
            switch event {
            case .connected(let server): connected(server, at: now)
            case .message(let message, let subscription):
                node.receive(message, subscription: subscription, at: now)
            case .lost(let reason):
                if reasons.insert(reason).inserted {
                    log.write(.warning, "nats-lost") { $0.add("reason", reason) }
                }
                if lost == nil { node.disconnected(at: now) }
                lost = reason
            }
        }
    }

    private func connected(_ server: NATSSession.ServerInfo, at now: Instant) {
        (lost, reasons) = (nil, [])
        log.write(.info, "nats") { line in
            line.add("server", server.name)
            line.add("version", server.version)
        }
        if !hasWarned {
            log.write(.warning, "sync-interval") {
                $0.add("reason", "cannot be checked: set sync_interval: always on each NATS server")
            }
        }
        hasWarned = true
        node.connected(server, at: now)
    }
}
