import EventLog

/// The entries of several batches, which are written and synced together.
struct BatchGroup {
    /// The beginning of a new segment within a group.
    struct Beginning {
        /// The index of its first entry.
        let entry: Int
        /// The number of entries of its state.
        let state: Int
        /// The number of its first event.
        let first: Int
        /// Its number among the batches.
        let number: Int
    }

    private(set) var text: [UInt8] = []
    private(set) var entries: [LogBatch.Entry] = []
    private(set) var beginnings: [Beginning] = []

    /// Adds the entries of a batch.
    mutating func append(_ batch: LogBatch) {
        text.append(contentsOf: batch.text)
        entries.append(contentsOf: batch.entries)
    }

    /// Begins a segment with its state.
    mutating func begin(state: LogBatch, first: Int, number: Int) {
        beginnings.append(
            Beginning(
                entry: entries.count, state: state.entries.count, first: first, number: number))
        append(state)
    }

    /// Removes everything, and keeps the memory.
    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        beginnings.removeAll(keepingCapacity: true)
    }
}
