/// An observation or a scheduled piece of work, which lasts until it is cancelled or released.
public final class Subscription: Cancellable {
    private var onCancel: (() -> Void)?

    @usableFromInline var isOver: Bool { onCancel == nil }

    /// Creates a subscription that calls the closure once, when it is cancelled or released.
    public init(_ onCancel: @escaping () -> Void) {
        self.onCancel = onCancel
    }

    deinit { cancel() }

    /// Ends the subscription; a second call does nothing.
    public func cancel() {
        onCancel.take()?()
    }
}

/// Subscriptions that end together, when the bag is cancelled or released.
public final class SubscriptionBag {
    private var holdings = Holdings()
    private var isCancelled = false

    /// Creates an empty bag.
    public init() {}

    deinit { cancel() }

    /// Adds a subscription; a bag that is already cancelled cancels it at once.
    ///
    /// Amortised O(1). Subscriptions that are over are dropped on the way.
    public func insert(_ subscription: Subscription) {
        insert(subscription as any Cancellable)
    }

    @usableFromInline
    func insert(_ item: any Cancellable) {
        guard !isCancelled else { return item.cancel() }
        holdings.insert(item)
    }

    /// Cancels everything in the bag, in the order of insertion, and what is added later.
    public func cancel() {
        isCancelled = true
        for item in holdings.takeAll() { item.cancel() }
    }
}

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
