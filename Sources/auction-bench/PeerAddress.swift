import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Connects to a server, waiting for it a little.
///
/// - Throws: `Failure.unreachable`.
func connect(host: String, port: UInt16) throws(Failure) -> Int32 {
    do {
        return try connectSocket(host: host, port: port, timeoutNanoseconds: 5_000_000_000)
    } catch {
        throw .unreachable("\(host) port \(port): \(error)")
    }
}

/// The address that a socket is connected to, for more connections that do not wait.
struct PeerAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Source: getpeername(2).
    init(of socket: Int32) throws(SystemError) {
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(socket, $0, &length)
            }
        }
        guard result == 0 else { throw SystemError(code: errno, call: "getpeername") }
    }

    /// Begins to connect a socket, which becomes writable once that is done or has failed.
    ///
    /// - Throws: `SystemError` when this machine has no descriptor or port left.
    ///
    /// Source: socket(2), connect(2).
    func connect() throws(SystemError) -> Int32 {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = try syscall("socket") { socket(Int32(storage.ss_family), stream, 0) }
        do throws(SystemError) {
            try makeNonBlocking(descriptor)
            let result = startConnecting(descriptor)
            guard result == 0 || errno == EINPROGRESS else {
                throw SystemError(code: errno, call: "connect")
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private func startConnecting(_ descriptor: Int32) -> Int32 {
        withUnsafePointer(to: storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connectDescriptor(descriptor, $0, length)
            }
        }
    }
}

/// `connect(2)` under a name that a method called `connect` does not hide.
private func connectDescriptor(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 {
    connect(descriptor, address, length)
}
