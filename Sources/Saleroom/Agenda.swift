import AuctionRules

/// What is due later, the earliest first; each thing costs O(log n).
///
/// Nothing is taken off it before its time: whoever takes it looks whether it still matters.
public struct Agenda<Item> {
    private var heap: [(due: Instant, item: Item)] = []

    /// Makes an agenda without anything on it.
    public init() {}

    /// How many things are on it.
    public var count: Int { heap.count }

    /// When the first is due.
    public var deadline: Instant? { heap.first?.due }

    /// Adds something.
    public mutating func add(_ item: Item, due: Instant) {
        heap.append((due, item))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the first off, if its time has come.
    public mutating func takeDue(at now: Instant) -> Item? {
        guard let deadline, deadline <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        let item = heap.removeLast().item
        sink()
        return item
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].due < heap[least].due { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
