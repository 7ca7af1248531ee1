/// How much is heard in one turn, by the number of effects that have not been told yet.
package struct StepLimits: Equatable {
    /// With more effects than this untold, nothing more is heard.
    private let mostUntold: Int

    /// Sets the limits; `mostUntold` is positive.
    package init(mostUntold: Int) {
        self.mostUntold = mostUntold
    }

    /// The most lines of long answers in one turn.
    package var answersPerTurn: Int { max(mostUntold / 4, 1) }

    /// Whether nothing more may be heard.
    package func isFull(untold: Int) -> Bool { untold > mostUntold }

    /// Whether stored input of another connection may be heard in this turn.
    ///
    /// Stored input takes an eighth of the turn: the rest is for connections of which nothing is
    /// stored. `hasHandled` says that some was heard in this turn; the first is heard unless the turn
    /// is full, so that no connection waits for ever.
    package func mayHandleStored(untold: Int, hasHandled: Bool) -> Bool {
        !isFull(untold: untold) && !(hasHandled && untold > mostUntold / 8)
    }
}
