import Bidder
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A terminal in raw mode with its alternate screen.
///
/// Does not block, except that `leave` may wait for a short time. An entered terminal is also
/// restored when the process exits or crashes. What was written to standard error meanwhile is
/// shown after that, if standard error is this terminal. At most one terminal may be entered at a
/// time.
///
/// Source: termios(3), and "XTerm Control Sequences" for what is written.
package final class TerminalDevice {
    /// The descriptor to wait on: readable for keys, writable while `isDrained` is false.
    package let descriptor: Int32
    /// Whether the terminal is in raw mode and shows the alternate screen.
    package private(set) var isEntered = false
    /// Whether a write failed; `read` then returns the end.
    private var isHungUp = false
    /// The written bytes, of which the terminal has taken the first `takenBytes`.
    private var outgoing: [UInt8] = []
    private var takenBytes = 0

    private let restorer: UnsafeMutablePointer<TerminalRestorer>
    private var hasSeenModes = false

    /// Opens the terminal that standard output is, else the controlling terminal.
    ///
    /// Opens it again, so that standard output stays blocking for other processes.
    ///
    /// - Throws: `SystemError` if there is no terminal.
    ///
    /// Source: ttyname_r(3), tty(4).
    package convenience init() throws(SystemError) {
        if let path = nameOfStandardOutput(), let descriptor = try? openTerminal(path) {
            self.init(descriptor: descriptor)
        } else {
            try self.init(path: "/dev/tty")
        }
    }

    /// Opens a terminal by its path.
    ///
    /// - Throws: `SystemError` if it cannot be opened.
    package convenience init(path: String) throws(SystemError) {
        self.init(descriptor: try openTerminal(path))
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        restorer = .allocate(capacity: 1)
        restorer.initialize(to: TerminalRestorer(descriptor: descriptor))
    }

    deinit {
        if isEntered { restorer.restoreAndDisarm() }
        restorer.pointee.capture?.release()
        close(descriptor)
        restorer.deallocate()
    }

    /// The number of columns and rows; 80 and 24 if the terminal does not know them.
    ///
    /// At most 1,000 each, because any program can set the size of a terminal.
    ///
    /// Source: tty_ioctl(4), `TIOCGWINSZ`.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (min(1000, Int(size.ws_col)), min(1000, Int(size.ws_row)))
    }

    /// Enters raw mode and the alternate screen; does nothing if that is done already.
    ///
    /// A process in the background stops here until it is in the foreground, and only then reads
    /// the modes to restore.
    ///
    /// - Throws: `SystemError` if the descriptor is not a terminal, or the terminal is closed.
    ///
    /// Source: tcflow(3), `SIGTTOU`.
    package func enter() throws(SystemError) {
        guard !isEntered else { return }
        if !hasSeenModes {
            // Resumes output that was not suspended; used only because it stops a background job.
            try syscall("tcflow") { tcflow(descriptor, TCOON) }
            try syscall("tcgetattr") { tcgetattr(descriptor, &restorer.pointee.modes) }
            restorer.pointee.capture = StderrCapture(from: descriptor)
            hasSeenModes = true
        }
        try takeOver()
    }

    /// Enters raw mode and the alternate screen again, after `SIGCONT`.
    ///
    /// Drops unsent bytes; the screen is empty. Does nothing unless the terminal was entered.
    ///
    /// - Throws: `SystemError` if the terminal is closed.
    package func resume() throws(SystemError) {
        guard isEntered else { return }
        try takeOver()
    }

    /// Restores the terminal; does nothing unless it was entered.
    ///
    /// Drops unsent bytes. Waits at most half a second for a terminal that does not read.
    package func leave() {
        guard isEntered else { return }
        isEntered = false
        dropOutgoing()
        restorer.restoreAndDisarm()
    }

    /// Restores the terminal, stops this job as Ctrl-Z does, and enters the terminal again.
    ///
    /// Returns when the job continues; the screen is empty. Does not stop if no shell could
    /// continue the job.
    ///
    /// - Throws: `SystemError` if the terminal was closed meanwhile.
    ///
    /// Source: kill(2), `SIGTSTP`; "orphaned process group" in POSIX.
    package func suspend() throws(SystemError) {
        leave()
        stopJob()
        try enter()
    }

    /// Whether the terminal has taken all bytes, so that the next frame may be drawn.
    package var isDrained: Bool { takenBytes == outgoing.count }

    /// Reads typed bytes, and returns their number; nil if there are none.
    ///
    /// 0 if the terminal is closed, or no longer belongs to this process.
    ///
    /// Source: read(2), `EIO`.
    package func read(into buffer: inout [UInt8]) -> Int? {
        do throws(SystemError) {
            return try readAvailable(descriptor, into: &buffer)
        } catch {
            return 0
        }
    }

    /// Writes as many bytes as the terminal takes now, and stores the others for `flush`.
    package func write(_ bytes: [UInt8]) {
        outgoing += bytes
        flush()
    }

    /// Writes stored bytes, as many as the terminal takes now.
    ///
    /// Drops them if the terminal is closed; `read` then returns the end.
    package func flush() {
        while !isDrained && !isHungUp {
            let count = uninterrupted {
                outgoing[takenBytes...].withUnsafeBytes {
                    writeBytes(descriptor, $0.baseAddress, $0.count)
                }
            }
            guard count > 0 else {
                isHungUp = count == -1 && errno != EAGAIN
                break
            }
            takenBytes += count
        }
        if isDrained || isHungUp { dropOutgoing() }
    }

    private func dropOutgoing() {
        outgoing.removeAll(keepingCapacity: true)
        takenBytes = 0
    }

    private func takeOver() throws(SystemError) {
        restorer.arm()
        var raw = restorer.pointee.modes
        cfmakeraw(&raw)
        do throws(SystemError) {
            try syscall("tcsetattr") { tcsetattr(descriptor, TCSANOW, &raw) }
        } catch {
            if !isEntered { restorer.disarm() }
            throw error
        }
        // After `SIGCONT` the saved title is still the one from before.
        let titleSaving = isEntered ? "" : TerminalRestorer.titleSaving
        isEntered = true
        restorer.pointee.capture?.begin()
        dropOutgoing()
        write(Array((titleSaving + TerminalRestorer.beginning).utf8))
    }
}

