import Basics
import Load
import Posix
import Transport

/// Connections that only listen.
final class Crowd {
    /// The connections that wait for their greeting: a server may accept no more in one turn.
    private static let mostAtOnce = 256

    private enum Stage {
        case connecting
        /// Waits for the reply to the newest request of this handshake.
        case subscribing(Handshake)
        case ready
    }

    private final class Member {
        let number: Int
        let connection: Connection
        var stage = Stage.connecting

        init(_ number: Int, _ connection: Connection) {
            self.number = number
            self.connection = connection
        }
    }

    private let servers: [Server]
    private let loop: EventLoop
    private let dialect: Dialect
    private var members: [Handle: Member] = [:]
    private var begun = 0
    private var buffer = [UInt8](repeating: 0, count: Connection.readBytes)
    private var greeted = 0

    /// Creates an empty crowd on a loop, which will be spread evenly over the servers.
    init(on loop: EventLoop, around servers: [Server], speaking dialect: Dialect) {
        self.servers = servers
        self.loop = loop
        self.dialect = dialect
    }

    /// The names of its connections on the loop.
    var handles: [Handle] { Array(members.keys) }

    /// Connects a number of observers, and blocks until each has been greeted.
    func gather(_ count: Int) throws {
        var addresses: [RemoteAddress] = []
        for server in servers.prefix(count) {
            let socket = try server.connect()
            addresses.append(try RemoteAddress(of: socket))
            try add(socket)
        }
        var deadline = monotonicNanoseconds() + patienceNanoseconds
        try loop.run { ready, _ in
            let before = greeted
            for readiness in ready { try welcome(readiness) }
            while begun < count && begun - greeted < Self.mostAtOnce {
                try add(try addresses[begun % addresses.count].dial(begun))
            }
            if greeted == count { loop.stop() }
            let now = monotonicNanoseconds()
            if greeted > before { deadline = now + patienceNanoseconds }
            guard now < deadline else { throw Failure.notGreeted(count - greeted) }
            return Instant(nanoseconds: deadline)
        }
    }

    /// Reads once for a member, and calls `body` with its number and the bytes.
    ///
    /// The bytes start at a message; `body` returns the length of the complete messages, and gets
    /// the rest again. A handle of another connection is ignored.
    func receive(_ readiness: Readiness, _ body: (Int, Span<UInt8>) throws -> Int) throws {
        guard let member = members[readiness.handle] else { return }
        try member.connection.receive(through: &buffer) { try body(member.number, $0) }
    }

    /// Sends the pong of the dialect for a member.
    func sendPong(for readiness: Readiness) throws {
        try members[readiness.handle]?.connection.send(dialect.pong)
    }

    private func add(_ socket: Int32) throws {
        let handle = try loop.register(socket, for: .writable)
        members[handle] = Member(begun, Connection(socket))
        begun += 1
    }

    private func subscribe(_ member: Member, by handshake: Handshake) throws {
        member.stage = .subscribing(handshake)
        try member.connection.send(handshake.request)
    }

    private func welcome(_ readiness: Readiness) throws {
        guard let member = members[readiness.handle] else { return }
        switch member.stage {
        case .connecting:
            try subscribe(member, by: dialect.observer)
            try loop.change(readiness.handle, to: .readable)
        case .subscribing(let handshake):
            try member.connection.receive(through: &buffer) { bytes in
                guard let end = handshake.end(in: bytes) else { return 0 }
                if let next = handshake.next {
                    try subscribe(member, by: next)
                } else {
                    member.stage = .ready
                    greeted += 1
                }
                return end
            }
        case .ready:
            try receive(readiness) { _, _ in 0 }
        }
    }
}
