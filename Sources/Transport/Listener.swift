import Basics
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The result of one attempt to accept a connection.
public enum AcceptOutcome: Equatable, Sendable {
    /// A connection, whose descriptor is the caller's, and its peer.
    case accepted(Int32, PeerAddress)
    /// No connection is waiting.
    case wouldBlock
    /// The process or the machine has no room for another connection until one closes.
    case exhausted(SystemError)
}

/// A socket that takes connections, of TCP or of this machine alone; released, it closes.
///
/// What it accepts does not block, sends small lines at once, and has the options given.
public struct Listener: ~Copyable, Sendable {
    /// The descriptor to wait on until it is readable.
    public let descriptor: Int32
    /// Where it listens, as `127.0.0.1:7777` or `[::1]:7777`, or the path of a Unix socket.
    ///
    /// The port is the one that the kernel chose, if it was asked to.
    public let address: String
    private let options: SocketOptions
    private let file: SocketFile?

    /// Starts to listen on the first address of the host that can be had; port 0 takes a free one.
    ///
    /// - Throws: `EndpointError` when the host has no address, or none that is free.
    ///
    /// Source: bind(2), listen(2).
    public init(
        host: String, port: UInt16, options: SocketOptions = SocketOptions()
    ) throws(EndpointError) {
        let endpoint = try Endpoint(host: host, port: port, isPassive: true)
        (descriptor, address) = try endpoint.openFirst { candidate throws(SystemError) in
            try Self.listen(at: candidate, options)
        }
        self.options = options
        file = nil
    }

    /// Starts to listen on a Unix socket, which only programs of the same user can use.
    ///
    /// The file of a server that no longer listens is replaced. The file is removed when the
    /// listener closes.
    ///
    /// Source: unix(7).
    public init(
        path: String, options: SocketOptions = SocketOptions()
    ) throws(LocalSocketError) {
        descriptor = try listenLocally(at: path)
        address = path
        self.options = options
        file = SocketFile(path: path)
    }

    deinit {
        close(descriptor)
    }

    /// Takes one waiting connection.
    ///
    /// After `exhausted` the descriptor stays readable: wait for something else until a connection
    /// has closed.
    ///
    /// Source: accept(2).
    public func accept() -> AcceptOutcome {
        var peer = sockaddr_storage()
        while true {
            let connection = uninterrupted {
                acceptConnection(on: descriptor, from: &peer, options, isLocal: file != nil)
            }
            if connection != -1 { return .accepted(connection, PeerAddress(peer)) }
            switch errno {
            case EAGAIN:
                return .wouldBlock
            case ECONNABORTED, EPROTO, EPERM, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, ENETDOWN,
                ENETUNREACH, EOPNOTSUPP:
                continue  // that connection died in the queue; the next may live
            default:
                return .exhausted(SystemError(code: errno, call: "accept"))
            }
        }
    }

    private static func listen(
        at candidate: addrinfo, _ options: SocketOptions
    ) throws(SystemError) -> (Int32, String) {
        let socket = try makeSocket(family: candidate.ai_family)
        do {
            try setOption(SO_REUSEADDR, at: SOL_SOCKET, of: socket, to: 1)
            if options.sharesPort {
                try setOption(SO_REUSEPORT, at: SOL_SOCKET, of: socket, to: 1)
            }
            try setOptions(options, of: socket)
            try syscall("bind") { bind(socket, candidate.ai_addr, candidate.ai_addrlen) }
            try startListening(socket)
            return (socket, try localAddress(of: socket))
        } catch {
            close(socket)
            throw error
        }
    }
}

extension PeerAddress {
    /// The address that the kernel wrote; `local` for a Unix socket.
    ///
    /// Source: ip(7), ipv6(7).
    fileprivate init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = bytes.load(as: sockaddr_in.self).sin_addr.s_addr
                return PeerAddress(version4: UInt32(bigEndian: address))
            case AF_INET6:
                return withUnsafeBytes(of: bytes.load(as: sockaddr_in6.self).sin6_addr) { words in
                    PeerAddress(
                        high: UInt64(bigEndian: words.loadUnaligned(as: UInt64.self)),
                        low: UInt64(
                            bigEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
                }
            default: return .local
            }
        }
    }
}

/// A descriptor kept open, so that a connection can be refused when no other descriptor is free.
public final class SpareDescriptor {
    private var descriptor: Int32

    /// Opens the descriptor.
    ///
    /// - Throws: `SystemError` when no descriptor is free already.
    public init() throws(SystemError) {
        descriptor = try syscall("open") { open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }

    deinit {
        if descriptor != -1 { closeSocket(descriptor) }
    }

    /// Closes the descriptor while the body runs, which may use one and must close it.
    public func lend<Result>(_ body: () -> Result) -> Result {
        if descriptor != -1 { closeSocket(descriptor) }
        defer { descriptor = uninterrupted { open("/dev/null", O_RDONLY | O_CLOEXEC) } }
        return body()
    }
}

/// Sends a last message to a connection that is refused, and closes it, without waiting.
///
/// What the peer has sent is read first: to close a connection with unread input resets it, and the
/// peer loses the message.
///
/// Source: RFC 1122 section 4.2.2.13.
public func turnAway(_ descriptor: Int32, sending bytes: [UInt8]) {
    drain(descriptor)
    _ = bytes.withUnsafeBytes { sendAtOnce(descriptor, $0.baseAddress, $0.count) }
    _ = shutdown(descriptor, shutdownOfWriting)
    drain(descriptor)
    closeSocket(descriptor)
}

/// Reads what has arrived, at most 16 KiB.
private func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        for _ in 0..<4 {
            let count = uninterrupted {
                recv(descriptor, buffer.baseAddress, buffer.count, receiveFlags)
            }
            guard count == buffer.count else { return }
        }
    }
}
