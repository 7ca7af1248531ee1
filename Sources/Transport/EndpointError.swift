import Posix

/// Why an address cannot be listened on or connected to.
public enum EndpointError: Error, Equatable, CustomStringConvertible {
    /// The host has no address; the reason is the resolver's.
    case unresolved(host: String, reason: String)
    /// A system call failed at the last address that was tried.
    case failed(SystemError)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .unresolved(let host, let reason): "cannot resolve host '\(host)': \(reason)"
        case .failed(let error): error.description
        }
    }

    /// The reason alone, for where there is little room.
    public var reason: String {
        switch self {
        case .unresolved(_, let reason): reason
        case .failed(let error): error.reason
        }
    }
}
