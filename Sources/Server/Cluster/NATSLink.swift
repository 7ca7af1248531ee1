import Basics
import Cluster
import Posix
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The connection of a node to one of several NATS servers, which connects again when it is lost.
///
/// Only the thread of its loop uses it.
final class NATSLink {
    /// What happened on the connection.
    enum Event {
        /// It was made.
        case connected(NATSSession.ServerInfo)
        case message(NATSMessage, subscription: Int)
        /// It was lost, or could not be made, for this reason.
        case lost(String)
    }

    /// The longest attempt to connect, and the time between two `PING`s.
    ///
    /// A server that is silent for twice this time counts as lost.
    private static let patience = Duration.seconds(2)
    /// How long to wait before the next server is tried.
    private static let pause = Duration.milliseconds(250)
    private static let readBytes = 256 * 1024
    /// The most bytes of a message that is accepted.
    private static let messageLimit = 64 << 20

    private let loop: EventLoop
    private let servers: [NATSURL]
    private let name: String
    private var next: Int
    private var attempt: ConnectAttempt?
    private var socket: Int32 = -1
    private var handle: Handle?
    private var session: NATSSession?
    private var isConnected = false
    /// The bytes that the kernel has not taken, and how many of them it has.
    private var output: (bytes: [UInt8], sent: Int) = ([], 0)
    private var buffer = [UInt8](repeating: 0, count: readBytes)
    private var nextAttempt = Instant.distantPast
    /// How many servers in a row lacked what the auction needs.
    private var unusableCount = 0
    /// When the server last sent something, and when the next `PING` is due.
    private var (heardAt, nextPing) = (Instant.distantPast, Instant.distantPast)

    /// Makes a link that is not connected; `name` is what the server's operator sees.
    init(_ loop: EventLoop, to servers: [NATSURL], name: String) {
        (self.loop, self.servers, self.name) = (loop, servers, name)
        // A random first server spreads the nodes over the servers.
        next = .random(in: servers.indices)
    }

    deinit {
        attempt?.abandon()
        if socket != -1 { close(socket) }
    }

    /// When `turn` is next due without a ready descriptor.
    var deadline: Instant? {
        if socket != -1 { return nextPing }
        return attempt == nil ? nextAttempt : nil
    }

    /// Whether none of the servers can be used, because each lacks what the auction needs.
    var areAllUnusable: Bool { unusableCount >= servers.count }

    /// Whether the handle is that of the link.
    func contains(_ handle: Handle) -> Bool { handle == self.handle }

    /// Connects, reads and checks the server; returns what happened.
    func turn(_ readiness: Readiness?, at now: Instant) -> [Event] {
        guard socket != -1 else { return connect(at: now) }
        if let readiness, contains(readiness.handle) {
            if readiness.isReadable, let events = read(at: now) { return events }
            if readiness.isWritable, let problem = write() { return lose(problem, at: now) }
        }
        guard nextPing <= now else { return [] }
        guard heardAt.advanced(by: Self.patience * 2) > now else {
            return lose("the server is silent", at: now)
        }
        session?.ping()
        nextPing = now.advanced(by: Self.patience)
        return []
    }

    /// Sends commands, as far as the kernel takes them now.
    func transmit(_ commands: [NATSCommand], at now: Instant) -> [Event] {
        guard socket != -1 else { return [] }
        for command in commands { session?.send(command) }
        return write().map { lose($0, at: now) } ?? []
    }

    private func connect(at now: Instant) -> [Event] {
        guard let attempt else {
            guard nextAttempt <= now else { return [] }
            let server = servers[next % servers.count]
            attempt = ConnectAttempt(
                to: .network(host: server.host, port: server.port), timeout: Self.patience,
                waking: loop)
            return []
        }
        guard let outcome = attempt.takeOutcome() else { return [] }
        self.attempt = nil
        do {
            socket = try outcome.get()
            handle = try loop.register(socket, for: .readable)
        } catch {
            return lose("\(error)", at: now)
        }
        session = NATSSession(
            servers[next % servers.count].credentials, name: name, version: Release.version,
            messageLimit: Self.messageLimit)
        (heardAt, nextPing) = (now, now.advanced(by: Self.patience))
        return []
    }

    private func read(at now: Instant) -> [Event]? {
        do {
            guard let count = try readAvailable(socket, into: &buffer) else { return nil }
            guard count > 0 else { return lose("the server closed the connection", at: now) }
            heardAt = now
            try session?.receive(buffer.span.extracting(first: count))
        } catch {
            let isUnusable = (error as? NATSProblem)?.isLasting == true
            return takeEvents() + lose("\(error)", isUnusable: isUnusable, at: now)
        }
        let events = takeEvents()
        return write().map { events + lose($0, at: now) } ?? events
    }

    private func takeEvents() -> [Event] {
        var events: [Event] = []
        while let event = session?.nextEvent() {
            switch event {
            case .connected(let server):
                isConnected = true
                events.append(.connected(server))
            case .message(let message, let subscription):
                events.append(.message(message, subscription: subscription))
            case .pong, .refused: break
            }
        }
        return events
    }

    /// Writes what waits; returns why that is not possible any more.
    private func write() -> String? {
        if let more = session?.takeOutput(), !more.isEmpty { output.bytes += more }
        while output.sent < output.bytes.count {
            let count = output.bytes.withUnsafeBytes { bytes in
                uninterrupted {
                    send(
                        socket, bytes.baseAddress.map { $0 + output.sent },
                        bytes.count - output.sent, Int32(MSG_NOSIGNAL))
                }
            }
            if count >= 0 {
                output.sent += count
            } else if errno == EAGAIN {
                break
            } else {
                return SystemError(code: errno, call: "send").description
            }
        }
        let isDone = output.sent == output.bytes.count
        if isDone {
            output = ([], 0)
        } else if output.sent > Self.readBytes {
            output.bytes.removeFirst(output.sent)
            output.sent = 0
        }
        guard let handle else { return nil }
        do throws(SystemError) {
            try loop.change(handle, to: isDone ? .readable : [.readable, .writable])
            return nil
        } catch {
            return error.description
        }
    }

    private func lose(_ reason: String, isUnusable: Bool = false, at now: Instant) -> [Event] {
        if let handle { loop.deregister(handle) }
        if socket != -1 { close(socket) }
        (handle, socket, session, isConnected, output) = (nil, -1, nil, false, ([], 0))
        next += 1
        unusableCount = isUnusable ? unusableCount + 1 : 0
        nextAttempt = now.advanced(by: Self.pause)
        return [.lost(reason)]
    }
}
