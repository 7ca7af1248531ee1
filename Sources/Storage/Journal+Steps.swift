extension Journal {
    /// A batch that was taken to be written, in a journal that was not started.
    package struct Batch: ~Copyable {
        fileprivate let commit: Int
    }

    /// Takes what was handed over, as the journal's thread would; nil if there is nothing.
    ///
    /// For a simulation, which is that thread: what is handed over between this and `keep` is in
    /// the next batch.
    package func takeBatch() -> Batch? {
        let isThere = handover.state.withLock { $0.takenCommit < $0.lastCommit }
        guard isThere, let commit = writer.take() else { return nil }
        return Batch(commit: commit)
    }

    /// Writes and syncs a batch now; false if the disk has failed, and nothing more is to be taken.
    package func keep(_ batch: consuming Batch) -> Bool {
        writer.keep(upTo: batch.commit, wake: {})
    }
}
