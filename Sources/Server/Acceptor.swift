import Auction
import Basics
import Posix
import Transport
import Wire

/// Accepts connections on the listeners, and pauses while no descriptor is free.
final class Acceptor {
    /// The maximum number of connections that one turn accepts; the rest wait for the next turn.
    private static let connectionsPerTurn = 256
    /// How long a pause lasts if no connection closes.
    private static let pauseTime = Duration.milliseconds(250)

    /// The address of the first listener, such as `127.0.0.1:7777`.
    let address: String
    /// When a pause ends by itself; nil while there is none.
    private(set) var deadline: Instant?
    private let loop: EventLoop
    private var listeners: [Registered]
    /// Whether the shortage is logged; reset once no connection waits.
    private var isShort = false
    private let spare: SpareDescriptor
    private var refused = 0
    /// What a refused connection is sent.
    private let refusal: [UInt8]

    /// Listens at an address, and on a Unix socket if a path is given.
    ///
    /// - Throws: `EndpointError`, `LocalSocketError` or `SystemError` if there is no such address
    ///   or it is in use.
    init(
        _ loop: EventLoop, host: String, port: UInt16, path: String?, options: SocketOptions
    ) throws {
        self.loop = loop
        spare = try SpareDescriptor()
        refusal = [ServerMessage.error(.full, tag: nil), .bye(.full)].flatMap {
            Array("\($0.text)\n".utf8)
        }
        listeners = [try Registered(Listener(host: host, port: port, options: options), on: loop)]
        address = listeners[0].listener.address
        if let path {
            listeners.append(try Registered(Listener(path: path, options: options), on: loop))
        }
    }

    /// Whether the handle is of one of the listeners.
    func contains(_ handle: Handle) -> Bool {
        listeners.contains { $0.handle == handle }
    }

    /// Accepts waiting connections from a listener; refuses each that `adopt` returns false for.
    ///
    /// - Throws: `SystemError` if the kernel will not change what it watches.
    func accept(
        from handle: Handle, _ log: Log, _ adopt: (Int32, PeerAddress) -> Bool
    ) throws(SystemError) {
        guard let source = listeners.first(where: { $0.handle == handle }) else { return }
        for _ in 0..<Self.connectionsPerTurn {
            switch source.listener.accept() {
            case .accepted(let connection, let peer):
                if !adopt(connection, peer) { refuse(connection) }
            case .wouldBlock:
                isShort = false
                return
            case .exhausted(let error):
                guard let isWaiting = refuseNext(of: source) else {
                    return try pause(because: error, log)
                }
                if !isWaiting { return }
            }
        }
    }

    /// Returns how many connections were refused since the last call.
    func takeRefused() -> Int {
        defer { refused = 0 }
        return refused
    }

    private func refuse(_ connection: Int32) {
        turnAway(connection, sending: refusal)
        refused += 1
    }

    /// Accepts the next connection with the spare descriptor, and refuses it.
    ///
    /// Returns true if it refused one, false if none waited, nil if there is still no descriptor.
    private func refuseNext(of source: Registered) -> Bool? {
        spare.lend {
            switch source.listener.accept() {
            case .accepted(let connection, _):
                refuse(connection)
                return true
            case .wouldBlock: return false
            case .exhausted: return nil
            }
        }
    }

    /// Watches the listeners again; does nothing unless accepting is paused.
    ///
    /// - Throws: `SystemError` if the kernel will not change what it watches.
    func resume() throws(SystemError) {
        guard deadline != nil else { return }
        deadline = nil
        for source in listeners { try loop.change(source.handle, to: .readable) }
    }

    /// Ends a pause that has lasted long enough.
    ///
    /// - Throws: `SystemError` if the kernel will not change what it watches.
    func expire(at now: Instant) throws(SystemError) {
        if let deadline, deadline <= now { try resume() }
    }

    /// Stops listening.
    func close() {
        for source in listeners { loop.deregister(source.handle) }
        listeners = []
        deadline = nil
    }

    /// Stops watching the listeners for a while; logs this once for each shortage.
    private func pause(because error: SystemError, _ log: Log) throws(SystemError) {
        if !isShort {
            log.write(.warning, "no-descriptors") { $0.add("reason", error.description) }
        }
        isShort = true
        deadline = Instant.now.advanced(by: Self.pauseTime)
        for source in listeners { try loop.change(source.handle, to: []) }
    }
}

/// A listener and its handle on the loop.
private final class Registered {
    let handle: Handle
    let listener: Listener

    /// - Throws: `SystemError` if the kernel will not watch it.
    init(_ listener: consuming Listener, on loop: EventLoop) throws(SystemError) {
        handle = try loop.register(listener.descriptor, for: .readable)
        self.listener = listener
    }
}
