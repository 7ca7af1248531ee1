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
struct RemoteAddress {
    /// So many connections come from one address of this machine.
    ///
    /// The kernel looks for a free port one by one, which takes long when half of them are in use.
    private static let connectionsPerSource = 4000

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

    /// Begins to connect one of many, which becomes writable once that is done or has failed.
    ///
    /// - Throws: `SystemError` when this machine has no descriptor or port left.
    ///
    /// Source: socket(2), connect(2).
    func connect(_ number: Int) throws(SystemError) -> Int32 {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = try syscall("socket") { socket(Int32(storage.ss_family), stream, 0) }
        do throws(SystemError) {
            try makeNonBlocking(descriptor)
            #if os(Linux)
                try bindToSource(of: number, descriptor)
            #endif
            let result = withAddress(storage) { connectDescriptor(descriptor, $0, length) }
            guard result == 0 || errno == EINPROGRESS else {
                throw SystemError(code: errno, call: "connect")
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    #if os(Linux)
        /// To this very machine there are the addresses from 127.0.0.1 on.
        ///
        /// Source: ip(7), `IP_BIND_ADDRESS_NO_PORT`: the port is chosen when it connects.
        private func bindToSource(of number: Int, _ descriptor: Int32) throws(SystemError) {
            let source = number / Self.connectionsPerSource
            guard isLoopback4, source > 0 else { return }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = (0x7F00_0001 + UInt32(source)).bigEndian
            var on: Int32 = 1
            try syscall("setsockopt") {
                setsockopt(
                    descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &on,
                    socklen_t(MemoryLayout<Int32>.size))
            }
            try syscall("bind") {
                withAddress(address) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        private var isLoopback4: Bool {
            guard Int32(storage.ss_family) == AF_INET else { return false }
            return withUnsafeBytes(of: storage) { bytes in
                UInt32(bigEndian: bytes.load(as: sockaddr_in.self).sin_addr.s_addr) >> 24 == 127
            }
        }
    #endif
}

private func withAddress<Address>(
    _ address: Address, _ body: (UnsafePointer<sockaddr>) -> Int32
) -> Int32 {
    withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
}

/// `connect(2)` under a name that a method called `connect` does not hide.
private func connectDescriptor(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 {
    connect(descriptor, address, length)
}
