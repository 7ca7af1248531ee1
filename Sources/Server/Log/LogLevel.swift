/// How much a line of the log matters; each level takes in those before it.
public enum LogLevel: String, CaseIterable, Sendable {
    /// The server cannot go on.
    case error
    /// Somebody should look.
    case warning
    /// What happens in the saleroom.
    case info
    /// Each connection.
    case debug

    /// Whether a log of this level has lines of another.
    func takesIn(_ other: LogLevel) -> Bool {
        other.place <= place
    }

    private var place: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }
}
