#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What is needed to give a terminal back, kept where a signal handler finds it.
struct TerminalLoan {
    /// Another screen, no wrapping of long lines, pasted text in brackets, no cursor; all empty.
    static let beginning = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"
    /// No colours, no half of a frame held back, and all the above undone.
    ///
    /// Its first byte ends whatever sequence was cut in two.
    static let ending: StaticString =
        "\u{1B}[m\u{1B}[?2026l\u{1B}[?25h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?1049l"
    private static let patienceMilliseconds: Int32 = 250

    let descriptor: Int32
    /// The modes it had at first.
    var modes = termios()
    /// What keeps standard error off the screen; nil where it does not go there.
    var errors: ErrorsAside?

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Gives the terminal back; calls nothing that a signal handler may not call.
    ///
    /// A process in the background must not be stopped by this, and leaves the modes to the shell,
    /// which has set its own.
    ///
    /// Source: signal-safety(7); tcsetattr(3), `SIGTTOU`.
    func giveBack() {
        let error = errno
        let mask = changeMask(SIG_BLOCK, SIGTTOU)
        errors?.end()
        if !writeEnding() {
            // It has taken nothing for a while: what it still holds is not worth more than this.
            tcflush(descriptor, TCOFLUSH)
            _ = writeEnding()
        }
        if isInForeground {
            var modes = modes
            tcsetattr(descriptor, TCSANOW, &modes)
        }
        if let errors { passOn(errors) }
        restoreMask(mask)
        errno = error
    }

    /// Whether the terminal is this job's, or controls no job at all.
    private var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group == -1 || group == getpgrp()
    }

    /// Shows what standard error was told meanwhile, until the terminal takes no more.
    private func passOn(_ errors: ErrorsAside) {
        var bytes = errors.take()
        while bytes.count > 0, write(bytes.baseAddress, bytes.count) { bytes = errors.take() }
    }

    private func writeEnding() -> Bool {
        write(Self.ending.utf8Start, Self.ending.utf8CodeUnitCount)
    }

    /// Whether the terminal took it in time.
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
