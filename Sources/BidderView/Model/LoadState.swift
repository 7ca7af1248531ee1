/// The state of a load, whose error is shown beside the last result.
public struct LoadState: Equatable, Sendable {
    /// Whether a load is under way.
    public internal(set) var isLoading = false
    /// Why the newest load failed; nil once one has succeeded.
    public internal(set) var lastError: String?
}
