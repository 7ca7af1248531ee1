#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ends the process by a signal, so that its parent learns which one it was.
///
/// Whatever caught the signal until now is left out.
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
