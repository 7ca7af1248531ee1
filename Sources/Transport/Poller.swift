import Basics
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The system call an event loop waits in.
public enum PollerKind: String, CaseIterable, Sendable {
    #if os(Linux)
        /// Costs what is ready, however much is registered; Linux alone has it.
        case epoll
    #endif
    /// Costs what is registered; every Unix has it.
    case poll

    /// The best one this system has.
    public static var standard: PollerKind {
        #if os(Linux)
            .epoll
        #else
            .poll
        #endif
    }

    func makePoller() throws(SystemError) -> any Poller {
        switch self {
        #if os(Linux)
            case .epoll: try EpollPoller()
        #endif
        case .poll: PollPoller()
        }
    }
}

/// Waits, level-triggered, for any of many descriptors.
///
/// It does not know which handles are stale: the loop does.
protocol Poller: AnyObject {
    func add(_ descriptor: Int32, for interest: Interest, handle: Handle) throws(SystemError)
    func change(_ descriptor: Int32, to interest: Interest, handle: Handle) throws(SystemError)
    func remove(_ descriptor: Int32, handle: Handle)

    /// Waits until something is ready or time is up, and appends what is ready.
    ///
    /// At least `nanoseconds`; 0 does not wait, nil has no limit.
    func wait(nanoseconds: Int64?, into ready: inout [Readiness]) throws(SystemError)
}

/// Waits in a system call, and returns how many descriptors it found ready.
///
/// A signal ends the wait. Then the call is repeated without waiting, because what arrived while
/// the signal was handled must be reported before anything expires.
func countReady(
    _ call: String, _ nanoseconds: Int64?, _ wait: (Int64?) -> Int32
) throws(SystemError) -> Int {
    var count = wait(nanoseconds)
    if count == -1 && errno == EINTR { count = wait(0) }
    guard count == -1 else { return Int(count) }
    guard errno == EINTR else { throw SystemError(code: errno, call: call) }
    return 0
}

/// How long it is until a deadline; nil if there is none, 0 when it has passed.
func nanoseconds(until deadline: Instant?, from now: Instant) -> Int64? {
    guard let deadline else { return nil }
    guard deadline > now else { return 0 }
    let (nanoseconds, isTooFar) = deadline.nanoseconds.subtractingReportingOverflow(
        now.nanoseconds)
    return isTooFar ? .max : nanoseconds
}

/// The same in whole milliseconds, which are never less; -1 for nil.
///
/// Rounded up, or the last millisecond would be spent turning without anything to do.
func milliseconds(_ nanoseconds: Int64?) -> Int32 {
    guard let nanoseconds else { return -1 }
    return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
}

/// What a registration waits for, or what has come of it.
public struct Interest: OptionSet, Hashable, Sendable {
    /// One bit for each thing that can be waited for.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bytes, a connection or the end of the stream can be taken without waiting.
    public static let readable = Interest(rawValue: 1)
    /// Bytes can be handed to the kernel without waiting.
    public static let writable = Interest(rawValue: 2)
}

/// A descriptor that needs no waiting any more.
public struct Readiness: Equatable, Sendable {
    /// The name the loop gave the descriptor when it was registered.
    public let handle: Handle
    /// What can be done now; a hang-up or an error counts as readable, because `recv` reports it.
    public let ready: Interest

    package init(handle: Handle, ready: Interest) {
        self.handle = handle
        self.ready = ready
    }

    /// Whether reading will find something: bytes, the end, or an error.
    public var isReadable: Bool { ready.contains(.readable) }
    /// Whether writing will find room.
    public var isWritable: Bool { ready.contains(.writable) }
}
