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
