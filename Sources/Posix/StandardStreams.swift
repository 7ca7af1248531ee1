#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A stream that a program has from its start.
public enum StandardStream: Int32, Sendable {
    /// The program's results.
    case output = 1
    /// Diagnostics.
    case error = 2

    /// Writes a line of text.
    ///
    /// - Throws: `SystemError` when no process reads it, or its disk is full.
    public func write(_ line: String) throws(SystemError) {
        try writeAll(Array((line + "\n").utf8), to: rawValue)
    }

    /// Writes a line of text, which is lost if it cannot be written.
    public func say(_ line: String) {
        try? write(line)
    }

    /// Whether it is a terminal.
    ///
    /// Source: isatty(3).
    public var isTerminal: Bool { isatty(rawValue) == 1 }
}

/// The stream from which a program reads its commands.
public enum StandardInput {
    /// Its descriptor, which others may share.
    public static let descriptor = STDIN_FILENO

    /// Whether it is a terminal.
    ///
    /// Source: isatty(3).
    public static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}

/// Gives a program that was started without one of its standard streams an empty one in its place.
///
/// To be called before anything else is opened, which would else take the place. What is written
/// to such a stream fails, as it did without it, because nothing shows it.
///
/// - Throws: `SystemError` when there is no null device.
///
/// Source: null(4).
public func claimStandardStreams() throws(SystemError) {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
        let opened = try syscall("open") { open("/dev/null", O_RDONLY) }
        precondition(opened == stream, "the lowest free descriptor is taken")
    }
}
