import Basics
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a server is to be found.
public enum ServerAddress: Equatable, Sendable, CustomStringConvertible {
    /// On a machine, at a port.
    case network(host: String, port: UInt16)
    /// On this machine, behind the Unix socket at a path.
    case socket(path: String)

    /// Where it is, for a person: `127.0.0.1 port 7777`, or the path.
    public var description: String {
        switch self {
        case .network(let host, let port): "\(host) port \(port)"
        case .socket(let path): path
        }
    }
}

/// Connects to a server; the socket it returns does not block, and is the caller's to close.
///
/// Blocks the calling thread for at most the timeout over all addresses of a host together;
/// resolving its name is not counted. A socket of the network sends small lines at once.
///
/// - Throws: `EndpointError` when the host has no address or none that answers, or no server
///   listens on the socket; `ETIMEDOUT` when the time is up.
///
/// Source: connect(2), `EINPROGRESS`.
public func connectSocket(
    to server: ServerAddress, timeout: Duration
) throws(EndpointError) -> Int32 {
    switch server {
    case .network(let host, let port):
        let endpoint = try Endpoint(host: host, port: port, isPassive: false)
        let deadline = Instant.now.advanced(by: timeout)
        return try endpoint.openFirst { candidate throws(SystemError) in
            try connectSocket(to: candidate, by: deadline)
        }
    case .socket(let path):
        do throws(SystemError) {
            return try connectLocally(to: path)
        } catch {
            throw .failed(error)
        }
    }
}

private func connectSocket(
    to candidate: addrinfo, by deadline: Instant
) throws(SystemError) -> Int32 {
    let socket = try makeSocket(family: candidate.ai_family)
    do throws(SystemError) {
        try silenceBrokenPipe(of: socket)
        try setOption(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: socket, to: 1)
        try keepAlive(socket, idleSeconds: 10, intervalSeconds: 5, probes: 3)
        try connect(socket, to: candidate, by: deadline)
        return socket
    } catch {
        close(socket)
        throw error
    }
}

private func connect(
    _ socket: Int32, to candidate: addrinfo, by deadline: Instant
) throws(SystemError) {
    if connect(socket, candidate.ai_addr, candidate.ai_addrlen) == 0 { return }
    // An interrupted connect goes on in the background like one that never blocked.
    guard errno == EINPROGRESS || errno == EINTR else {
        throw SystemError(code: errno, call: "connect")
    }
    var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    var count: Int32 = -1
    while count == -1 {
        let left = nanoseconds(until: deadline, from: .now)
        count = poll(&entry, 1, milliseconds(left))
        guard count != -1 || errno == EINTR else { throw SystemError(code: errno, call: "poll") }
    }
    guard count == 1 else { throw SystemError(code: ETIMEDOUT, call: "connect") }
    let code = try option(SO_ERROR, at: SOL_SOCKET, of: socket)
    guard code == 0 else { throw SystemError(code: code, call: "connect") }
}
