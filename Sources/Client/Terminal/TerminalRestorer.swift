import Posix
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What is needed to give a terminal back, kept in memory that a signal handler can reach.
struct TerminalRestorer {
    /// Selects the alternate screen, and turns off line wrap and the cursor, and on bracketed paste.
    static let beginning = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"
    /// Undoes `beginning`, resets colours, and ends synchronized output.
    ///
    /// Its first byte ends an escape sequence that was cut in two.
    static let ending: StaticString =
        "\u{1B}[m\u{1B}[?2026l\u{1B}[?25h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?1049l"
    private static let patienceMilliseconds: Int32 = 250

    let descriptor: Int32
    /// The modes that the terminal had at first.
    var modes = termios()
    /// Keeps standard error off the screen; nil where it does not go there.
    var capture: StderrCapture?

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Gives the terminal back; async-signal-safe.
    ///
    /// A process in the background must not be stopped by this, and leaves the modes to the shell,
    /// which has set its own.
    ///
    /// Source: signal-safety(7); tcsetattr(3), `SIGTTOU`.
    func restore() {
        let error = errno
        let mask = changeMask(SIG_BLOCK, SIGTTOU)
        capture?.end()
        if !writeEnding() {
            // The terminal is stuck: drop what it still holds, and try once more.
            tcflush(descriptor, TCOFLUSH)
            _ = writeEnding()
        }
        if isInForeground {
            var modes = modes
            tcsetattr(descriptor, TCSANOW, &modes)
        }
        if let capture { show(capture) }
        restoreMask(mask)
        errno = error
    }

    /// Whether this job is in the foreground of the terminal, or the terminal controls no job.
    private var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group == -1 || group == getpgrp()
    }

    /// Shows what was written to standard error meanwhile, until the terminal takes no more.
    private func show(_ capture: StderrCapture) {
        var bytes = capture.take()
        while bytes.count > 0, write(bytes.baseAddress, bytes.count) { bytes = capture.take() }
    }

    private func writeEnding() -> Bool {
        write(Self.ending.utf8Start, Self.ending.utf8CodeUnitCount)
    }

    /// Writes bytes; false if the terminal did not take them in time.
    private func write(_ bytes: UnsafeRawPointer?, _ length: Int) -> Bool {
        guard var rest = bytes else { return true }
        var count = length
        while count > 0 {
            let taken = writeBytes(descriptor, rest, count)
            if taken > 0 {
                rest += taken
                count -= taken
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&entry, 1, Self.patienceMilliseconds) == 1 else { return false }
            } else if errno != EINTR {
                return true
            }
        }
        return true
    }
}

extension UnsafeMutablePointer<TerminalRestorer> {
    /// Restores the terminal also when the process exits or crashes, from now on.
    func arm() {
        _ = crashHandlers
        armed.store(self, ordering: .sequentiallyConsistent)
    }

    /// Restores the terminal, and no longer when the process ends.
    func restoreAndDisarm() {
        pointee.restore()
        disarm()
    }

    /// Leaves the terminal as it is when the process ends.
    func disarm() {
        _ = armed.compareExchange(
            expected: self, desired: nil, ordering: .sequentiallyConsistent)
    }
}

/// The terminal to restore when the process ends; nothing changes what it points to meanwhile.
nonisolated(unsafe) private let armed = Atomic<UnsafeMutablePointer<TerminalRestorer>?>(nil)

/// The previous actions of the crash signals, by number; written before any handler can read them.
nonisolated(unsafe) private let previousActions =
    UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

/// Installed by its first use, for good: a handler that finds no terminal only passes the signal on.
private let crashHandlers: Void = {
    atexit { restoreArmed() }
    provideSignalStack()
    for signal in crashSignals + [SIGQUIT] { installHandler(of: signal) }
}()

/// Runs in the signal handler, on whichever thread the signal hit.
private func restoreArmed() {
    let restorer = armed.exchange(nil, ordering: .sequentiallyConsistent)
    restorer?.pointee.restore()
}

/// Restores the terminal, and then lets the signal do what it did before.
///
/// The signal is blocked in here. Raised again, it arrives when this has returned, with the thread
/// where the signal first found it: a crash report shows nothing of this handler.
private func passOn(
    _ signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?,
    _ context: UnsafeMutableRawPointer?
) {
    restoreArmed()
    sigaction(signal, previousActions + Int(signal), nil)
    let code = information?.pointee.si_code ?? 0
    if !happensAgain(signal, code: code) { raise(signal) }
}

/// Whether the faulting instruction is about to be repeated, so that the report has its address.
///
/// A trap or a forbidden system call may lie behind the thread already. What a process sent has a
/// code of at most 0, on Darwin one from `SI_USER`, 0x10001, on.
private func happensAgain(_ signal: Int32, code: Int32) -> Bool {
    let isFault = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE
    return isFault && code > 0 && code <= 0x10000
}

private func installHandler(of signal: Int32) {
    var action = sigaction()
    sigaction(signal, nil, previousActions + Int(signal))
    guard !isIgnored(previousActions[Int(signal)]) else { return }
    #if canImport(Darwin)
        action.__sigaction_u.__sa_sigaction = passOn(_:_:_:)
    #else
        action.__sigaction_handler.sa_sigaction = passOn(_:_:_:)
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

/// Gives this thread a signal stack unless it has one: a crash may be a stack overflow.
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
