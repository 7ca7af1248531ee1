import Posix

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
/// Blocks the calling thread for at most the timeout, in nanoseconds, as for a host and a port.
///
/// - Throws: `EndpointError` when it has no address or does not answer.
public func connectSocket(
    to server: ServerAddress, timeoutNanoseconds: Int64
) throws(EndpointError) -> Int32 {
    switch server {
    case .network(let host, let port):
        return try connectSocket(host: host, port: port, timeoutNanoseconds: timeoutNanoseconds)
    case .socket(let path):
        do throws(SystemError) {
            return try connectLocally(to: path)
        } catch {
            throw .failed(error)
        }
    }
}
