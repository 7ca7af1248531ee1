import Basics
import Posix

/// A journal in the files of a folder.
///
/// Batches gather while a thread of its own syncs those before them, and are then written and
/// synced at once, so the groups grow by themselves under load. A thread that appends may write a
/// small group itself, which saves the way to that thread and back: see `writeInline`.
///
/// Sendable although the compiler cannot see it: what several threads use is behind the lock of the
/// queue, one thread at a time takes the writer from it, and `start` and `close` are for the owner.
public final class Journal: EventLog, @unchecked Sendable {
    private let queue: WriterQueue
    private let writer: Writer
    private var thread: Thread?

    init(
        _ disk: any Disk, file: Int32, size: SegmentSize, recovery: Recovery, after sum: Sum,
        trimmer: Trimmer?, clock: @escaping @Sendable () -> Int64
    ) {
        let hasEvents = recovery.events > 0
        queue = WriterQueue(
            nextEvent: recovery.nextEvent, hasEvents: hasEvents,
            isSegmentFull: hasEvents && size.isFull, isUpkeepDue: trimmer != nil)
        writer = Writer(
            disk, file: file, size: size, after: sum, trimmer: trimmer, queue: queue, clock: clock)
    }

    /// Starts the journal's thread, which calls `wake` whenever `progress` has changed.
    ///
    /// - Throws: `SystemError` when the machine has no thread left.
    public func start(wake: @escaping @Sendable () -> Void) throws(SystemError) {
        precondition(thread == nil, "a journal is started once")
        thread = try Thread { self.writer.run(wake: wake) }
    }

    /// Queues a batch for the thread, and returns its number, counted from 1.
    ///
    /// Never waits for the disk. The numbers of the events go on by one over all batches.
    public func append(_ batch: LogBatch) -> Int { queue.append(batch) }

    /// Begins a new segment with a state, and returns its number among the batches.
    ///
    /// Its events begin after the last one appended, of which there must be one in the segment
    /// before. `state` makes the state, which has no events but restated ones. It is called when
    /// the segment is written, on the thread that writes, and not if the disk fails before.
    public func beginSegment(state: @escaping @Sendable () -> LogBatch) -> Int {
        queue.beginSegment(state: state)
    }

    /// How far the journal has come.
    public var progress: LogProgress { queue.progress }

    /// Returns what was done about old segments since the last call, and warnings, in order.
    public func takeUpkeep() -> [Upkeep] { queue.takeUpkeep() }

    /// What became durable since the start.
    public var figures: JournalFigures { queue.figures }

    /// How long each batch that `figures` counts took to be written and synced.
    public var syncTimes: DurationHistogram { queue.syncTimes }

    /// The free bytes of the disk, some seconds before the newest write; nil if it does not tell.
    public var freeBytes: Int? { queue.freeBytes }

    /// Waits until every batch is durable or has failed, ends the thread and closes the file.
    ///
    /// A journal that was never started writes nothing.
    public func close() {
        queue.close()
        thread.take()?.join()
        writer.close()
    }
}

/// What a journal has made durable since it was opened, without what may be secret.
///
/// Everybody may know these figures. A note may be secret, and so may its size.
public struct JournalFigures: Equatable, Sendable {
    /// The number of events.
    public var events = 0
    /// The number of batches with events, each of which was written and synced at once.
    public var batches = 0
    /// The bytes of the lines of events.
    public var bytes = 0

    /// Creates figures of 0.
    public init() {}
}

/// Writes on the thread that appends.
extension Journal {
    /// Lets small groups wait for `writeInline`, while the disk is quick; false at first.
    ///
    /// The caller then calls `writeInline` soon after each append that makes `isInlineDue` true.
    public func allowInline(_ isAllowed: Bool) { queue.allowInline(isAllowed) }

    /// Whether what was appended waits for `writeInline` and not for the journal's thread.
    ///
    /// True only if the group is small, begins no segment and is the only one that is not durable,
    /// and each of the last 16 syncs took less than 2 ms.
    public var isInlineDue: Bool { queue.isInlineDue }

    /// Writes what is pending, and waits until it is durable.
    ///
    /// Returns at once if another thread is writing. May take as long as a disk can hang. Appending
    /// from other threads does not wait meanwhile.
    public func writeInline() {
        if let group = takeGroup() { _ = write(group) }
    }
}

/// Writes in two steps, for a simulation of a journal that was not started.
extension Journal {
    /// A group that was taken to be written.
    package struct Group: ~Copyable {
        fileprivate let number: Int
    }

    /// Takes the pending group, as the journal's thread would; nil if there is nothing.
    ///
    /// What is appended between this and `write` is in the next group.
    package func takeGroup() -> Group? { writer.takePending().map { Group(number: $0) } }

    /// Writes and syncs a group now; false if the disk has failed, and nothing more is to be taken.
    package func write(_ group: consuming Group) -> Bool {
        writer.writeTaken(upTo: group.number)
    }

    /// Removes at most one old segment, as the journal's thread would; false if nothing is due.
    package func removeOldSegment() -> Bool { writer.removeOldSegment() }
}
