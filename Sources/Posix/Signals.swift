import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Signals as bytes on a descriptor, so that an event loop can wait for them too.
///
/// A process has at most one, because a handler has nothing but a global to find it by. When it is
/// released the signals get their default action back.
///
/// Source: signal-safety(7), sigaction(2).
public struct SignalPipe: ~Copyable, Sendable {
    /// The descriptor that is readable while a signal is waiting to be taken.
    public let descriptor: Int32
    private let writeEnd: Int32
    private let signals: [Int32]
    private let ignoresAfterwards: Bool

    /// Starts to catch the signals given.
    ///
    /// Without the pipe they have their default effect again, or none: a process that is about to
    /// exit ignores them, so that its exit code stays what it is.
    ///
    /// - Throws: `SystemError` when there is no descriptor left.
    public init(signals: [Int32], ignoresAfterwards: Bool = false) throws(SystemError) {
        (descriptor, writeEnd) = try makePipe()
        (self.signals, self.ignoresAfterwards) = (signals, ignoresAfterwards)
        let (isFirst, _) = signalWriteEnd.compareExchange(
            expected: -1, desired: writeEnd, ordering: .sequentiallyConsistent)
        precondition(isFirst, "a process has one signal pipe at a time")
        for signal in signals { _ = exchangeAction(of: signal, for: passOn) }
    }

    deinit {
        let action = ignoresAfterwards ? SIG_IGN : SIG_DFL
        for signal in signals { _ = exchangeAction(of: signal, for: action) }
        signalWriteEnd.store(-1, ordering: .sequentiallyConsistent)
        close(descriptor)
        close(writeEnd)
    }

    /// Takes the oldest signal that has arrived; nil when none is waiting.
    public func next() -> Int32? {
        var number: UInt8 = 0
        let count = uninterrupted { read(descriptor, &number, 1) }
        return count == 1 ? Int32(number) : nil
    }
}

/// Makes a write to a peer that has gone an error of that write, not the death of the process.
///
/// Source: signal(7), `SIGPIPE`.
public func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
}

private let signalWriteEnd = Atomic<Int32>(-1)

/// Runs inside the signal: nothing but `write`, and `errno` is left as it was found.
private func passOn(_ signal: Int32) {
    let before = errno
    var number = UInt8(truncatingIfNeeded: signal)
    _ = write(signalWriteEnd.load(ordering: .relaxed), &number, 1)
    errno = before
}

/// Ends the process by a signal, so that its parent learns which one it was.
///
/// A handler of the signal is not called.
public func die(of signal: Int32) {
    _ = exchangeAction(of: signal, for: SIG_DFL)
    raise(signal)
}

/// Gives a signal another action, and returns the one it had.
public func exchangeAction(
    of signal: Int32, for handler: (@convention(c) (Int32) -> Void)?
) -> sigaction {
    var before = sigaction()
    var action = sigaction()
    #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
    #else
        action.__sigaction_handler.sa_handler = handler
    #endif
    sigemptyset(&action.sa_mask)
    action.sa_flags = Int32(SA_RESTART)
    let result = sigaction(signal, &action, &before)
    precondition(result == 0, "signal \(signal) is not one that can be caught")
    return before
}

/// Blocks or unblocks one signal on this thread, and returns what was blocked before.
public func changeMask(_ how: Int32, _ signal: Int32) -> sigset_t {
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(how, &set, &before)
    return before
}

/// Sets which signals are blocked on this thread, as `changeMask` returned them.
public func restoreMask(_ mask: sigset_t) {
    var mask = mask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
}
