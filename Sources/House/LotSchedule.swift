import Auction
import Basics

/// The lots that follow the newest one of a sale, and when the next of them opens.
struct LotSchedule {
    /// The least time from the opening of a lot to that of the next, except in `main`.
    ///
    /// Anybody can open a room, and each opening can cost a draw for every bidder in it.
    private static let leastLotTime = Duration.seconds(1)

    /// All lots of the operator's list, as a game begins with them.
    private var whole: Catalogue
    /// The lots of the list that are left; those that were added come after it.
    private var catalogue: Catalogue
    /// Whether lots without titles get names of the built-in list.
    private var namesLots = false
    /// The seed that draws these names; nil if there are none.
    private var namesSeed: Seed?
    /// The titles of lots that were renamed, by their numbers.
    private var titles: [Int: String] = [:]
    /// How often the lots to come have changed without one opening.
    private(set) var changes = 0
    private let leastLotTime: Duration
    /// The next lot, and when it opens; nil while one is open, or none is planned.
    private var next: (plan: LotPlan, opening: Instant)?
    /// When the newest lot opened; nil if that was before the start.
    private var openedAt: Instant?
    /// What the lots to come were computed from; nil where this server decides.
    private var followed: Indirect<FollowedPlan>?

    /// What decides which lots follow.
    private struct FollowedPlan: Equatable {
        let lot: Int
        let first: Int
        let added: Int
        let titles: [Int: String]
        let options: RoomOptions?
        let seed: Seed?

        init(_ sale: borrowing Sale) {
            (lot, first, added) = (sale.auction.lot.number, sale.firstLot, sale.added.count)
            (titles, options, seed) = (sale.titles, sale.setOptions, sale.options?.seed)
        }
    }

    /// Has the lots of a catalogue; `follow` comes before the first of them is asked for.
    init(_ catalogue: Catalogue, in room: RoomID) {
        (whole, self.catalogue) = (catalogue, catalogue)
        leastLotTime = room == .main ? .zero : Self.leastLotTime
    }

    /// Has the lots of another catalogue, before the first has opened; `follow` comes next.
    mutating func replace(with catalogue: Catalogue, namesLots: Bool) {
        (whole, self.namesLots) = (catalogue, namesLots)
    }

    /// When the next lot opens; nil while one is open, or none is planned.
    var opening: Instant? { next?.opening }

    /// The time between two lots.
    var pause: Duration { catalogue.pause }

    /// The number of the last lot; nil if the lots never end.
    var lastLot: Int? { catalogue.last }

    /// The lot after the one with this number; nil if none follows.
    func plan(after number: Int) -> LotPlan? {
        catalogue.plan(number + 1).map { titled($0, number: number + 1) }
    }

    private func titled(_ plan: LotPlan, number: Int) -> LotPlan {
        let isUntitled = plan.title == Lot(number: number).title
        let drawn = isUntitled ? namesSeed.map { LotNames.name(ofLot: number, seed: $0) } : nil
        guard let title = titles[number] ?? drawn else { return plan }
        return LotPlan(title: title, options: plan.options)
    }

    /// Continues with the lots of the game that have not opened; none of them is planned yet.
    mutating func follow(_ sale: borrowing Sale) {
        let (first, titles) = (sale.firstLot, sale.titles)
        let seed = namesLots ? sale.options?.seed : nil
        let opened = (sale.formerLots + [sale.auction.lot]).filter { $0.number >= first }
        catalogue = whole.repeated(from: first).following(
            opened, added: sale.added,
            retitled: { lot in
                titles[lot.number] != nil
                    || seed.map { LotNames.name(ofLot: lot.number, seed: $0) } == lot.title
            })
        (self.titles, namesSeed, next, changes) = (titles, seed, nil, changes + 1)
    }

    /// Continues with the lots that have not opened if an event of another node's room has changed
    /// them.
    mutating func update(after sale: borrowing Sale) {
        let plan = FollowedPlan(sale)
        let former = followed?.wrappedValue
        guard plan != former else { return }
        let planned = plan.lot == former?.lot ? next : nil
        follow(sale)
        (followed, next) = (Indirect(wrappedValue: plan), planned)
    }

    /// Takes the titles that lots were given; `number` is that of the newest lot.
    mutating func rename(_ titles: [Int: String], after number: Int) {
        (self.titles, changes) = (titles, changes + 1)
        if let (plan, opening) = next { next = (titled(plan, number: number + 1), opening) }
    }

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
        changes += 1
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
