import Auction
import Basics
import Posix
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connection to the server on the loop of its owner, which connects without blocking.
package final class ServerConnection {
    /// An event that the owner must handle.
    package enum Event: Equatable {
        /// The connection was made.
        case connected
        /// The attempt to connect failed.
        case unreachable(EndpointError)
        /// A line of the server, without its line end.
        case line(String)
        /// The connection ended.
        case lost
    }

    /// The maximum number of reads in one turn, so that keys are handled too.
    private static let maximumReads = 16

    /// The maximum length of a line; longer ones are ignored.
    private static let maximumLineBytes = 64 * 1024

    private let server: ServerAddress
    private let timeout: Duration
    private let connections: Connections
    private let loop: EventLoop
    private var attempt: ConnectAttempt?
    private var handle: Handle?
    /// Whether a send failed; the next `poll` reports it.
    private var hasFailed = false
    /// The pace of reading; nil to read whenever something arrives.
    private var pacing: ReadPacing?
    private var framer = LineFramer(limit: maximumLineBytes)
    private var buffer = [UInt8](repeating: 0, count: Connections.readBytes)

    /// Makes a connection that is not connected yet.
    ///
    /// The timeout is for each attempt to connect. With `readsInPeriods`, lines that arrive fast
    /// are read together, at most 30 times a second; then the owner calls `poll` at `deadline`.
    package init(
        to server: ServerAddress, timeout: Duration = .seconds(5), readsInPeriods: Bool = false,
        loop: EventLoop
    ) {
        pacing = readsInPeriods ? ReadPacing() : nil
        self.server = server
        self.timeout = timeout
        self.loop = loop
        connections = Connections(loop: loop)
    }

    deinit {
        attempt?.abandon()
    }

    /// Begins to connect, after closing an earlier connection or attempt.
    package func connect() {
        disconnect()
        attempt = ConnectAttempt(to: server, timeout: timeout, waking: loop)
    }

    /// Closes the connection, or ends the attempt to connect.
    package func disconnect() {
        attempt.take()?.abandon()
        handle.take().map { connections.close($0) }
        hasFailed = false
    }

    /// Queues a line, which `flush` sends; does nothing without a connection.
    package func send(_ line: String) {
        guard let handle else { return }
        connections.output.reply(handle, Array((line + "\n").utf8))
    }

    /// Sends the queued lines; if that fails, wakes the loop for the next `poll`.
    package func flush() {
        connections.flush()
        guard !connections.takeEnded().isEmpty else { return }
        hasFailed = true
        loop.wake()
    }

    /// Whether the kernel has taken all lines that were sent.
    package var isDrained: Bool {
        handle.map { connections.output.pendingBytes(of: $0) == 0 } ?? true
    }

    /// The result of an attempt, or the end of the connection; call it in each turn of the loop.
    package func poll() -> [Event] {
        let ended = connections.takeEnded()
        if !ended.isEmpty || hasFailed { return lose() }
        if let handle, connections.isSilenced(handle), pacing?.delay(at: .now) == nil {
            connections.unsilence(handle)
            return read(handle)
        }
        guard let outcome = attempt?.takeOutcome() else { return [] }
        attempt = nil
        switch outcome {
        case .success(let socket): return [adopt(socket)]
        case .failure(let error): return [.unreachable(error)]
        }
    }

    /// The events of a ready descriptor; empty if it is not that of the connection.
    package func handle(_ readiness: Readiness) -> [Event] {
        guard let handle, readiness.handle == handle else { return [] }
        if readiness.isWritable { connections.writable(handle) }
        guard readiness.isReadable else { return [] }
        if pacing?.delay(at: .now) != nil {
            connections.silence(handle)
            return []
        }
        return read(handle)
    }

    /// When to call `poll` because reading is to go on; nil if nothing waits to be read.
    package var deadline: Instant? {
        guard let handle, connections.isSilenced(handle) else { return nil }
        return pacing?.delay(at: .now) ?? .now
    }

    /// Reads what is there, up to the maximum number of reads.
    private func read(_ handle: Handle) -> [Event] {
        pacing?.read(at: .now)
        var events: [Event] = []
        for _ in 0..<(pacing == nil ? 1 : Self.maximumReads) {
            switch buffer.withUnsafeMutableBytes({ connections.read(handle, into: $0) }) {
            case .bytes(let count): events += lines(count)
            case .wouldBlock: return events
            case .end, .reset: return events + lose()
            }
        }
        return events
    }

    private func adopt(_ socket: Int32) -> Event {
        do {
            handle = try connections.adopt(socket)
            framer = LineFramer(limit: Self.maximumLineBytes)
            return .connected
        } catch {
            return .unreachable(.failed(error))
        }
    }

    private func lose() -> [Event] {
        disconnect()
        return [.lost]
    }

    private func lines(_ count: Int) -> [Event] {
        var lines: [String] = []
        let buffer = buffer
        framer.receive(buffer.span.extracting(first: count)) { frame in
            switch frame {
            case .line(let line):
                lines.append(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            case .tooLong, .negotiation, .filler: break
            }
        }
        return lines.map { .line($0) }
    }
}

/// How often a connection is read: at once while little arrives, and in periods while much does.
///
/// What arrives within a period is read together, so that 10,000 lines a second cause 30 wake-ups
/// and not thousands. Pure state; the owner passes the time.
package struct ReadPacing {
    /// The time between two reads while much arrives, about that of a frame.
    package static let period = Duration.milliseconds(33)
    /// The number of reads that may follow each other at once, as after connecting.
    package static let burst = 4

    /// Until when the reads so far are paid for, at one a period; nil before the first.
    private var paidUntil: Instant?

    package init() {}

    /// When the next read may begin; nil if it may now.
    package func delay(at now: Instant) -> Instant? {
        guard let paidUntil else { return nil }
        let next = paidUntil.advanced(by: Self.period * -(Self.burst - 1))
        return next > now ? next : nil
    }

    /// Records a read.
    package mutating func read(at now: Instant) {
        paidUntil = max(paidUntil ?? now, now).advanced(by: Self.period)
    }
}
