import AuctionRules
import Reactive

/// What is due later, the earliest first; each thing costs O(log n).
///
/// Nothing is taken off it before its time: whoever takes it looks whether it still matters.
public struct Agenda<Item> {
    private var entries = Heap<Entry>()

    /// Makes an agenda without anything on it.
    public init() {}

    /// How many things are on it.
    public var count: Int { entries.count }

    /// When the first is due.
    public var deadline: Instant? { entries.least?.due }

    /// Adds something.
    public mutating func add(_ item: Item, due: Instant) {
        entries.insert(Entry(due: due, item: item))
    }

    /// Takes the first off, if its time has come.
    public mutating func takeDue(at now: Instant) -> Item? {
        guard let deadline, deadline <= now else { return nil }
        return entries.removeLeast()?.item
    }

    private struct Entry: Comparable {
        let due: Instant
        let item: Item

        static func < (left: Entry, right: Entry) -> Bool { left.due < right.due }

        static func == (left: Entry, right: Entry) -> Bool { left.due == right.due }
    }
}
