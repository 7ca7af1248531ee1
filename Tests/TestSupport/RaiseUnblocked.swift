#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Raises a signal on this thread, also if the thread blocks it.
public func raiseUnblocked(_ signal: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(Int32(SIG_UNBLOCK), &set, nil)
    raise(signal)
}
