import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The outcome of one attempt to read what was typed.
public enum TerminalReading: Equatable, Sendable {
    /// The number of bytes read, at least one.
    case bytes(Int)
    /// Nothing has been typed.
    case wouldBlock
    /// The terminal has gone, or is another's for good.
    case end
}

/// A terminal that a program draws on as a whole, and gives back as it found it.
///
/// Nothing here blocks, except that `leave` may wait for a short while. Once entered, it is also
/// given back when the process exits or crashes. What is written to standard error meanwhile is
/// shown then, if standard error is this terminal. At most one may be entered at a time.
///
/// Source: termios(3), and "XTerm Control Sequences" for what is written.
public final class Terminal {
    /// The descriptor to wait on: readable for keys, writable while `isDrained` is false.
    public let descriptor: Int32
    /// Whether the terminal is taken over.
    public private(set) var isEntered = false
    /// Whether nothing can be written any more; `read` tells the same as its end.
    private var isHungUp = false
    /// What was written; the terminal has taken the first `takenBytes` of it.
    private var outgoing: [UInt8] = []
    private var takenBytes = 0

    private let restorer: UnsafeMutablePointer<TerminalRestorer>
    private var hasSeenModes = false

    /// Opens the terminal that standard output is, else the one that controls this process.
    ///
    /// Opened again, so that other users of standard output do not find it non-blocking.
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
        restorer = .allocate(capacity: 1)
        restorer.initialize(to: TerminalRestorer(descriptor: descriptor))
    }

    deinit {
        if isEntered { restorer.restoreAndDisarm() }
        restorer.pointee.capture?.release()
        close(descriptor)
        restorer.deallocate()
    }

    /// How many columns and rows there are; 80 and 24 where the terminal does not say.
    ///
    /// At most 1,000 of each, because any program may claim any size for a terminal.
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
            try syscall("tcgetattr") { tcgetattr(descriptor, &restorer.pointee.modes) }
            restorer.pointee.capture = StderrCapture(from: descriptor)
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
        restorer.restoreAndDisarm()
    }

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

    /// Whether the terminal has taken all that was written, so that the next frame may be drawn.
    public var isDrained: Bool { takenBytes == outgoing.count }

    /// Reads what was typed, as far as there is room in the buffer.
    ///
    /// Source: read(2), `EIO`.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> TerminalReading {
        let count = uninterrupted { readBytes(descriptor, buffer.baseAddress, buffer.count) }
        if count > 0 { return .bytes(count) }
        return count == -1 && errno == EAGAIN ? .wouldBlock : .end
    }

    /// Writes as many bytes as the terminal takes now, and keeps the others for `flush`.
    public func write(_ bytes: [UInt8]) {
        outgoing += bytes
        flush()
    }

    /// Writes what was kept, as far as the terminal takes it now.
    ///
    /// A terminal that has gone takes everything; `read` reports its end.
    public func flush() {
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
        isEntered = true
        restorer.pointee.capture?.begin()
        dropOutgoing()
        write(Array(TerminalRestorer.beginning.utf8))
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

/// `read(2)` under a name that a method called `read` does not hide.
private func readBytes(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    read(descriptor, bytes, count)
}

/// `write(2)` under a name that a method called `write` does not hide.
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
