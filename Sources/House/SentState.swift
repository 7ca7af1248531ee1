import Auction
import Basics
import Wire

/// The state that the JSON connections of a sale know, from which the next changes are computed.
///
/// Empty while there is no such connection; then nothing is computed.
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
        /// How often the lots to come have changed without one opening.
        let changes: Int
    }

    private var known: Moment?
    private var followers = 0

    /// Whether a connection in JSON follows the sale.
    var isFollowed: Bool { followers > 0 }

    /// Notes that one more connection in JSON follows the sale.
    ///
    /// `moment` is the state that it knows if it is the first; nil for later ones.
    mutating func addFollower(knowing moment: Moment?) {
        followers += 1
        if let moment { known = moment }
    }

    /// Notes that a connection in JSON follows the sale no longer.
    mutating func removeFollower() {
        followers -= 1
        if followers == 0 { known = nil }
    }

    /// The known titles of the next lots; nil if the lot or the lots to come have changed.
    func titles(after lot: Int, changes: Int) -> [String]? {
        known.flatMap { $0.state.lot == lot && $0.changes == changes ? $0.state.next : nil }
    }

    /// The members that differ from what is known; nil if none do.
    ///
    /// With `isSecond` the time left is among them in any case, so that clients do not drift.
    mutating func change(to moment: Moment, isSecond: Bool) -> [UInt8]? {
        guard let known else { return nil }
        self.known = moment
        // An opening may be planned, or cancelled, without news of its own.
        let isSameStage =
            moment.state.lot == known.state.lot && moment.state.stage == known.state.stage
        var clocks: LotState.Clocks = isSameStage ? [] : .all
        if isSecond || moment.end != known.end { clocks.insert(.remaining) }
        if moment.opening != known.opening { clocks.insert(.elapsed) }
        if moment.nextOpening != known.nextOpening { clocks.insert(.nextOpening) }
        return moment.state.json(after: known.state, clocks: clocks)
    }
}
