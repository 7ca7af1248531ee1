import Posix

/// What became of one attempt to read.
public enum ReadOutcome: Equatable, Sendable {
    /// So many bytes were read, at least one.
    case bytes(Int)
    /// Nothing has arrived, or the handle is stale.
    case wouldBlock
    /// The peer will send no more, but may still be reading.
    case end
    /// The peer has gone altogether.
    case reset
}

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
