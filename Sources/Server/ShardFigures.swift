import Transport

/// What was sent to the connections of one loop since the start.
package struct ShardFigures: Equatable, Sendable {
    /// What was sent.
    package var sent = SendFigures()
    /// How often a connection fell behind its feed.
    package var skips = 0
    /// The number of news that these connections missed, all together.
    package var skippedNews = 0
    /// The number of connections in each encoding, by its format; inline, because it is copied often.
    package var observers = SIMD4<Int32>()

    package init() {}

    /// Adds the figures of another loop.
    mutating func add(_ other: ShardFigures) {
        sent.add(other.sent)
        skips += other.skips
        skippedNews += other.skippedNews
        observers &+= other.observers
    }
}
