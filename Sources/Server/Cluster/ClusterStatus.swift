import Auction
import Basics
import Cluster
import Posix
import Transport

/// What several machines that share rooms tell of themselves, for an operator.
public struct ClusterStatus {
    /// How long the heartbeats of all nodes are awaited, and at most the log.
    private static let (listening, patience) = (
        Membership.interval + .milliseconds(500), Duration.seconds(10)
    )

    private let nodes: [Heartbeat]
    private let owners: [RoomName: NodeInstance]
    /// The sequence of the last message of the log.
    private let last: Int

    /// Listens to the nodes and reads the log; takes some two seconds.
    ///
    /// - Throws: `ClusterFailure` if the servers cannot be reached, there is no auction, or its log
    ///   cannot be read; `SystemError` if there is no descriptor left.
    public init(_ servers: [NATSURL]) throws {
        let own = NodeInstance(.statusReader, number: .random(in: .min ... .max))
        let (loop, start) = (try EventLoop(), Instant.now)
        let link = NATSLink(loop, to: servers, name: "auction-server --status")
        let log = ReplicatedLog(own, firstSubscription: 2, at: start)
        var (membership, problem) = (Membership(own, at: start), nil as String?)
        var listenedAt: Instant?
        try loop.run { ready, _ in
            let now = Instant.now
            log.expire(at: now)
            var events = link.turn(ready.first { link.contains($0.handle) }, at: now)
            events += link.transmit(log.takeCommands(), at: now)
            for event in events {
                switch event {
                case .connected(let server):
                    (problem, listenedAt) = (nil, now)
                    log.connected(maximumPayload: server.maxPayload, replicas: nil, at: now)
                    _ = link.transmit([.subscribe(Membership.subject, number: 1)], at: now)
                case .message(let message, subscription: 1):
                    if let heartbeat = Heartbeat(message.payload) {
                        membership.receive(heartbeat, at: now)
                    }
                case .message(let message, let subscription):
                    log.receive(message, subscription: subscription, at: now)
                case .lost(let reason):
                    (problem, listenedAt) = (reason, nil)
                    log.disconnected(at: now)
                }
            }
            _ = log.takeFollowed()
            if let failure = log.progress.failure { throw ClusterFailure(failure.description) }
            if let problem, link.areAllUnusable { throw ClusterFailure(problem) }
            let heardAll = listenedAt?.advanced(by: Self.listening)
            if let heardAll, heardAll <= now, log.isCaughtUp {
                loop.stop()
            } else if start.advanced(by: Self.patience) <= now {
                throw ClusterFailure(
                    unreachable: problem,
                    else: log.problem ?? "the stream cannot be read in time: try again")
            }
            _ = link.transmit(log.takeCommands(), at: now)
            let next = Instant.earliest(link.deadline, log.deadline)
            return Instant.earliest(next, now.advanced(by: .milliseconds(100)))
        }
        (nodes, owners, last) = (membership.nodes, log.owners, log.appliedSequence)
    }

    /// The lines of two tables: the nodes, and the rooms.
    public var lines: [String] {
        var lines = [Self.row("NODE", "ADDRESS", "CONNECTIONS", "ROOMS", "LAG")]
        for node in nodes {
            let rooms = owners.values.filter { $0 == node.instance }.count
            lines.append(
                Self.row(
                    "\(node.instance.name)", node.address, "\(node.connections)", "\(rooms)",
                    "\(max(last - node.applied, 0))"))
        }
        if nodes.isEmpty { lines.append("no node is up") }
        lines += ["", Self.row("ROOM", "OWNER", "PEOPLE")]
        let names = owners.keys.sorted { $0.description < $1.description }
        for room in names {
            guard let owner = owners[room] else { continue }
            let isUp = nodes.contains { $0.instance == owner }
            let followers = nodes.reduce(0) { $0 + ($1.followers[room] ?? 0) }
            lines.append(
                Self.row("\(room)", "\(owner.name)\(isUp ? "" : " (gone)")", "\(followers)"))
        }
        return lines
    }

    private static func row(_ columns: String...) -> String {
        let widths = [25, 26, 12, 6]
        return columns.enumerated().map { index, column in
            guard index < columns.count - 1 else { return column }
            let padding = max(widths[min(index, 3)] - column.utf8.count, 1)
            return column + String(repeating: " ", count: padding)
        }.joined()
    }
}
