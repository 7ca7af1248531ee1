/// The interface of a journal: events are appended, and become durable a moment later.
///
/// Batches become durable in the order in which they were appended. `LogProgress.durable` is the
/// number of the newest of them; nothing about a batch may be sent to anybody before it is durable.
///
/// A journal is divided into segments. Each begins with a state, from which a reader can go on
/// without the segments before.
public protocol EventLog: AnyObject {
    /// Appends a batch, and returns its number, counted from 1.
    ///
    /// Does not wait until it is durable. The numbers of the events go on by one over all batches.
    func append(_ batch: LogBatch) -> Int

    /// Begins a new segment with a state, and returns its number among the batches.
    ///
    /// The current segment must have an event. `state` makes the state, which has no events but
    /// restated ones. A journal that stores it calls `state` once, later and on any thread, because
    /// a large state takes long to make; so what it returns must not depend on when it is called.
    func beginSegment(state: @escaping @Sendable () -> LogBatch) -> Int

    /// How far the journal has come.
    var progress: LogProgress { get }

    /// Waits until every batch is durable or has failed; nothing is appended after this.
    func close()
}

/// How far a journal has come.
public struct LogProgress: Sendable {
    /// The number of the newest batch that is durable, as are all before it; 0 before the first.
    public var durable: Int
    /// Whether the segment has reached its limit, and a new one should begin.
    public var isSegmentFull: Bool
    /// Why nothing more will become durable; nil while the journal works.
    public var failure: LogFailure?

    /// Creates the progress of a journal without a failure.
    public init(durable: Int = 0, isSegmentFull: Bool = false) {
        (self.durable, self.isSegmentFull) = (durable, isSegmentFull)
    }
}

/// A journal that can make nothing more durable.
public struct LogFailure: Error, Equatable, CustomStringConvertible {
    /// Why, such as `pwritev2: No space left on device`.
    public let description: String

    /// Creates a failure with its reason.
    public init(_ reason: String) {
        description = reason
    }
}

/// A journal without storage: each batch counts as durable at once.
public final class MemoryLog: EventLog {
    private var count = 0

    /// Creates a journal without batches.
    public init() {}

    /// Counts a batch.
    public func append(_ batch: LogBatch) -> Int {
        count += 1
        return count
    }

    /// Counts the state as a batch, and does not make it.
    public func beginSegment(state: @escaping @Sendable () -> LogBatch) -> Int {
        append(LogBatch())
    }

    /// Every batch is durable, and no segment is ever full.
    public var progress: LogProgress { LogProgress(durable: count) }

    /// Does nothing.
    public func close() {}
}
