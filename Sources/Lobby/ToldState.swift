import MonotonicTime
import Sale
import Wire

/// The state of a sale as those who follow it in JSON know it.
///
/// Before anybody follows it in JSON, nothing is known and nothing is computed.
struct ToldState {
    /// The state with the instants of its clocks.
    struct Moment {
        let state: LotState
        /// When the countdown ends, the lot opened, and the next one opens; nil as in `LotState`.
        let end, opening, nextOpening: Instant?
    }

    private var known: Moment?

    /// Whether there is anybody who must be told.
    var isNeeded: Bool { known != nil }

    /// Begins with a state that everybody who follows in JSON receives as a whole.
    mutating func begin(_ moment: Moment) {
        known = moment
    }

    /// The members that differ from what is known; nil if none do.
    ///
    /// With `isSecond` the time left is told in any case, so that it does not drift.
    mutating func change(to moment: Moment, isSecond: Bool) -> [UInt8]? {
        guard let known else { return nil }
        self.known = moment
        var clocks: LotState.Clocks = []
        if isSecond || moment.end != known.end { clocks.insert(.remaining) }
        if moment.opening != known.opening { clocks.insert(.elapsed) }
        if moment.nextOpening != known.nextOpening { clocks.insert(.nextOpening) }
        return moment.state.json(after: known.state, clocks: clocks)
    }
}
