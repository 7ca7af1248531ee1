import Posix
import Transport

/// The listener on its loop, shut for as long as there is no descriptor for another connection.
final class Doors {
    /// The most connections that one turn lets in, so that those inside are heard in between.
    private static let batch = 256

    /// Where the doors are, as `127.0.0.1:7777`.
    let address: String
    /// The name of the listener on the loop.
    let handle: Handle
    private let loop: EventLoop
    private var listener: Listener?
    private var isShut = false

    /// - Throws: `EndpointError` or `SystemError` when there is no such address or it is in use.
    init(_ loop: EventLoop, host: String, port: UInt16) throws {
        self.loop = loop
        let listener = try Listener(host: host, port: port)
        address = listener.address
        handle = try loop.register(listener.descriptor, for: .readable)
        self.listener = consume listener
    }

    /// Hands waiting connections over, and returns their names.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func letIn(
        to connections: Connections, log: (String) -> Void
    ) throws(SystemError) -> [Handle] {
        var newcomers: [Handle] = []
        while newcomers.count < Self.batch, let outcome = listener?.accept() {
            switch outcome {
            case .accepted(let connection):
                do throws(SystemError) {
                    newcomers.append(try connections.adopt(connection))
                } catch {
                    log("a connection was turned away: \(error)")
                }
            case .wouldBlock: return newcomers
            case .exhausted(let error):
                log("nobody is let in until a connection closes: \(error)")
                isShut = true
                try loop.change(handle, to: [])
                return newcomers
            }
        }
        return newcomers
    }

    /// Lets people in again, now that a connection has closed.
    ///
    /// - Throws: `SystemError` when the kernel will not change what it watches.
    func reopen() throws(SystemError) {
        guard isShut, listener != nil else { return }
        isShut = false
        try loop.change(handle, to: .readable)
    }

    /// Stops listening.
    func close() {
        guard listener != nil else { return }
        loop.deregister(handle)
        listener = nil
    }
}
