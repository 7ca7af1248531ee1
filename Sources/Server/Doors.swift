import Posix
import Transport
import Wire

/// The listener on its loop, shut while there is no descriptor for another connection.
final class Doors {
    /// The most connections that one turn lets in, so that those inside are heard in between.
    private static let batch = 256

    /// Where the doors are, as `127.0.0.1:7777`.
    let address: String
    /// The name of the listener on the loop.
    let handle: Handle
    private let loop: EventLoop
    private var listener: Listener?
    /// How long the doors stay shut when no connection closes.
    private static let pauseNanoseconds: Int64 = 250_000_000
    private var isShort = false
    private let reserve: Reserve
    private var refused = 0
    /// What somebody hears for whom there is no place.
    private let refusal: [UInt8]
    /// When the doors open again by themselves, in nanoseconds; nil while they are open.
    private(set) var deadline: Int64?

    /// - Throws: `EndpointError` or `SystemError` when there is no such address or it is in use.
    init(_ loop: EventLoop, host: String, port: UInt16, options: SocketOptions) throws {
        self.loop = loop
        reserve = try Reserve()
        refusal = [Notice.error(.full, tag: nil), .bye(.full)].flatMap {
            Array("\($0.text)\n".utf8)
        }
        let listener = try Listener(host: host, port: port, options: options)
        address = listener.address
        handle = try loop.register(listener.descriptor, for: .readable)
        self.listener = consume listener
    }

    /// Hands waiting connections over, each to `seat`; those it fails for are turned away, and so
    /// is whoever comes while it is crowded.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func letIn(
        _ log: Log, isCrowded: () -> Bool,
        _ seat: (Int32, PeerAddress) throws(SystemError) -> Void
    ) throws(SystemError) {
        for _ in 0..<Self.batch {
            guard let outcome = listener?.accept() else { return }
            switch outcome {
            case .accepted(let connection, _) where isCrowded(): refuse(connection)
            case .accepted(let connection, let source):
                do throws(SystemError) {
                    try seat(connection, PeerAddress(source))
                } catch {
                    log.write(.warning, "turned-away") { $0.add("reason", error.description) }
                }
            case .wouldBlock:
                isShort = false
                return
            case .exhausted(let error):
                guard let isWaiting = refuseNext() else {
                    return try shut(because: error, log)
                }
                if !isWaiting { return }
            }
        }
    }

    /// Returns how many were sent away on the spot since this was asked last.
    func takeRefused() -> Int {
        defer { refused = 0 }
        return refused
    }

    private func refuse(_ connection: Int32) {
        turnAway(connection, saying: refusal)
        refused += 1
    }

    /// Lets whoever waits in by the one descriptor that is kept for that, and sends them away; false
    /// if nobody waits, nil if that one is not enough.
    private func refuseNext() -> Bool? {
        reserve.lend {
            switch listener?.accept() {
            case .accepted(let connection, _)?:
                refuse(connection)
                return true
            case .wouldBlock?: return false
            case .exhausted?, nil: return nil
            }
        }
    }

    /// Lets people in again, if the doors are shut: a connection has closed, or time has passed.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func reopen() throws(SystemError) {
        guard deadline != nil, listener != nil else { return }
        deadline = nil
        try loop.change(handle, to: .readable)
    }

    /// Opens the doors again when their time has come.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func expire(at now: Int64) throws(SystemError) {
        if let deadline, deadline <= now { try reopen() }
    }

    /// Stops listening.
    func close() {
        guard listener != nil else { return }
        loop.deregister(handle)
        listener = nil
        deadline = nil
    }

    /// Lets nobody in for a while, and says so once until everybody who waited was let in.
    private func shut(because error: SystemError, _ log: Log) throws(SystemError) {
        if !isShort { log.write(.warning, "crowded") { $0.add("reason", error.description) } }
        isShort = true
        deadline = monotonicNanoseconds() + Self.pauseNanoseconds
        try loop.change(handle, to: [])
    }
}

extension PeerAddress {
    fileprivate init(_ source: SourceAddress?) {
        self = source.map { PeerAddress(high: $0.high, low: $0.low) } ?? .local
    }
}
