import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Connects to a server on another thread, one attempt at a time.
///
/// Call it on the thread of the loop only.
public final class Dialer {
    private let loop: EventLoop
    private var attempt: Attempt?
    private var thread: Thread?

    /// Creates a dialer that wakes the loop when an attempt has ended.
    public init(loop: EventLoop) {
        self.loop = loop
    }

    deinit {
        cancel()
    }

    /// Whether an attempt was begun, and its outcome was not taken.
    public var isDialing: Bool { attempt != nil }

    /// Begins an attempt; the loop is woken when `takeOutcome` returns its outcome.
    ///
    /// The timeout does not include the time to resolve the name of the host.
    public func dial(_ server: ServerAddress, timeout: Duration) {
        precondition(attempt == nil, "an attempt must end before the next one begins")
        let (attempt, loop) = (Attempt(), loop)
        self.attempt = attempt
        do throws(SystemError) {
            thread = try Thread {
                attempt.carryOut(
                    server, timeout: timeout, waking: loop)
            }
        } catch {
            attempt.end(with: .failure(.failed(error)), waking: loop)
        }
    }

    /// Takes the outcome of the attempt; nil if there is none, or no attempt.
    ///
    /// The caller closes the descriptor.
    public func takeOutcome() -> Result<Int32, EndpointError>? {
        guard let outcome = attempt?.takeOutcome() else { return nil }
        attempt = nil
        thread.take()?.join()
        return outcome
    }

    /// Abandons the attempt, if there is one; a connection that is still made is closed.
    public func cancel() {
        attempt.take()?.abandon()
        thread.take()?.detach()
    }
}

/// One attempt to connect, shared by the thread that waits and the thread of the loop.
private final class Attempt: Sendable {
    private enum State {
        case waiting
        case ended(Result<Int32, EndpointError>)
        /// The outcome was taken, or the attempt was abandoned.
        case over
    }

    private let state = Locked(State.waiting)

    /// Connects, and waits for the result.
    func carryOut(_ server: ServerAddress, timeout: Duration, waking loop: EventLoop) {
        let outcome: Result<Int32, EndpointError>
        do throws(EndpointError) {
            outcome = .success(
                try connectSocket(to: server, timeout: timeout))
        } catch {
            outcome = .failure(error)
        }
        end(with: outcome, waking: loop)
    }

    /// Stores the outcome, or discards it if the attempt was abandoned.
    func end(with outcome: Result<Int32, EndpointError>, waking loop: EventLoop) {
        let isWanted = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .ended(outcome)
            return true
        }
        if isWanted { loop.wake() } else { discard(outcome) }
    }

    /// Returns the outcome, whose descriptor the caller closes; nil if there is none yet.
    func takeOutcome() -> Result<Int32, EndpointError>? {
        state.withLock { state in
            guard case .ended(let outcome) = state else { return nil }
            state = .over
            return outcome
        }
    }

    /// Discards the present or future outcome.
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
