import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One attempt to connect, shared by the thread that waits and the one that wants it.
final class Attempt: Sendable {
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
