import Addresses
import Posix
import Transport
import Wire

/// The listeners on their loop, shut while there is no descriptor for another connection.
final class Doors {
    /// The most connections that one turn lets in, so that those inside are heard in between.
    private static let batch = 256

    /// Where the first of the doors is, as `127.0.0.1:7777`.
    let address: String
    private let loop: EventLoop
    private var doors: [Door]
    /// How long the doors stay shut when no connection closes.
    private static let pauseNanoseconds: Int64 = 250_000_000
    private var isShort = false
    private let spare: SpareDescriptor
    private var refused = 0
    /// What somebody hears for whom there is no place.
    private let refusal: [UInt8]
    /// When the doors open again by themselves, in nanoseconds; nil while they are open.
    private(set) var deadline: Int64?

    /// Listens at an address, and on a Unix socket if a path is given.
    ///
    /// - Throws: `EndpointError`, `LocalSocketError` or `SystemError` when there is no such address
    ///   or it is in use.
    init(
        _ loop: EventLoop, host: String, port: UInt16, path: String?, options: SocketOptions
    ) throws {
        self.loop = loop
        spare = try SpareDescriptor()
        refusal = [Notice.error(.full, tag: nil), .bye(.full)].flatMap {
            Array("\($0.text)\n".utf8)
        }
        doors = [try Door(Listener(host: host, port: port, options: options), on: loop)]
        address = doors[0].listener.address
        if let path { doors.append(try Door(Listener(path: path, options: options), on: loop)) }
    }

    /// Whether one of the doors has this name on the loop.
    func contains(_ handle: Handle) -> Bool {
        doors.contains { $0.handle == handle }
    }

    /// Hands the connections that wait at a door over to `seat`.
    ///
    /// Those it fails for are turned away. While it is crowded, all newcomers are, except those of
    /// the Unix socket.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func letIn(
        through handle: Handle, _ log: Log, isCrowded: () -> Bool,
        _ seat: (Int32, PeerAddress) throws(SystemError) -> Void
    ) throws(SystemError) {
        guard let door = doors.first(where: { $0.handle == handle }) else { return }
        for _ in 0..<Self.batch {
            switch door.listener.accept() {
            case .accepted(let connection, let peer) where peer != .local && isCrowded():
                refuse(connection)
            case .accepted(let connection, let peer):
                do throws(SystemError) {
                    try seat(connection, peer)
                } catch {
                    log.write(limited: .warning, .turnedAway) {
                        $0.add("reason", error.description)
                    }
                }
            case .wouldBlock:
                isShort = false
                return
            case .exhausted(let error):
                guard let isWaiting = refuseNext(at: door) else {
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
    private func refuseNext(at door: Door) -> Bool? {
        spare.lend {
            switch door.listener.accept() {
            case .accepted(let connection, _):
                refuse(connection)
                return true
            case .wouldBlock: return false
            case .exhausted: return nil
            }
        }
    }

    /// Lets people in again, if the doors are shut: a connection has closed, or time has passed.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func reopen() throws(SystemError) {
        guard deadline != nil else { return }
        deadline = nil
        for door in doors { try loop.change(door.handle, to: .readable) }
    }

    /// Opens the doors again when their time has come.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func expire(at now: Int64) throws(SystemError) {
        if let deadline, deadline <= now { try reopen() }
    }

    /// Stops listening.
    func close() {
        for door in doors { loop.deregister(door.handle) }
        doors = []
        deadline = nil
    }

    /// Lets nobody in for a while, and says so once until everybody who waited was let in.
    private func shut(because error: SystemError, _ log: Log) throws(SystemError) {
        if !isShort { log.write(.warning, "crowded") { $0.add("reason", error.description) } }
        isShort = true
        deadline = monotonicNanoseconds() + Self.pauseNanoseconds
        for door in doors { try loop.change(door.handle, to: []) }
    }
}

/// One listener on its loop.
private final class Door {
    /// The name of the listener on the loop.
    let handle: Handle
    let listener: Listener

    /// - Throws: `SystemError` when the kernel will not watch it.
    init(_ listener: consuming Listener, on loop: EventLoop) throws(SystemError) {
        handle = try loop.register(listener.descriptor, for: .readable)
        self.listener = listener
    }
}
