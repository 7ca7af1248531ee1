import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An attempt to connect to a server, on a thread of its own because resolving a name blocks.
///
/// The caller takes the outcome, or abandons the attempt.
package final class ConnectAttempt: Sendable {
    private enum State {
        case waiting
        case ended(Result<Int32, EndpointError>)
        /// The outcome was taken, or the attempt was abandoned.
        case over
    }

    private let loop: EventLoop
    private let state = Locked(State.waiting)

    /// Begins an attempt, and wakes the loop when its outcome can be taken.
    ///
    /// The timeout does not include the time to resolve the name of the host.
    package init(to server: ServerAddress, timeout: Duration, waking loop: EventLoop) {
        self.loop = loop
        do throws(SystemError) {
            try Thread { [self] in
                end(
                    with: Result { () throws(EndpointError) in
                        try connectSocket(to: server, timeout: timeout)
                    })
            }.detach()
        } catch {
            end(with: .failure(.failed(error)))
        }
    }

    /// Stores the outcome, or discards it if the attempt was abandoned.
    private func end(with outcome: Result<Int32, EndpointError>) {
        let isWanted = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .ended(outcome)
            return true
        }
        if isWanted { loop.wake() } else { discard(outcome) }
    }

    /// Takes the outcome, whose descriptor the caller closes; nil if there is none yet.
    package func takeOutcome() -> Result<Int32, EndpointError>? {
        state.withLock { state in
            guard case .ended(let outcome) = state else { return nil }
            state = .over
            return outcome
        }
    }

    /// Discards the present or future outcome; a connection that is still made is closed.
    package func abandon() {
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
