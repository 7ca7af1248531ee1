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
