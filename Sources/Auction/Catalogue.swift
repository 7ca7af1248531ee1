/// The lots of a sale, in order, and the pause between two of them.
public struct Catalogue: Equatable, Sendable {
    /// The next lots that are not untitled, in order.
    private var plans: [LotPlan]

    /// The time from the hammer of a lot to the opening of the next.
    public package(set) var pause: Duration

    /// Whether the lots never end: after those of `plans` come `lot-N` with their numbers.
    public let isEndless: Bool

    /// The number of lots, before those of `plans`, whose titles are their numbers.
    private var lastUntitled = 0

    /// The number of the first lot of `plans`.
    private var first: Int

    /// Creates a catalogue; without lots it is endless.
    public init(plans: [LotPlan] = [], pause: Duration = .seconds(3)) {
        self.init(plans, pause, isEndless: plans.isEmpty, first: 1)
    }

    /// Creates a catalogue of lots without options.
    public init(titles: [String], pause: Duration = .seconds(3)) {
        self.init(plans: titles.map { LotPlan(title: $0) }, pause: pause)
    }

    /// Creates a catalogue of this number of lots with the titles that their numbers give them.
    ///
    /// Its size does not depend on their number. Every sale with it must begin with these lots.
    public init(untitled count: Int, pause: Duration = .seconds(3)) {
        self.init([], pause, isEndless: false, first: count + 1)
        lastUntitled = count
    }

    private init(_ plans: [LotPlan], _ pause: Duration, isEndless: Bool, first: Int) {
        (self.plans, self.pause, self.isEndless, self.first) = (plans, pause, isEndless, first)
    }

    /// Returns the catalogue of a sale that continues after these lots, oldest first.
    ///
    /// `added` are the lots that were added while the sale ran, which come last. Each lot removes
    /// the first plan with its title, if there is one. The plans that remain come next, in order.
    /// So an unchanged list continues where it stopped. A lot before the last that is not among
    /// `lots` had the title that its number gives it. For a lot that was
    /// renamed, the plan with the title of its number is removed, or else the first plan.
    package func following(
        _ lots: [Lot], added: [LotPlan] = [], retitled: (Lot) -> Bool = { _ in false }
    ) -> Catalogue {
        let last = lots.last?.number ?? 0
        var left = plans + added
        for lot in lots where lot.number > lastUntitled {
            let isRetitled = retitled(lot)
            let title = Lot(number: lot.number).title
            let planned = isRetitled ? title : lot.title
            if let index = left.firstIndex(where: { $0.title == planned })
                ?? left.firstIndex(where: { $0.title == title })
            {
                left.remove(at: index)
            } else if isRetitled, !left.isEmpty {
                left.removeFirst()
            }
        }
        var removed = Set(lots.map(\.number))
        left.removeAll { plan in
            guard let number = Lot.number(ofTitle: plan.title), number < last else { return false }
            return removed.insert(number).inserted
        }
        var rest = Catalogue(
            left, pause, isEndless: isEndless, first: max(last, first - 1) + 1)
        rest.lastUntitled = lastUntitled
        return rest
    }

    /// Returns the catalogue with its lots again, the first of them with this number.
    ///
    /// A lot without a title gets the default title of its new number.
    package func repeated(from first: Int) -> Catalogue {
        guard !isEndless, first > 1 else { return self }
        let untitled = (0..<lastUntitled).map { LotPlan(title: Lot(number: $0 + 1).title) }
        let renumbered = (untitled + plans).enumerated().map { index, plan in
            plan.title == Lot(number: index + 1).title
                ? LotPlan(title: Lot(number: first + index).title, options: plan.options) : plan
        }
        return Catalogue(renumbered, pause, isEndless: false, first: first)
    }

    /// Adds a lot behind all others, or if they never end as the next that is not planned.
    ///
    /// `number` is that of the newest lot.
    package mutating func append(_ plan: LotPlan, after number: Int) {
        if isEndless, first + plans.count <= number { (plans, first) = ([], number + 1) }
        plans.append(plan)
    }

    /// The number of the last lot; nil if the lots never end.
    package var last: Int? { isEndless ? nil : first - 1 + plans.count }

    /// Returns the lot with this number, which is not less than that of the next; nil past the end.
    package func plan(_ number: Int) -> LotPlan? {
        guard number > lastUntitled else { return LotPlan(title: Lot(number: number).title) }
        let index = number - first
        if plans.indices.contains(index) { return plans[index] }
        return isEndless ? LotPlan(title: Lot(number: number).title) : nil
    }
}

extension Lot {
    /// The number in the title of a lot that was given none, `lot-N`; nil for any other title.
    fileprivate static func number(ofTitle title: String) -> Int? {
        guard let number = title.split(separator: "-").last.flatMap({ Int($0) }), number > 0,
            Lot(number: number).title == title
        else { return nil }
        return number
    }
}
