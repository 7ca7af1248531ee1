#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A stream that a program has from its start.
public enum StandardStream: Int32, Sendable {
    /// What the program was asked for.
    case output = 1
    /// What else there is to say.
    case error = 2

    /// Writes a line of text.
    ///
    /// - Throws: `SystemError` when nobody reads it, or its disk is full.
    public func write(_ line: String) throws(SystemError) {
        try writeAll(Array((line + "\n").utf8), to: rawValue)
    }

    /// Writes a line of text that may be lost where nobody reads it.
    public func say(_ line: String) {
        try? write(line)
    }

    /// Whether a person sits at the other end.
    ///
    /// Source: isatty(3).
    public var isTerminal: Bool { isatty(rawValue) == 1 }
}
