import Posix

/// What the loop and the journal's thread hand each other, under one lock.
final class Handover: Sendable {
    struct State {
        var gathered = Gathering()
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
        /// What was done about old segments and is not in the log yet.
        var upkeep: [Upkeep] = []

        /// Whether the thread has something to take, or is to end.
        var hasWork: Bool { isClosing || takenCommit < lastCommit }
    }

    let state: Locked<State>

    init(nextEvent: Int, hasEvents: Bool, isSegmentFull: Bool) {
        var initial = State(nextEvent: nextEvent, hasEvents: hasEvents)
        initial.progress.isSegmentFull = isSegmentFull
        state = Locked(initial)
    }

    /// Whether lines wait to be taken, or the journal is to be closed.
    var hasWork: Bool { state.withLock { $0.hasWork } }

    /// Waits for lines, and swaps them for those that are done; nil if there will be none.
    func take(_ gathering: inout Gathering) -> Int? {
        gathering.removeAll()
        return state.withLock(when: { $0.hasWork }) { state in
            guard state.takenCommit < state.lastCommit else { return nil }
            swap(&gathering, &state.gathered)
            state.takenCommit = state.lastCommit
            return state.lastCommit
        }
    }
}

/// Lines on their way to the journal's thread.
struct Gathering {
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
