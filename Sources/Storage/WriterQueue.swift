import EventLog
import Posix

/// The lines that wait for the journal's thread, and what that thread reports; under one lock.
final class WriterQueue: Sendable {
    struct State {
        var pending = PendingBatch()
        /// The number of the newest commit.
        var lastCommit = 0
        /// The number of the newest commit that the thread has taken.
        var takenCommit = 0
        var nextEvent: Int
        /// Whether the segment that the pending lines are for has an event.
        var hasEvents: Bool
        var isClosing = false
        var progress = LogProgress()
        var events = 0
        var batches = 0
        /// What was done about old segments since `Journal.takeUpkeep`.
        var upkeep: [Upkeep] = []

        /// Whether the thread has something to take, or should end.
        var hasWork: Bool { isClosing || takenCommit < lastCommit }
    }

    let state: Locked<State>

    init(nextEvent: Int, hasEvents: Bool, isSegmentFull: Bool) {
        var initial = State(nextEvent: nextEvent, hasEvents: hasEvents)
        initial.progress.isSegmentFull = isSegmentFull
        state = Locked(initial)
    }

    /// Whether the thread has something to take, or should end.
    var hasWork: Bool { state.withLock { $0.hasWork } }

    /// Waits for lines, and swaps them with `batch`, whose own lines are dropped.
    ///
    /// Returns the number of their last commit; nil if the journal is closing and none are left.
    func take(_ batch: inout PendingBatch) -> Int? {
        batch.removeAll()
        return state.withLock(when: { $0.hasWork }) { state in
            guard state.takenCommit < state.lastCommit else { return nil }
            swap(&batch, &state.pending)
            state.takenCommit = state.lastCommit
            return state.lastCommit
        }
    }
}

/// The lines of several commits, which are written and synced together.
struct PendingBatch {
    /// The beginning of a new segment within a batch.
    struct Beginning {
        /// The index of its first line.
        let line: Int
        /// The number of lines of its state.
        let state: Int
        /// The number of its first event.
        let first: Int
        /// The number of the commit that begins it.
        let commit: Int
    }

    private(set) var text: [UInt8] = []
    private(set) var lines: [LogBatch.Entry] = []
    private(set) var beginnings: [Beginning] = []

    /// Adds the lines of a commit.
    mutating func append(_ batch: LogBatch) {
        text.append(contentsOf: batch.text)
        lines.append(contentsOf: batch.entries)
    }

    /// Begins a segment with its state.
    mutating func begin(state: LogBatch, first: Int, commit: Int) {
        beginnings.append(
            Beginning(line: lines.count, state: state.entries.count, first: first, commit: commit))
        append(state)
    }

    /// Removes everything, and keeps the memory.
    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        beginnings.removeAll(keepingCapacity: true)
    }
}
