/// The format of the lines that the server sends on a connection.
public enum Format: String, CaseIterable, Sendable {
    /// Lines of words, for people and simple programs.
    case text
    /// One JSON object a line.
    case json
}
