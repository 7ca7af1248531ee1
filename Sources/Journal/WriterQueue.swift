import Basics
import Posix

/// The batches that wait to be written, and how far the writer has come; under one lock.
///
/// One thread at a time has the writer: the journal's own thread, or the thread that appends, for
/// an inline write. It has the writer from `acquire` or `tryAcquire` until `release` or `fail`.
final class WriterQueue: Sendable {
    /// Larger groups are left to the journal's thread, which writes while others arrive.
    private static let inlineEntries = 16

    private struct State {
        var pending = BatchGroup()
        /// The number of the newest batch.
        var lastBatch = 0
        /// The number of the newest batch that was taken to be written.
        var takenBatch = 0
        var nextEvent: Int
        /// Whether the segment that the pending entries are for has an event.
        var hasEvents: Bool
        var isWriterTaken = false
        /// Whether old segments may have to be removed.
        var isUpkeepDue: Bool
        var isClosing = false

        var allowsInline = false
        /// Whether the pending entries wait for an inline write.
        var isInlineDue = false
        var recentSyncs = RecentSyncs()

        var progress = LogProgress()
        var figures = JournalFigures()
        var syncTimes = DurationHistogram()
        var freeBytes: Int?
        /// What was done about old segments since `takeUpkeep`.
        var upkeep: [Upkeep] = []

        var hasPending: Bool { takenBatch < lastBatch && progress.failure == nil }

        /// Whether the journal's thread has something to do, or should end.
        var hasWork: Bool {
            guard !isWriterTaken else { return false }
            return isClosing || progress.failure != nil || hasPending && !isInlineDue || isUpkeepDue
        }

        /// Whether all that is pending is small enough, and the disk fast enough.
        var isFitForInline: Bool {
            allowsInline && hasPending && !isWriterTaken && !isUpkeepDue && recentSyncs.areQuick
                && pending.beginnings.isEmpty && pending.entries.count <= inlineEntries
        }
    }

    private let state: Locked<State>

    init(nextEvent: Int, hasEvents: Bool, isSegmentFull: Bool, isUpkeepDue: Bool) {
        var initial = State(
            nextEvent: nextEvent, hasEvents: hasEvents, isUpkeepDue: isUpkeepDue)
        initial.progress.isSegmentFull = isSegmentFull
        state = Locked(initial)
    }

    // For the thread that appends.

