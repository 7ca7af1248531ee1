/// A limit or a rule that closed or refused something, by its word in the log.
public enum LimitReached: String, CaseIterable, Sendable {
    /// Too many were connected, so a newcomer was refused.
    case full
    /// Too many were connected, so the connection silent for longest was closed.
    case silent
    /// Too many were connected from one address, so a newcomer was refused.
    case addressFull = "address-full"
    /// Too many connections came from one address in a short time, so a newcomer was refused.
    case connects
    /// Too many names were new from one address, so another was refused.
    case names
    /// Too many names were owned, so another was refused.
    case namesFull = "names-full"
    /// A name was opened too often, so another opening was refused.
    case openings
    /// Too many tokens were wrong from one address, and another was.
    case wrongTokens = "wrong-tokens"
    /// A connection began with a TLS handshake, and was closed unheard.
    case tls
}
