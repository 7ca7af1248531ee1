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
