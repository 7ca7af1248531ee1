/// First in, first out; each takes amortised O(1).
///
/// Inlinable, for other modules use it at every bid.
public struct Queue<Element> {
    // What was taken stays in the array until that is half of it.
    @usableFromInline var elements: [Element] = []
    @usableFromInline var head = 0

    /// Makes a queue without elements.
    @inlinable public init() {}

    /// Whether nothing is in it.
    @inlinable public var isEmpty: Bool { head == elements.count }

    /// How many elements are in it.
    @inlinable public var count: Int { elements.count - head }

    /// What was added first.
    @inlinable public var first: Element? { isEmpty ? nil : elements[head] }

    /// Adds an element behind all others.
    @inlinable public mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes the first element out.
    @inlinable public mutating func takeFirst() -> Element? {
        guard let first else { return nil }
        head += 1
        if head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }
}
