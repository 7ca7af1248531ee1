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

    /// Writes a line of text; where nobody reads it, it is lost.
    public func say(_ line: String) {
        try? writeAll(Array((line + "\n").utf8), to: rawValue)
    }

    /// Whether a person sits at the other end.
    ///
    /// Source: isatty(3).
    public var isTerminal: Bool { isatty(rawValue) == 1 }
}
