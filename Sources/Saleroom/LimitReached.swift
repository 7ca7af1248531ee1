/// A limit that stopped somebody, by the word that the log has for it.
public enum LimitReached: String, CaseIterable, Sendable {
    /// Too many were connected, so a newcomer was refused.
    case full
    /// Too many were connected from one address, so a newcomer was refused.
    case addressFull = "address-full"
    /// Too many names were new from one address, so another was refused.
    case names
    /// Too many tokens were wrong from one address, so another was not looked at.
    case wrongTokens = "wrong-tokens"
    /// A line had no end for too long, so its connection was closed.
    case idle
    /// Nothing of its output was taken for too long, so a connection was closed.
    case stalled

    /// Whether it closes a connection that was let in.
    public var isClosing: Bool {
        switch self {
        case .full, .addressFull, .names, .wrongTokens: false
        case .idle, .stalled: true
        }
    }
}
