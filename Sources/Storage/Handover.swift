import Posix

/// Lines on their way to the journal's thread.
struct Batch {
    /// A segment that begins before the line of that index, with that many lines of state.
    struct Beginning {
        let line: Int
        let state: Int
        let first: Int
        let commit: Int
    }

    private(set) var text: [UInt8] = []
    private(set) var lines: [Draft.Line] = []
    private(set) var beginnings: [Beginning] = []

    mutating func append(_ draft: Draft) {
        text.append(contentsOf: draft.text)
        lines.append(contentsOf: draft.lines)
    }

    mutating func begin(state: Draft, first: Int, commit: Int) {
        beginnings.append(
            Beginning(line: lines.count, state: state.lines.count, first: first, commit: commit))
        append(state)
    }

    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        beginnings.removeAll(keepingCapacity: true)
    }
}

/// What the loop and the journal's thread hand each other, under one lock.
final class Handover: Sendable {
    struct State {
        var gathered = Batch()
        /// The number of the newest commit, and of the newest that the thread has taken.
        var lastCommit = 0
        var takenCommit = 0
        var nextEvent: Int
        /// Whether the segment that is being gathered for holds an event.
        var hasEvents: Bool
        var isClosing = false
        var progress = Progress()
        var events = 0
        var batches = 0
    }

    let state: Locked<State>

    init(nextEvent: Int, hasEvents: Bool, isSegmentFull: Bool) {
        var initial = State(nextEvent: nextEvent, hasEvents: hasEvents)
        initial.progress.isSegmentFull = isSegmentFull
        state = Locked(initial)
    }

    /// Waits for lines, and swaps them for the batch that is done; nil if there will be none.
    func take(_ batch: inout Batch) -> Int? {
        batch.removeAll()
        return state.withLock(when: { $0.isClosing || $0.takenCommit < $0.lastCommit }) { state in
            guard state.takenCommit < state.lastCommit else { return nil }
            swap(&batch, &state.gathered)
            state.takenCommit = state.lastCommit
            return state.lastCommit
        }
    }
}
