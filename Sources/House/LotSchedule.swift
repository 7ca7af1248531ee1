import Auction
import Basics

/// The lots that follow the newest one of a sale, and when the next of them opens.
struct LotSchedule {
    /// The least time from the opening of a lot to that of the next, except in `main`.
    ///
    /// Anybody can open a room, and each opening can cost a draw for every bidder in it.
    private static let leastLotTime = Duration.seconds(1)

    /// The lots of the operator's list; those that were added come after it.
    private var catalogue: Catalogue
    private let leastLotTime: Duration
    /// The next lot, and when it opens; nil while one is open, or none is planned.
    private var next: (plan: LotPlan, opening: Instant)?
    /// When the newest lot opened; nil if that was before the start.
    private var openedAt: Instant?

    init(_ catalogue: Catalogue, in room: RoomID) {
        self.catalogue = catalogue
        leastLotTime = room == .main ? .zero : Self.leastLotTime
    }

    /// When the next lot opens; nil while one is open, or none is planned.
    var opening: Instant? { next?.opening }

    /// The time between two lots.
    var pause: Duration { catalogue.pause }

    /// The number of the last lot; nil if the lots never end.
    var lastLot: Int? { catalogue.last }

    /// The lot after the one with this number; nil if none follows.
    func plan(after number: Int) -> LotPlan? { catalogue.plan(number + 1) }

    /// The titles of at most `limit` lots after the one with this number, in order.
    func titles(after number: Int, atMost limit: Int) -> [String] {
        var titles: [String] = []
        while titles.count < limit, let plan = plan(after: number + titles.count) {
            titles.append(plan.title)
        }
        return titles
    }

    /// Adds a lot after all others; `number` is that of the newest lot of the sale.
    mutating func append(_ plan: LotPlan, after number: Int) {
        catalogue.append(plan, after: number + (next == nil ? 0 : 1))
    }

    /// Plans to open a lot after the pause.
    mutating func planOpening(of plan: LotPlan, afterPauseFrom now: Instant) {
        next = (plan, max(now.advanced(by: catalogue.pause), earliestOpening(at: now)))
    }

    /// Plans to open a lot without a pause.
    mutating func planOpening(of plan: LotPlan, soonestAt now: Instant) {
        next = (plan, earliestOpening(at: now))
    }

    /// When the next lot may open, without the pause between two lots.
    private func earliestOpening(at now: Instant) -> Instant {
        max(now, openedAt.map { $0.advanced(by: leastLotTime) } ?? now)
    }

    /// Cancels the planned opening.
    mutating func cancel() {
        next = nil
    }

    /// Removes and returns the lot that is planned, or else the one after the lot of this number.
    mutating func takeNext(after number: Int) -> LotPlan? {
        defer { next = nil }
        return next?.plan ?? plan(after: number)
    }

    /// Notes that a lot opens.
    mutating func noteOpening(at now: Instant) {
        openedAt = now
    }
}
