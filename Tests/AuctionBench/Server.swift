import Arguments
import Load
import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How long a server may take to answer, and the observers to receive what is under way.
let patienceNanoseconds: Int64 = 5_000_000_000

/// The server that is measured.
struct Server {
    private static let host = "127.0.0.1"

    let port: UInt16
    /// Its process on this machine, if that was given.
    let process: Int32?

    init(port: UInt16, process: Int32?) {
        (self.port, self.process) = (port, process)
    }

    init(_ invocation: Invocation) {
        self.init(port: invocation[Flags.port], process: invocation[Flags.process])
    }

    /// Connects; the socket does not block.
    func connect() throws(Failure) -> Int32 {
        do {
            return try connectSocket(
                to: .network(host: Self.host, port: port),
                timeout: .nanoseconds(patienceNanoseconds))
        } catch {
            throw Failure(
                "cannot reach a server at \(Self.host) port \(port): \(error)", exitCode: 3)
        }
    }

    /// The figures of its process up to now; nil if the process was not given.
    func figures() throws(Failure) -> ProcessFigures? {
        guard let process else { return nil }
        do {
            return try ProcessFigures(of: process)
        } catch {
            throw Failure(
                "there is no process \(process) here: --pid is that of the server", exitCode: 2)
        }
    }

    /// What its process has used since an earlier reading; nil if that is not known.
    func cost(since earlier: ProcessFigures?) throws(Failure) -> ProcessFigures? {
        guard let earlier else { return nil }
        return try figures()?.since(earlier)
    }
}

/// A resolved address, for connections that are opened without waiting.
struct RemoteAddress {
    /// How many connections use one source address of this machine.
    ///
    /// The kernel tries ports one by one, which is slow when half of them are in use.
    private static let connectionsPerSource = 4000

    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Source: getpeername(2).
    init(of socket: Int32) throws(SystemError) {
        try syscall("getpeername") {
            withUnsafeMutablePointer(to: &storage) { storage in
                storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(socket, $0, &length)
                }
            }
        }
    }

    /// Starts connection `number`; its socket becomes writable when that is done or has failed.
    ///
    /// Source: socket(2), connect(2).
    func dial(_ number: Int) throws(SystemError) -> Int32 {
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
            let result = withAddress(storage) { connect(descriptor, $0, length) }
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
        /// Binds to 127.0.0.2 and on, if the server is on the loopback network.
        ///
        /// Source: ip(7), `IP_BIND_ADDRESS_NO_PORT`: the kernel chooses the port in `connect`.
        private func bindToSource(of number: Int, _ descriptor: Int32) throws(SystemError) {
            let source = number / Self.connectionsPerSource
            guard isLoopback4, source > 0 else { return }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = (0x7F00_0001 + UInt32(source)).bigEndian
            var on: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            try syscall("setsockopt") {
                setsockopt(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &on, size)
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
