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
