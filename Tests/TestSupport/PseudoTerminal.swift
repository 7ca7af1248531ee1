import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A terminal without a screen, and the person before it: the test.
///
/// Source: pty(7).
public final class PseudoTerminal: Sendable {
    /// Where programs find the terminal.
    public let path: String
    private let person: Int32
    /// Held open, so that the terminal outlives its users.
    private let terminal: Int32

    /// Makes a terminal with this number of columns and rows.
    ///
    /// - Throws: `SystemError` when the machine has no terminal left.
    public init(columns: UInt16 = 80, rows: UInt16 = 24) throws(SystemError) {
        var (person, terminal): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try syscall("openpty") { openpty(&person, &terminal, &name, nil, &size) }
        path = String(
            decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        (self.person, self.terminal) = (person, terminal)
        try makeNonBlocking(person)
        try syscall("fcntl") { fcntl(terminal, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(person)
        close(terminal)
    }

    /// Types keys.
    public func type(_ keys: String) throws(SystemError) {
        try writeAll(Array(keys.utf8), to: person)
    }

    /// Returns what the terminal shows, up to a text that is waited for.
    ///
    /// What comes behind that text may be included. Gives up after twenty seconds.
    public func shown(until text: String) -> String {
        var bytes: [UInt8] = []
        var entry = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            guard poll(&entry, 1, 20_000) == 1 else { break }
            bytes += take()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Takes what the terminal shows by now.
    public func take() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = uninterrupted { read(person, &buffer, buffer.count) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Whether keys arrive as they are typed, unseen and without a meaning to the system.
    public var isRaw: Bool {
        let kept = modes.c_lflag & tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        return kept == 0 && modes.c_oflag & tcflag_t(OPOST) == 0
    }

    /// The modes that the terminal is in.
    public var modes: termios {
        var modes = termios()
        tcgetattr(terminal, &modes)
        return modes
    }

    /// Has keys shown, and lines edited, as a shell may when it was in the foreground.
    public func makeCooked() {
        var modes = modes
        modes.c_lflag |= tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        tcsetattr(terminal, TCSANOW, &modes)
    }
}
