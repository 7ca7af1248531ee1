#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A terminal that a program draws on as a whole, and gives back as it found it.
///
/// Nothing here waits for the terminal, but for the short while that `leave` may take. Once entered
/// it is given back too when the process exits or crashes. What standard error is told meanwhile
/// is shown then, if it is shown by this terminal. One is to be entered at a time.
///
/// Source: termios(3), and "XTerm Control Sequences" for what is written.
public final class Terminal {
    /// The descriptor to wait on: readable for keys, writable while `isDrained` is false.
    public let descriptor: Int32
    /// Whether the terminal is taken over.
    public private(set) var isEntered = false
    /// Whether nothing can be written any more; `read` tells the same as its end.
    var isHungUp = false
    /// What the terminal has not taken yet, behind the first bytes, which it has.
    var outgoing: [UInt8] = []
    var takenBytes = 0

    private let loan: UnsafeMutablePointer<TerminalLoan>
    private var hasSeenModes = false

    /// Opens the terminal that standard output is, else the one that controls this process.
    ///
    /// Anew, because whoever shares the descriptor of standard output must not find it non-blocking.
    ///
    /// - Throws: `SystemError` when there is no terminal.
    ///
    /// Source: ttyname_r(3), tty(4).
    public convenience init() throws(SystemError) {
        if let path = nameOfStandardOutput(), let descriptor = try? openTerminal(path) {
            self.init(descriptor: descriptor)
        } else {
            try self.init(path: "/dev/tty")
        }
    }

    /// Opens a terminal by its path.
    ///
    /// - Throws: `SystemError` when it cannot be opened.
    public convenience init(path: String) throws(SystemError) {
        self.init(descriptor: try openTerminal(path))
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        loan = .allocate(capacity: 1)
        loan.initialize(to: TerminalLoan(descriptor: descriptor))
    }

    deinit {
        if isEntered { end(loan) }
        loan.pointee.errors?.release()
        close(descriptor)
        loan.deallocate()
    }

    /// How many columns and rows there are; 80 and 24 where the terminal does not say.
    ///
    /// At most 1,000 of each: whoever may write to a terminal may call it as large as they like.
    ///
    /// Source: tty_ioctl(4), `TIOCGWINSZ`.
    public var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (min(1000, Int(size.ws_col)), min(1000, Int(size.ws_row)))
    }

    /// Takes the terminal over: keys as they are typed, and an empty screen beside the user's own.
    ///
    /// Does nothing if it is taken over already. A process in the background stops here until it
    /// is in the foreground, and only then looks which modes are the user's.
    ///
    /// - Throws: `SystemError` when it is no terminal, or has gone.
    ///
    /// Source: tcflow(3), `SIGTTOU`.
    public func enter() throws(SystemError) {
        guard !isEntered else { return }
        if !hasSeenModes {
            // A terminal that was not halted goes on as it did: this is for the wait alone.
            try syscall("tcflow") { tcflow(descriptor, TCOON) }
            try syscall("tcgetattr") { tcgetattr(descriptor, &loan.pointee.modes) }
            loan.pointee.errors = ErrorsAside(from: descriptor)
            hasSeenModes = true
        }
        try takeOver()
    }

    /// Takes the terminal over once more, after others may have changed it, as on `SIGCONT`.
    ///
    /// What was written and not yet taken is dropped, and the screen is empty. Does nothing unless
    /// the terminal was taken over.
    ///
    /// - Throws: `SystemError` when the terminal has gone.
    public func resume() throws(SystemError) {
        guard isEntered else { return }
        try takeOver()
    }

    /// Gives the terminal back as it was; does nothing unless it is taken over.
    ///
    /// What was written and not yet taken is dropped. Waits at most half a second for a terminal
    /// that takes nothing.
    public func leave() {
        guard isEntered else { return }
        isEntered = false
        dropOutgoing()
        end(loan)
    }

    private func takeOver() throws(SystemError) {
        begin(loan)
        var raw = loan.pointee.modes
        cfmakeraw(&raw)
        do throws(SystemError) {
            try syscall("tcsetattr") { tcsetattr(descriptor, TCSANOW, &raw) }
        } catch {
            if !isEntered { withdraw(loan) }
            throw error
        }
        isEntered = true
        loan.pointee.errors?.begin()
        dropOutgoing()
        write(Array(TerminalLoan.beginning.utf8))
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
