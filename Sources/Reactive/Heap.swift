/// A binary heap: the least element is at hand, and the rest is in no particular order.
///
/// Inlinable, as a queue is: unspecialised in other modules, the two took a fifth of a bid.
public struct Heap<Element: Comparable> {
    @usableFromInline var elements: [Element] = []

    /// Makes a heap without elements.
    @inlinable public init() {}

    /// How many elements there are.
    @inlinable public var count: Int { elements.count }

    /// The least element; O(1).
    @inlinable public var least: Element? { elements.first }

    /// Adds an element; O(log n).
    @inlinable public mutating func insert(_ element: Element) {
        elements.append(element)
        rise(from: elements.count - 1)
    }

    /// Takes the least element out; O(log n).
    @inlinable public mutating func removeLeast() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let least = elements.first else { return last }
        elements[0] = last
        sink(from: 0)
        return least
    }

    /// Takes out all elements that satisfy the predicate; O(n).
    @inlinable public mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        elements.removeAll(where: isUnwanted)
        for index in (0..<elements.count / 2).reversed() { sink(from: index) }
    }

    @inlinable mutating func rise(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable mutating func sink(from start: Int) {
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
