/// The right to be told, which lasts until it is cancelled or released.
public final class Registration: Cancellable {
    private var onCancel: (() -> Void)?

    @usableFromInline var isOver: Bool { onCancel == nil }

    /// Creates a registration that does this, once, when it is cancelled or released.
    public init(_ onCancel: @escaping () -> Void) {
        self.onCancel = onCancel
    }

    deinit { cancel() }

    /// Ends the registration; a second time does nothing.
    public func cancel() {
        onCancel.take()?()
    }
}
