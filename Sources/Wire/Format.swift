/// The form in which a connection hears the server.
public enum Format: String, CaseIterable, Sendable {
    /// Lines of words, for people and the simplest programs.
    case text
    /// One JSON object a line.
    case json
}