private func openTerminal(_ path: String) throws(SystemError) -> Int32 {
    try syscall("open") { open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
}

private func nameOfStandardOutput() -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
        guard let text = buffer.baseAddress,
            ttyname_r(STDOUT_FILENO, text, buffer.count) == 0
        else { return nil }
        return String(cString: text)
    }
}

/// Stops all processes of this group, and returns when they continue.
///
/// This process ignores the signal to the group, which could arrive on another thread and too late.
/// Then it raises the signal for itself, which arrives here before `raise` returns. `SIGCONT` is
/// not reported to the signal pipe, because the caller waits for it here.
private func stopJob() {
    var continueAction = exchangeAction(of: SIGCONT, for: SIG_DFL)
    var stopAction = exchangeAction(of: SIGTSTP, for: SIG_IGN)
    kill(0, SIGTSTP)
    // A signal that all threads block is pending; ignoring it again discards it.
    _ = exchangeAction(of: SIGTSTP, for: SIG_IGN)
    _ = exchangeAction(of: SIGTSTP, for: SIG_DFL)
    let mask = changeMask(SIG_UNBLOCK, SIGTSTP)
    raise(SIGTSTP)
    restoreMask(mask)
    _ = exchangeAction(of: SIGCONT, for: SIG_DFL)
    sigaction(SIGTSTP, &stopAction, nil)
    sigaction(SIGCONT, &continueAction, nil)
}

/// `write(2)` under a name that a method called `write` does not hide.
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
