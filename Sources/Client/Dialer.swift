import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Connects to a server while the loop goes on, one attempt at a time.
///
/// It belongs to the loop's thread, like the loop's registrations.
public final class Dialer {
    private let loop: EventLoop
    private var attempt: Attempt?
    private var thread: Thread?

    /// Creates a dialer that wakes this loop when an attempt has ended.
    public init(loop: EventLoop) {
        self.loop = loop
    }

    deinit {
        cancel()
    }

    /// Whether an attempt was begun and its outcome not taken.
    public var isDialing: Bool { attempt != nil }

    /// Begins to connect; the loop is woken when `takeOutcome` has something to return.
    ///
    /// The timeout is in nanoseconds, and does not count the time to resolve the host's name.
    public func dial(_ server: ServerAddress, timeoutNanoseconds: Int64) {
        precondition(attempt == nil, "one attempt ends before the next begins")
        let (attempt, loop) = (Attempt(), loop)
        self.attempt = attempt
        do throws(SystemError) {
            thread = try Thread {
                attempt.carryOut(
                    server, timeoutNanoseconds: timeoutNanoseconds, waking: loop)
            }
        } catch {
            attempt.end(with: .failure(.failed(error)), waking: loop)
        }
    }

    /// Takes what the attempt has come to; nil while it goes on, and when there is none.
    ///
    /// The descriptor is the caller's to close.
    public func takeOutcome() -> Result<Int32, EndpointError>? {
        guard let outcome = attempt?.takeOutcome() else { return nil }
        attempt = nil
        thread.take()?.join()
        return outcome
    }

    /// Gives the attempt up, if there is one; a connection that still comes about is closed.
    public func cancel() {
        attempt.take()?.abandon()
        thread.take()?.detach()
    }
}

/// One attempt to connect, shared by the thread that waits and the one that wants it.
private final class Attempt: Sendable {
    private enum State {
        case waiting
        case ended(Result<Int32, EndpointError>)
        /// Taken or given up: what still comes is wanted by nobody.
        case over
    }

    private let state = Locked(State.waiting)

    /// Connects, and waits for as long as it takes.
    func carryOut(_ server: ServerAddress, timeoutNanoseconds: Int64, waking loop: EventLoop) {
        let outcome: Result<Int32, EndpointError>
        do throws(EndpointError) {
            outcome = .success(
                try connectSocket(to: server, timeoutNanoseconds: timeoutNanoseconds))
        } catch {
            outcome = .failure(error)
        }
        end(with: outcome, waking: loop)
    }

    /// Hands the outcome over, unless nobody wants it any more.
    func end(with outcome: Result<Int32, EndpointError>, waking loop: EventLoop) {
        let isWanted = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .ended(outcome)
            return true
        }
        if isWanted { loop.wake() } else { discard(outcome) }
    }

    /// Returns the outcome, whose descriptor is the caller's from now on; nil if there is none yet.
    func takeOutcome() -> Result<Int32, EndpointError>? {
        state.withLock { state in
            guard case .ended(let outcome) = state else { return nil }
            state = .over
            return outcome
        }
    }

    /// Has an outcome thrown away, whether it is here or still to come.
    func abandon() {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .ended(let outcome) = before { discard(outcome) }
    }

    private func discard(_ outcome: Result<Int32, EndpointError>) {
        if case .success(let socket) = outcome { close(socket) }
    }
}
