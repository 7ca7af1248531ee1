import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The requests of other threads to an event loop: to run jobs, to turn, to stop.
///
/// The one lock of the loop. A thread that finds the loop awake makes no system call: the loop
/// looks here again before it sleeps.
final class Inbox: Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        var isTurnWanted = false
        var isStopped = false
        /// Whether the loop may be waiting, so that only a signal reaches it.
        var isAsleep = false
        /// The thread that runs the loop.
        var owner: pthread_t?
    }

    private let state = Locked(State())
    /// What wakes a sleeping loop.
    let signal: WakeSignal

    init() throws(SystemError) {
        signal = try WakeSignal()
    }

    func enqueue(_ job: UnownedJob) {
        change { $0.jobs.append(job) }
    }

    func wake() {
        change { $0.isTurnWanted = true }
    }

    func stop() {
        change { $0.isStopped = true }
    }

    func takeOwnership() {
        state.withLock { state in
            precondition(state.owner == nil, "a loop is run by one thread at a time")
            state.owner = pthread_self()
        }
    }

    func giveUpOwnership() {
        state.withLock { $0.owner = nil }
    }

    /// Whether this thread runs the loop; `isFree` if none does.
    func isOwned(else isFree: Bool) -> Bool {
        state.withLock { $0.owner.map { pthread_equal($0, pthread_self()) != 0 } ?? isFree }
    }

    /// Whether `stop` was called since the last call.
    func takeStop() -> Bool {
        state.withLock { state in
            defer { state.isStopped = false }
            return state.isStopped
        }
    }

    /// Whether nothing is left to do but wait; from now until `endSleep` changes are signalled.
    func canSleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.jobs.isEmpty && !state.isTurnWanted && !state.isStopped
            return state.isAsleep
        }
    }

    /// Ends the sleep and exchanges the waiting jobs for an empty array, whose memory is used next.
    func endSleep(taking jobs: inout [UnownedJob]) {
        state.withLock { state in
            state.isAsleep = false
            state.isTurnWanted = false
            swap(&state.jobs, &jobs)
        }
    }

    /// One signal is enough for a sleeper, so the first to give it clears the flag.
    private func change(_ body: (inout State) -> Void) {
        let mustSignal = state.withLock { state in
            body(&state)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustSignal { signal.give() }
    }
}
