import Load
import MonotonicTime
import Posix
import Queues
import Transport

/// Connections that only listen.
final class Crowd {
    private enum Stage {
        case connecting
        /// Waits for the reply to the newest request of this handshake.
        case subscribing(Handshake)
        case ready
    }

    private final class Member {
        let number: Int
        let connection: Connection
        let since = monotonicNanoseconds()
        var stage = Stage.connecting

        init(_ number: Int, _ connection: Connection) {
            self.number = number
            self.connection = connection
        }
    }

    private let server: Server
    private let loop: EventLoop
    private let dialect: Dialect
    private var members: [Handle: Member] = [:]
    private var oldest = Queue<Handle>()
    private var begun = 0
    private var buffer = [UInt8](repeating: 0, count: Connection.readBytes)
    /// From starting a connection to the reply to its first command.
    private(set) var greeting = Histogram()

    /// Creates an empty crowd on a loop.
    init(on loop: EventLoop, around server: Server, speaking dialect: Dialect) {
        self.server = server
        self.loop = loop
        self.dialect = dialect
    }

    /// The names of its connections on the loop.
    var handles: [Handle] { Array(members.keys) }

    /// Connects a number of observers, and blocks until each has been greeted.
    ///
    /// `limit` connections wait for their greeting at a time: a server may accept no more in one
    /// turn. Those beyond `capacity` replace the oldest, which are closed.
    func gather(_ count: Int, atOnce limit: Int = 256, keeping capacity: Int = .max) throws {
        let first = try server.connect()
        let address = try RemoteAddress(of: first)
        try add(first)
        var progress = Progress(of: "connections greeted")
        var deadline = monotonicNanoseconds() + patienceNanoseconds
        try loop.run { ready, _ in
            let before = greeting.count
            for readiness in ready { try welcome(readiness) }
            while oldest.count > capacity { leave() }
            while begun < count && begun - greeting.count < limit {
                try add(try address.dial(begun))
            }
            if greeting.count == count { loop.stop() }
            let now = monotonicNanoseconds()
            progress.show(greeting.count, at: now)
            if greeting.count > before { deadline = now + patienceNanoseconds }
            guard now < deadline else { throw Failure.notGreeted(count - greeting.count) }
            return Instant(nanoseconds: min(deadline, progress.next))
        }
    }

    /// Closes all connections.
    func leaveAll() {
        while !oldest.isEmpty { leave() }
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

    private func leave() {
        guard let handle = oldest.popFirst() else { return }
        loop.deregister(handle)
        members[handle] = nil
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
                    greeting.record(monotonicNanoseconds() - member.since)
                    oldest.append(readiness.handle)
                }
                return end
            }
        case .ready:
            try receive(readiness) { _, _ in 0 }
        }
    }
}
