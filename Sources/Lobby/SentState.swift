import MonotonicTime
import Sale
import Wire

/// The state that the JSON connections of a sale know, from which the next changes are computed.
///
/// Empty until the first such connection comes; until then nothing is computed.
struct SentState {
    /// A state with the instants that its times are measured to.
    struct Moment {
        let state: LotState
        /// When the countdown ends; nil while none runs.
        let end: Instant?
        /// When the open lot opened; nil if none is open.
        let opening: Instant?
        /// When the next lot opens; nil while none is planned.
        let nextOpening: Instant?
    }

    private var known: Moment?

    /// Whether changes are tracked: from the first connection in JSON on.
    var isTracked: Bool { known != nil }

    /// Begins to track changes, from this state on.
    mutating func track(from moment: Moment) {
        known = moment
    }

    /// The members that differ from what is known; nil if none do.
    ///
    /// With `isSecond` the time left is among them in any case, so that clients do not drift.
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
