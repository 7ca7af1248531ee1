import AuctionRules

/// The lots of a sale, in order, and the pause between two of them.
public struct Catalogue: Equatable, Sendable {
    /// The titles of the lots; where there are none, lots go on for ever as `lot-1`, `lot-2`, and
    /// so on.
    public let titles: [String]

    /// The time from the hammer of a lot to the opening of the next.
    public let pause: Duration

    /// Makes a catalogue.
    public init(titles: [String] = [], pause: Duration = .seconds(3)) {
        self.titles = titles
        self.pause = pause
    }

    /// Returns the lot with this number, from 1; nil past the end of the list.
    func lot(_ number: Int) -> Lot? {
        guard !titles.isEmpty else { return Lot(number: number) }
        guard number <= titles.count else { return nil }
        return Lot(number: number, title: titles[number - 1])
    }
}
