import Posix

/// A connection that closed without the owner's `close`.
public struct Ending: Equatable, Sendable {
    /// Why a connection closed.
    public enum Cause: Equatable, Sendable {
        /// It was to finish, everything was sent, and the peer has ended too.
        case finished
        /// It was to finish, and its time was up.
        case expired
        /// It had something to take, and took nothing for too long.
        case stalled
        /// The peer went before everything was sent.
        case broken(SystemError)
    }

    /// The connection's handle, which is stale by now.
    public let handle: Handle
    /// Why it closed.
    public let cause: Cause

    /// Creates the report of an end.
    public init(handle: Handle, cause: Cause) {
        self.handle = handle
        self.cause = cause
    }
}

/// How much waits for one connection, and for how long.
public struct ConnectionLimits: Equatable, Sendable {
    /// The most private bytes that wait for one connection.
    ///
    /// With more than half of them waiting, it is not read from until all are sent. So the owner
    /// may add at most half of them to a connection that is not paused.
    public var outputBytes = 64 * 1024
    /// The most private bytes that wait for all connections together; nil for no limit.
    ///
    /// Above it, the connections that have gone longest without taking any are closed.
    public var allOutputBytes: Int? = 64 << 20
    /// A connection that takes none of its output for this long is closed; nil for never.
    public var stallTime: Duration? = .seconds(30)
    /// The most bytes that are read from a connection at a time.
    public var readBytes = Connections.readBytes

    /// With more private bytes than this a connection is not read from until they are sent.
    var pauseBytes: Int { outputBytes / 2 }

    /// Makes the limits that hold where nothing else is chosen.
    public init() {}
}
