import Auction
import Basics

/// What a step asks its driver to do.
///
/// The driver first publishes `durable`, batch by batch, and calls `ServerCore.published` after each; then
/// it performs `effects` and `commands`.
public struct StepOutputs {
    /// What the step decided; it is published in a later step if it is not durable yet.
    public internal(set) var decided: Batch?
    /// The batches that are durable by now, in order.
    public internal(set) var durable: [Batch] = []
    /// Effects that depend on nothing in the log, in order.
    public internal(set) var effects: [Effect] = []
    /// What the loops do beside sending.
    public internal(set) var commands: [LoopCommand] = []
    /// The events of connections for the server's log.
    public internal(set) var sessionEvents: [SessionEvent] = []
    /// How often each limit refused something.
    public internal(set) var limitsReached: [LimitReached: Int] = [:]
    /// Why connections could not be taken over.
    public internal(set) var refusals: [String] = []
    /// Whether a connection is gone, so that there may be a free descriptor.
    public internal(set) var hasFreedDescriptors = false
    /// Whether the next step can handle something without waiting.
    public internal(set) var canContinue = false

    init() {}
}

/// What a loop is asked to do, beside sending.
public enum LoopCommand: Equatable, Sendable {
    /// Stop reading from a connection.
    case silence(SessionID)
    /// Read from a connection again.
    case unsilence(SessionID)
    /// Close one of the connections of this loop that are finishing, if there is one.
    case closeOneFinishing(loop: Int)
    /// Report when everything has been sent to all connections of this loop.
    case drain(loop: Int)
    /// Report when this loop has read everything that arrived until an instant.
    case report(loop: Int, until: Instant)

    /// The loop that does it.
    public var loop: Int {
        switch self {
        case .silence(let id), .unsilence(let id): id.loop
        case .closeOneFinishing(let loop), .drain(let loop), .report(let loop, _): loop
        }
    }
}
