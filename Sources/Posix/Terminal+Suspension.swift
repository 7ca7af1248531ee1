#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Terminal {
    /// Gives the terminal back, stops this job as its key would, and takes it over to go on.
    ///
    /// Returns when the job goes on; the screen is empty then. Where no shell could let the job go
    /// on, it does not stop.
    ///
    /// - Throws: `SystemError` when the terminal has gone meanwhile.
    ///
    /// Source: kill(2), `SIGTSTP`; "orphaned process group" in POSIX.
    public func suspend() throws(SystemError) {
        leave()
        stopJob()
        try enter()
    }
}

/// Stops all processes of this group, and returns when they go on.
///
/// The others first: a signal to the whole group would find this process on any of its threads,
/// perhaps when its action is no longer to stop. One that is raised comes here, before `raise`
/// returns. Meanwhile nobody hears of `SIGCONT`: the caller need not be told what it waited for.
private func stopJob() {
    var hearing = exchangeAction(of: SIGCONT, for: SIG_DFL)
    var stopping = exchangeAction(of: SIGTSTP, for: SIG_IGN)
    kill(0, SIGTSTP)
    // Where a thread blocks a signal it is kept; to ignore it once more is to throw it away.
    _ = exchangeAction(of: SIGTSTP, for: SIG_IGN)
    _ = exchangeAction(of: SIGTSTP, for: SIG_DFL)
    let mask = changeMask(SIG_UNBLOCK, SIGTSTP)
    raise(SIGTSTP)
    restoreMask(mask)
    _ = exchangeAction(of: SIGCONT, for: SIG_DFL)
    sigaction(SIGTSTP, &stopping, nil)
    sigaction(SIGCONT, &hearing, nil)
}
