#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A thread of the process, with every signal left to the others but those of its own faults.
///
/// A fault whose signal is blocked would end the process silently: no report of the crash,
/// and a terminal that is not given back.
///
/// It is to be joined or detached: nothing else frees what the system keeps for it.
///
/// Unchecked, because a `pthread_t` can be a pointer; it never changes, and any thread may join it.
///
/// Source: pthread_create(3), pthread_sigmask(3).
public struct Thread: ~Copyable, @unchecked Sendable {
    private let thread: pthread_t

    /// Starts a thread that runs `body` and ends.
    ///
    /// - Throws: `SystemError` when the machine has no thread left.
    public init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let work = Unmanaged.passRetained(Work(body))
        var (others, before) = (sigset_t(), sigset_t())
        sigfillset(&others)
        for signal in crashSignals { sigdelset(&others, signal) }
        // A thread inherits the mask, so that not even its first moment takes a signal.
        pthread_sigmask(SIG_SETMASK, &others, &before)
        #if canImport(Darwin)
            var started: pthread_t?
        #else
            var started = pthread_t()
        #endif
        let code = pthread_create(&started, nil, run, work.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        #if canImport(Darwin)
            guard code == 0, let started else {
                work.release()
                throw SystemError(code: code, call: "pthread_create")
            }
        #else
            guard code == 0 else {
                work.release()
                throw SystemError(code: code, call: "pthread_create")
            }
        #endif
        thread = started
    }

    /// Waits until the thread has ended.
    public consuming func join() {
        let code = pthread_join(thread, nil)
        precondition(code == 0, "a thread is joined once, and by another")
    }

    /// Lets the thread run on by itself; its end cannot be waited for.
    ///
    /// Source: pthread_detach(3).
    public consuming func detach() {
        let code = pthread_detach(thread)
        precondition(code == 0, "a thread is detached once, and not joined")
    }
}

/// The signals by which the system reports a thread's own faults.
public let crashSignals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS]

private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }
}

#if canImport(Darwin)
    private func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
    }
#else
    private func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
    }
#endif
