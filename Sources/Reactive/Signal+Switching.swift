extension Signal {
    /// Returns the values of the newest of the signals that this signal emits.
    ///
    /// The one before is cancelled before the next is observed, and emits nothing more. Completes
    /// when this signal and the newest have; fails when either does.
    public func switchToLatest<Inner>() -> Signal<Inner> where Value == Signal<Inner> {
        Signal<Inner> { Switch(to: $0).follow(self) }
    }
}

/// The newest of the signals so far, the only one that may emit.
private final class Switch<Value> {
    private let observer: Signal<Value>.Observer
    private var current: Signal<Value>.Observer?
    private var isOuterOver = false

    init(to observer: Signal<Value>.Observer) {
        self.observer = observer
    }

    func follow(_ signals: Signal<Signal<Value>>) {
        observer.follow(
            signals, next: turn,
            completed: {
                self.isOuterOver = true
                self.completeIfOver()
            })
    }

    private func turn(to signal: Signal<Value>) {
        let last = current.take()
        let newest = observer.upstream(next: observer.next, completed: completeIfOver)
        current = newest
        // Each of these may turn to yet another signal: that cancels `newest`, which then never
        // starts.
        last?.cancel()
        signal.start(for: newest)
    }

    private func completeIfOver() {
        if isOuterOver, current?.isOver ?? true { observer.complete() }
    }
}
