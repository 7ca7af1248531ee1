/// Something under way that can be cancelled.
@usableFromInline
protocol Cancellable: AnyObject {
    /// Whether nothing is left to cancel.
    var isOver: Bool { get }

    /// Cancels it; once it is over, does nothing.
    func cancel()
}

/// What must be cancelled when its holder ends.
@usableFromInline
struct Holdings {
    @usableFromInline
    init() {}

    private var items: [any Cancellable] = []
    private var limit = Self.smallest

    private static let smallest = 8

    /// Adds one more.
    ///
    /// Amortised O(1). What is over is dropped on the way, so at most twice what is under way is
    /// kept.
    @usableFromInline
    mutating func insert(_ item: any Cancellable) {
        if items.count >= limit {
            items.removeAll { $0.isOver }
            limit = max(Self.smallest, items.count * 2)
        }
        items.append(item)
    }

    /// Removes all holdings and returns them.
    ///
    /// The caller cancels them, because a cancellation may run any code, which may come back
    /// here.
    @usableFromInline
    mutating func takeAll() -> [any Cancellable] {
        defer { items = [] }
        return items
    }
}
