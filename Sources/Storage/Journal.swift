import EventLog
import Posix

/// Lines in the files of a folder, which are on the disk when they are said to be.
///
/// Commits gather while a thread of its own syncs those before them, and are then written and
/// synced at once: batches grow by themselves under load.
///
/// Sendable although the compiler cannot see it: what several threads use is behind the lock of the
/// queue, the writer belongs to the journal's thread from `start` until it has been joined, and
/// `start` and `close` are for the one who opened the journal.
public final class Journal: EventLog, @unchecked Sendable {
    private let queue: WriterQueue
    private let writer: Writer
    private var thread: Thread?

    init(
        _ disk: any Disk, file: Int32, size: SegmentSize, recovery: Recovery, after sum: Sum,
        trimmer: Trimmer?
    ) {
        let hasEvents = recovery.events > 0
        queue = WriterQueue(
            nextEvent: recovery.nextEvent, hasEvents: hasEvents,
            isSegmentFull: hasEvents && size.isFull)
        writer = Writer(
            disk, file: file, size: size, after: sum, trimmer: trimmer, queue: queue)
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
    public func append(_ batch: LogBatch) -> Int {
        precondition(
            !batch.hasRestatedEvents, "events are restated at the beginning of a segment alone")
        return submit { state in
            if let events = batch.events {
                precondition(events.lowerBound == state.nextEvent, "events go on by one")
                (state.nextEvent, state.hasEvents) = (events.upperBound + 1, true)
            }
            if state.progress.failure == nil { state.pending.append(batch) }
        }
    }

    /// Begins a new segment with this state, and returns its number among the batches.
    ///
    /// Its events begin after the last one appended, of which there must be one in the segment
    /// before. The state has no events but restated ones.
    public func beginSegment(state: LogBatch) -> Int {
        precondition(state.events == nil, "state tells no new event")
        return submit { shared in
            precondition(shared.hasEvents, "a segment without events is not ended")
            (shared.hasEvents, shared.progress.isSegmentFull) = (false, false)
            guard shared.progress.failure == nil else { return }
            shared.pending.begin(
                state: state, first: shared.nextEvent, commit: shared.lastCommit)
        }
    }

    /// How far the journal has come.
    public var progress: LogProgress { queue.state.withLock { $0.progress } }

    /// Returns what was done about old segments since this was asked last, in order.
    public func takeUpkeep() -> [Upkeep] {
        queue.state.withLock { state in
            defer { state.upkeep = [] }
            return state.upkeep
        }
    }

    /// How many events were kept since the start, in how many batches.
    public var figures: (events: Int, batches: Int) {
        queue.state.withLock { ($0.events, $0.batches) }
    }

    /// Waits until every batch is durable or has failed, ends the thread and closes the file.
    ///
    /// A journal that was never started writes nothing.
    public func close() {
        queue.state.withLock { state in
            precondition(!state.isClosing, "a journal is closed once")
            state.isClosing = true
        }
        queue.state.signal()
        thread.take()?.join()
        writer.close()
    }

    private func submit(_ add: (inout WriterQueue.State) -> Void) -> Int {
        let commit = queue.state.withLock { state in
            precondition(!state.isClosing, "nothing is appended to a journal that is closed")
            state.lastCommit += 1
            add(&state)
            return state.lastCommit
        }
        queue.state.signal()
        return commit
    }
}

extension Journal {
    /// A batch that was taken to be written, in a journal that was not started.
    package struct Batch: ~Copyable {
        fileprivate let commit: Int
    }

    /// Takes the pending batch, as the journal's thread would; nil if there is nothing.
    ///
    /// For a simulation, which is that thread: what is appended between this and `keep` is in
    /// the next batch.
    package func takeBatch() -> Batch? {
        let isThere = queue.state.withLock { $0.takenCommit < $0.lastCommit }
        guard isThere, let commit = writer.take() else { return nil }
        return Batch(commit: commit)
    }

    /// Writes and syncs a batch now; false if the disk has failed, and nothing more is to be taken.
    package func keep(_ batch: consuming Batch) -> Bool {
        writer.keep(upTo: batch.commit, wake: {})
    }
}