    /// Queues a batch, and returns its number.
    func append(_ batch: LogBatch) -> Int {
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

    /// Queues the beginning of a segment, and returns its number.
    func beginSegment(state makeState: @escaping @Sendable () -> LogBatch) -> Int {
        submit { state in
            precondition(state.hasEvents, "a segment without events is not ended")
            (state.hasEvents, state.progress.isSegmentFull) = (false, false)
            guard state.progress.failure == nil else { return }
            state.pending.begin(
                first: state.nextEvent, number: state.lastBatch, state: makeState)
        }
    }

    private func submit(_ add: (inout State) -> Void) -> Int {
        let (number, isInlineDue) = state.withLock { state in
            precondition(!state.isClosing, "nothing is appended to a journal that is closed")
            state.lastBatch += 1
            add(&state)
            state.isInlineDue = state.isFitForInline
            return (state.lastBatch, state.isInlineDue)
        }
        if !isInlineDue { state.signal() }
        return number
    }

    var progress: LogProgress { state.withLock { $0.progress } }

    var figures: JournalFigures { state.withLock { $0.figures } }

    var syncTimes: DurationHistogram { state.withLock { $0.syncTimes } }

    var freeBytes: Int? { state.withLock { $0.freeBytes } }

    func takeUpkeep() -> [Upkeep] {
        state.withLock { state in
            defer { state.upkeep = [] }
            return state.upkeep
        }
    }

    /// Whether the pending entries wait for an inline write.
    var isInlineDue: Bool { state.withLock { $0.isInlineDue } }

    /// Allows inline writes, or leaves everything to the journal's thread.
    func allowInline(_ isAllowed: Bool) {
        state.withLock { state in
            state.allowsInline = isAllowed
            state.isInlineDue = state.isInlineDue && isAllowed
        }
        state.signal()
    }

    func close() {
        state.withLock { state in
            precondition(!state.isClosing, "a journal is closed once")
            state.isClosing = true
        }
        state.signal()
    }

    // For the thread that writes.

    /// Waits for something to do, and acquires the writer for it.
    ///
    /// False if the journal is closing or has failed.
    func acquire() -> Bool {
        state.withLock(when: { $0.hasWork }) { state in
            guard state.progress.failure == nil, state.hasPending || !state.isClosing else {
                return false
            }
            state.isWriterTaken = true
            return true
        }
    }

    /// Acquires the writer without waiting, if entries are pending; false if another thread has it.
    func tryAcquire() -> Bool {
        state.withLock { state in
            guard state.hasPending, !state.isWriterTaken else { return false }
            state.isWriterTaken = true
            return true
        }
    }

    /// Acquires the writer without waiting, if old segments may have to be removed.
    func tryAcquireForUpkeep() -> Bool {
        state.withLock { state in
            guard state.isUpkeepDue, !state.isWriterTaken, state.progress.failure == nil else {
                return false
            }
            state.isWriterTaken = true
            return true
        }
    }

    /// Swaps the pending entries with `group`, whose own are dropped; nil if nothing is pending.
    ///
    /// Returns the number of the newest batch. The caller has the writer.
    func takePending(into group: inout BatchGroup) -> Int? {
        group.removeAll()
        return state.withLock { state in
            guard state.hasPending else { return nil }
            swap(&group, &state.pending)
            state.takenBatch = state.lastBatch
            state.isInlineDue = false
            return state.lastBatch
        }
    }

    /// Reports that the batches up to this one are durable, and what was written since the start.
    func report(durable number: Int, figures: JournalFigures) {
        state.withLock { state in
            state.progress.durable = number
            state.figures = figures
        }
    }

    /// Reports that the segment is full, unless a new one was asked for in the meantime.
    func reportFullSegment() {
        state.withLock { state in
            guard state.pending.beginnings.isEmpty, state.hasEvents else { return }
            state.progress.isSegmentFull = true
        }
    }

    func report(freeBytes: Int?) {
        state.withLock { $0.freeBytes = freeBytes }
    }

    func report(_ upkeep: Upkeep) {
        state.withLock { $0.upkeep.append(upkeep) }
    }

    /// Gives the writer back after a write that took this long; nil after anything else.
    func release(isUpkeepDue: Bool, nanoseconds: Int64?, isCounted: Bool) {
        let hasWork = state.withLock { state in
            state.isWriterTaken = false
            state.isUpkeepDue = isUpkeepDue
            if let nanoseconds {
                state.recentSyncs.note(nanoseconds: nanoseconds)
                if isCounted { state.syncTimes.record(nanoseconds) }
            }
            return state.hasWork
        }
        // A signal wakes the journal's thread even if it finds nothing to do.
        if hasWork { state.signal() }
    }

    /// Gives the writer back, which can write nothing more.
    func fail(_ failure: LogFailure) {
        state.withLock { state in
            state.progress.failure = failure
            (state.isWriterTaken, state.isInlineDue) = (false, false)
        }
        state.signal()
    }
}

/// How long the disk took lately, to decide whether a thread that must not wait may write itself.
package struct RecentSyncs {
    /// Nanoseconds above which a sync is slow.
    package static let bound: Int64 = 2_000_000
    /// How many syncs in a row must have been quick.
    package static let count = 16

    private var quick = 0

    package init() {}

    /// Whether the last syncs, and at least `count` of them, were quick.
    package var areQuick: Bool { quick >= Self.count }

    /// Adds a sync that took this long.
    package mutating func note(nanoseconds: Int64) {
        quick = nanoseconds < Self.bound ? quick + 1 : 0
    }
}
