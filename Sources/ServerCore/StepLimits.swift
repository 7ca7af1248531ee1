/// How much input one step handles, by the number of effects that were not sent yet.
package struct StepLimits: Equatable {
    /// With more effects than this unsent, no more input is handled.
    private let mostUnsent: Int

    /// Sets the limits; `mostUnsent` is positive.
    package init(mostUnsent: Int) {
        self.mostUnsent = mostUnsent
    }

    /// The most lines of long answers in one step.
    package var answersPerStep: Int { max(mostUnsent / 4, 1) }

    /// Whether no more input may be handled.
    package func isFull(unsent: Int) -> Bool { unsent > mostUnsent }

    /// Whether stored input of another connection may be handled in this step.
    ///
    /// Stored input takes an eighth of the step: the rest is for connections of which nothing is
    /// stored. `hasHandled` says that some was handled in this step; the first is handled unless the
    /// step is full, so that no connection waits for ever.
    package func mayHandleStored(unsent: Int, hasHandled: Bool) -> Bool {
        !isFull(unsent: unsent) && !(hasHandled && unsent > mostUnsent / 8)
    }
}
