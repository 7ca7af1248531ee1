/// A bag of registrations that end together: when it is cancelled or released.
public final class Registrations {
    private var holdings = Holdings()
    private var isCancelled = false

    /// Creates an empty bag.
    public init() {}

    deinit { cancel() }

    /// Puts a registration into the bag; a bag that is cancelled already cancels it at once.
    public func insert(_ registration: Registration) {
        insert(registration as any Cancellable)
    }

    @usableFromInline
    func insert(_ item: any Cancellable) {
        guard !isCancelled else { return item.cancel() }
        holdings.insert(item)
    }

    /// Cancels everything in the bag, in the order of insertion, and whatever is put in later.
    public func cancel() {
        isCancelled = true
        for item in holdings.takeAll() { item.cancel() }
    }
}
