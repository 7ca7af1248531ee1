/// Something that is loaded, as it is seen: an error stays in sight beside the last good result.
///
/// Source: the seed text on the loadable resource.
public struct Loadable<Value> {
    /// Whether a load is under way.
    public var isLoading = false
    /// The result of the newest load that succeeded.
    public var result: Value?
    /// Why the newest load failed; nil once one has succeeded.
    public var lastError: String?

    /// Makes one of which nothing is known.
    public init() {}
}

extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Sendable where Value: Sendable {}
