/// A priority queue: a binary heap whose least element is at hand.
///
/// Inlinable, so that other modules specialize it.
public struct Heap<Element: Comparable> {
    /// The capacity that an empty heap keeps.
    @usableFromInline static var keptCapacity: Int { 64 }

    @usableFromInline var elements: [Element] = []

    /// Creates an empty heap.
    @inlinable public init() {}

    /// The number of elements.
    @inlinable public var count: Int { elements.count }

    /// The least element; O(1).
    @inlinable public var min: Element? { elements.first }

    /// Adds an element; O(log n).
    @inlinable public mutating func insert(_ element: Element) {
        elements.append(element)
        siftUp(from: elements.count - 1)
    }

    /// Removes and returns the least element; O(log n).
    ///
    /// The memory for many elements is freed when the last one is removed.
    @inlinable public mutating func popMin() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let min = elements.first else {
            if elements.capacity > Self.keptCapacity { elements = [] }
            return last
        }
        elements[0] = last
        siftDown(from: 0)
        return min
    }

    /// Removes all elements that satisfy the predicate; O(n).
    @inlinable public mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        elements.removeAll(where: isUnwanted)
        for index in (0..<elements.count / 2).reversed() { siftDown(from: index) }
    }

    @inlinable mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < elements.count else { return }
            let right = left + 1
            let child = right < elements.count && elements[right] < elements[left] ? right : left
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            parent = child
        }
    }
}

/// A first-in, first-out queue; each operation is amortized O(1), unless it says otherwise.
///
/// Inlinable, so that other modules specialize it: unspecialized, it cost a fifth of a bid.
public struct Queue<Element> {
    // Removed elements stay in the array until they are half of it.
    @usableFromInline var elements: [Element] = []
    @usableFromInline var head = 0

    /// Creates an empty queue.
    @inlinable public init() {}

    /// Whether the queue has no elements.
    @inlinable public var isEmpty: Bool { head == elements.count }

    /// The number of elements.
    @inlinable public var count: Int { elements.count - head }

    /// The oldest element.
    @inlinable public var first: Element? { isEmpty ? nil : elements[head] }

    /// Adds an element at the end.
    @inlinable public mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Removes and returns the oldest element.
    @inlinable public mutating func popFirst() -> Element? {
        guard let first else { return nil }
        head += 1
        if head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    /// Whether an element meets a condition; O(count).
    @inlinable public func contains(where condition: (Element) -> Bool) -> Bool {
        elements[head...].contains(where: condition)
    }

    /// Removes all elements that meet a condition; the order of the others stays; O(count).
    @inlinable public mutating func removeAll(where condition: (Element) -> Bool) {
        elements.removeFirst(head)
        head = 0
        elements.removeAll(where: condition)
    }
}

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
