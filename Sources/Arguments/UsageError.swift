/// A command line that its program does not understand.
public struct UsageError: Error, Equatable, Sendable {
    /// One line without its newline: the program, what is wrong, and what to write instead.
    public let message: String
}

extension String {
    /// The text as a message shows it: in single quotes, on one line, control characters escaped.
    var quoted: String { "'\(escaped)'" }

    /// The text on one line, control characters escaped.
    var escaped: String {
        unicodeScalars.map { $0 == "'" ? "'" : $0.escaped(asASCII: false) }.joined()
    }
}
