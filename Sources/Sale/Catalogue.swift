import AuctionRules

/// The lots of a sale, in order, and the pause between two of them.
public struct Catalogue: Equatable, Sendable {
    /// The titles of the next lots, in order.
    public let titles: [String]

    /// The time from the hammer of a lot to the opening of the next.
    public let pause: Duration

    /// Whether the lots never end: `lot-1`, `lot-2`, and so on.
    public let isEndless: Bool

    /// The number of the last lot before those of `titles`.
    private let last: Int

    /// Creates a catalogue; without titles it is endless.
    public init(titles: [String] = [], pause: Duration = .seconds(3)) {
        self.init(titles, pause, isEndless: titles.isEmpty, last: 0)
    }

    private init(_ titles: [String], _ pause: Duration, isEndless: Bool, last: Int) {
        (self.titles, self.pause, self.isEndless, self.last) = (titles, pause, isEndless, last)
    }

    /// Returns the catalogue of a sale that continues after these lots, oldest first.
    ///
    /// Each lot removes the first equal title from the list, if there is one. The titles that
    /// remain come next, in order. So an unchanged list continues where it stopped. A lot before
    /// the last that is not among `lots` had the title that its number gives it.
    package func following(_ lots: [Lot]) -> Catalogue {
        let last = lots.last?.number ?? 0
        var left = titles
        for lot in lots {
            if let index = left.firstIndex(of: lot.title) { left.remove(at: index) }
        }
        var removed = Set(lots.map(\.number))
        left.removeAll { title in
            guard let number = Lot.number(ofTitle: title), number < last else { return false }
            return removed.insert(number).inserted
        }
        return Catalogue(left, pause, isEndless: isEndless, last: last)
    }

    /// Returns the lot with this number, from 1; nil past the end of the list.
    package func lot(_ number: Int) -> Lot? {
        guard !isEndless else { return Lot(number: number) }
        guard titles.indices.contains(number - last - 1) else { return nil }
        return Lot(number: number, title: titles[number - last - 1])
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
