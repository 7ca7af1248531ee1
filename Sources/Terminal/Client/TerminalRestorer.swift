import Bidder
import Posix
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What restores a terminal, in memory that a signal handler can reach.
///
/// While it is armed, the terminal is also restored when the process exits or crashes.
struct TerminalRestorer {
    /// Saves the title of the window.
    static let titleSaving = "\u{1B}[22;2t"
    /// Selects the alternate screen, turns line wrap and the cursor off, and bracketed paste on.
    static let beginning = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"
    /// Reverts `beginning`, resets colours, ends synchronized output, and restores the title.
    ///
    /// Its first byte also ends an incomplete escape sequence.
    private static let ending: StaticString =
        "\u{1B}[m\u{1B}[?2026l\u{1B}[?25h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?1049l\u{1B}[23;2t"
    private static let writeTimeoutMilliseconds: Int32 = 250

    let descriptor: Int32
    /// The original modes of the terminal.
    var modes = termios()
    /// Keeps standard error off the alternate screen; nil if it does not go to the terminal.
    var capture: StderrCapture?

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Restores the terminal; async-signal-safe.
    ///
    /// A process in the background is not stopped by this. It leaves the modes to the shell, which
    /// has set its own.
    ///
    /// Source: signal-safety(7); tcsetattr(3), `SIGTTOU`.
    func restore() {
        let error = errno
        let mask = changeMask(SIG_BLOCK, SIGTTOU)
        capture?.end()
        if !writeEnding() {
            // The terminal does not read: drop its output buffer, and try once more.
            tcflush(descriptor, TCOFLUSH)
            _ = writeEnding()
        }
        if isInForeground {
            var modes = modes
            tcsetattr(descriptor, TCSANOW, &modes)
        }
        showCapturedErrors()
        restoreMask(mask)
        errno = error
    }

    /// Whether this job is in the foreground, or the terminal controls no job.
    private var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group == -1 || group == getpgrp()
    }

    /// Copies what was written to standard error, until the terminal takes no more.
    private func showCapturedErrors() {
        guard let capture else { return }
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
            var count = capture.read(into: buffer)
            while count > 0, write(buffer.baseAddress, count) { count = capture.read(into: buffer) }
        }
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
                guard poll(&entry, 1, Self.writeTimeoutMilliseconds) == 1 else { return false }
            } else if errno != EINTR {
                return true
            }
        }
        return true
    }
}

/// Standard error redirected to a pipe while the terminal shows the alternate screen.
///
/// The messages, such as that of a crash, would be lost with the alternate screen. What does not
/// fit into the pipe, usually 64 KiB, is dropped.
struct StderrCapture {
    private let readEnd: Int32
    private let writeEnd: Int32
    private let original: Int32

    /// Makes the pipe; nil if standard error is not this terminal, or no descriptor is left.
    init?(from terminal: Int32) {
        guard Self.isStandardError(terminal) else { return nil }
        original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard original != -1 else { return nil }
        guard let ends = try? makePipe() else {
            close(original)
            return nil
        }
        (readEnd, writeEnd) = ends
    }

    private static func isStandardError(_ terminal: Int32) -> Bool {
        // A program that was started without standard error may have opened the terminal as it.
        guard terminal != STDERR_FILENO else { return false }
        var (asked, found) = (stat(), stat())
        guard fstat(terminal, &asked) == 0, fstat(STDERR_FILENO, &found) == 0 else { return false }
        return found.st_mode & S_IFMT == S_IFCHR && found.st_rdev == asked.st_rdev
    }

    /// Redirects standard error to the pipe.
    func begin() {
        dup2(writeEnd, STDERR_FILENO)
    }

    /// Restores standard error.
    func end() {
        dup2(original, STDERR_FILENO)
    }

    /// Reads what was written to standard error; at most 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        readBytes(readEnd, buffer.baseAddress, buffer.count)
    }

    /// Closes the descriptors.
    func release() {
        for descriptor in [readEnd, writeEnd, original] { close(descriptor) }
    }
}

extension UnsafeMutablePointer<TerminalRestorer> {
    /// Also restores the terminal when the process exits or crashes, from now on.
    func arm() {
        _ = crashHandlers
        armed.store(self, ordering: .sequentiallyConsistent)
    }

    /// Restores the terminal now, and not when the process ends.
    func restoreAndDisarm() {
        pointee.restore()
        disarm()
    }

    /// Does not restore the terminal when the process ends.
    func disarm() {
        _ = armed.compareExchange(
            expected: self, desired: nil, ordering: .sequentiallyConsistent)
    }
}

/// The terminal to restore when the process ends; the memory does not change while it is armed.
nonisolated(unsafe) private let armed = Atomic<UnsafeMutablePointer<TerminalRestorer>?>(nil)

/// The previous actions of the crash signals, by number; written before the handlers are installed.
nonisolated(unsafe) private let previousActions =
    UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

/// Installs the handlers once; without an armed terminal they only repeat the signal.
private let crashHandlers: Void = {
    atexit { restoreArmed() }
    provideSignalStack()
    for signal in crashSignals + [SIGQUIT] { installHandler(of: signal) }
}()

private func restoreArmed() {
    let restorer = armed.exchange(nil, ordering: .sequentiallyConsistent)
    restorer?.pointee.restore()
}

/// Restores the terminal, and raises the signal again for its previous action.
///
/// The signal is blocked in its handler, and arrives after the return in the interrupted context,
/// so that a crash report shows the place of the fault.
private func handleCrash(
    _ signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?,
    _ context: UnsafeMutableRawPointer?
) {
    restoreArmed()
    sigaction(signal, previousActions + Int(signal), nil)
    raise(signal)
}

private func installHandler(of signal: Int32) {
    var action = sigaction()
    sigaction(signal, nil, previousActions + Int(signal))
    guard !isIgnored(previousActions[Int(signal)]) else { return }
    #if canImport(Darwin)
        action.__sigaction_u.__sa_sigaction = handleCrash(_:_:_:)
    #else
        action.__sigaction_handler.sa_sigaction = handleCrash(_:_:_:)
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

/// Gives this thread a signal stack, because a crash may be a stack overflow.
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

/// `read(2)` under a name that a method called `read` does not hide.
private func readBytes(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    read(descriptor, bytes, count)
}
