import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Has the terminal given back when the process ends in whatever way it can still act upon.
func begin(_ loan: UnsafeMutablePointer<TerminalLoan>) {
    _ = rescue
    outstanding.store(loan, ordering: .sequentiallyConsistent)
}

/// Gives the terminal back; it is rescued until that is done.
func end(_ loan: UnsafeMutablePointer<TerminalLoan>) {
    loan.pointee.giveBack()
    withdraw(loan)
}

/// Has the terminal no longer given back.
func withdraw(_ loan: UnsafeMutablePointer<TerminalLoan>) {
    _ = outstanding.compareExchange(
        expected: loan, desired: nil, ordering: .sequentiallyConsistent)
}

/// The terminal that is taken over; what it points to is changed by nobody meanwhile.
nonisolated(unsafe) private let outstanding = Atomic<UnsafeMutablePointer<TerminalLoan>?>(nil)

/// What the signals of a crash did before, by number; written once, before any handler can read it.
nonisolated(unsafe) private let previousActions =
    UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

/// Set up by its first use, and for good: a handler that finds no terminal only steps aside.
private let rescue: Void = {
    atexit { giveBackOutstanding() }
    provideSignalStack()
    for signal in faults + [SIGQUIT] { rescue(on: signal) }
}()

/// Runs inside the signal, on whichever thread it hit.
private func giveBackOutstanding() {
    let loan = outstanding.exchange(nil, ordering: .sequentiallyConsistent)
    loan?.pointee.giveBack()
}

/// Lets a signal do what it did before, once the terminal has been given back.
///
/// The signal is blocked in here, so that raised again it comes when this has returned, with the
/// thread where the signal had found it: a report of the crash shows nothing of us.
private func step(
    aside signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?,
    _ context: UnsafeMutableRawPointer?
) {
    giveBackOutstanding()
    sigaction(signal, previousActions + Int(signal), nil)
    let code = information?.pointee.si_code ?? 0
    if !happensAgain(signal, code: code) { raise(signal) }
}

/// Whether the instruction at fault is about to be repeated, so that the address it failed at is
/// told once more.
///
/// A trap or a forbidden system call may lie behind the thread already. What a process sent has a
/// code of at most 0, on Darwin one from `SI_USER`, 0x10001, on.
private func happensAgain(_ signal: Int32, code: Int32) -> Bool {
    let isFault = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE
    return isFault && code > 0 && code <= 0x10000
}

private func rescue(on signal: Int32) {
    var action = sigaction()
    sigaction(signal, nil, previousActions + Int(signal))
    guard !isIgnored(previousActions[Int(signal)]) else { return }
    #if canImport(Darwin)
        action.__sigaction_u.__sa_sigaction = step(aside:_:_:)
    #else
        action.__sigaction_handler.sa_sigaction = step(aside:_:_:)
    #endif
    sigfillset(&action.sa_mask)
    action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_ONSTACK)
    sigaction(signal, &action, nil)
}

private func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
    #else
        let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// Gives this thread a stack for its signals unless it has one: its own may be what ran out.
///
/// Source: sigaltstack(2).
private func provideSignalStack() {
    var stack = stack_t()
    guard sigaltstack(nil, &stack) == 0, stack.ss_flags & Int32(SS_DISABLE) != 0 else { return }
    let size = 64 * 1024
    stack = stack_t()
    stack.ss_sp = .allocate(byteCount: size, alignment: 16)
    stack.ss_size = .init(size)
    sigaltstack(&stack, nil)
}
