import Wire

/// A line of the server's, with what it means where that is known.
public struct Line: Equatable, Sendable {
    /// The line as it came, without its end.
    public let text: String
    /// What it says; nil for what this client does not know.
    public let message: ServerMessage?

    /// Makes a line.
    public init(_ text: String, _ message: ServerMessage? = nil) {
        self.text = text
        self.message = message
    }
}
