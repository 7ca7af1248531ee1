import Wire

/// What everybody is told: a notice, and its number among all news.
public struct News: Equatable, Sendable {
    /// What is told.
    public let notice: Notice
    /// The number; it counts up by one without a gap.
    public let seq: Int
    /// The line of text, with its end: the same bytes that the journal keeps.
    public let line: ArraySlice<UInt8>
}
