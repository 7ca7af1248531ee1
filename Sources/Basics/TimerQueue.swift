/// Items ordered by when they are due; items due at the same time keep their order.
///
/// An item cannot be cancelled: its owner checks when it is due whether it still matters. The queue
/// reads no clock. Inlinable, so that other modules specialize it.
public struct TimerQueue<Item, Time: Comparable> {
    /// An item and when it is due.
    public typealias Entry = (item: Item, due: Time)

    @usableFromInline var timers = Heap<Timer>()
    /// The number of items that were ever inserted, which orders those due at the same time.
    @usableFromInline var insertions: UInt64 = 0

    /// Creates an empty queue.
    @inlinable public init() {}

    /// The number of items.
    @inlinable public var count: Int { timers.count }

    /// The item that is due first; O(1).
    @inlinable public var first: Entry? { timers.min.map { ($0.item, $0.due) } }

    /// When the first item is due; O(1).
    @inlinable public var deadline: Time? { timers.min?.due }

    /// Adds an item; O(log n), and O(1) if no other is due later.
    @inlinable public mutating func insert(_ item: Item, due: Time) {
        timers.insert(Timer(due: due, number: insertions, item: item))
        insertions += 1
    }

    /// Removes and returns the item that is due first; O(log n).
    @inlinable @discardableResult public mutating func popFirst() -> Entry? {
        timers.popMin().map { ($0.item, $0.due) }
    }

    /// Removes and returns the first item if it is due by `now`; O(log n).
    @inlinable public mutating func popDue(at now: Time) -> Item? {
        guard let deadline, deadline <= now else { return nil }
        return timers.popMin()?.item
    }

    @usableFromInline struct Timer: Comparable {
        @usableFromInline let due: Time
        @usableFromInline let number: UInt64
        @usableFromInline let item: Item

        @inlinable init(due: Time, number: UInt64, item: Item) {
            (self.due, self.number, self.item) = (due, number, item)
        }

        @inlinable static func < (left: Timer, right: Timer) -> Bool {
            left.due == right.due ? left.number < right.number : left.due < right.due
        }

        @inlinable static func == (left: Timer, right: Timer) -> Bool {
            left.number == right.number
        }
    }
}
