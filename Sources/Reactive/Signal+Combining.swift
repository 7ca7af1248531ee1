extension Signal {
    /// Returns the values of the signals in turn, each observed once the last has completed.
    ///
    /// The stack does not grow with the number of signals, even if all of them emit and complete
    /// at once. `signals` may be infinite; each observation goes through it from its beginning.
    public static func concat(_ signals: some Sequence<Signal>) -> Signal {
        Signal { observer in
            Turns(AnyIterator(signals.makeIterator()), for: observer).proceed()
        }
    }

    /// Returns the values of this signal and, when it has completed, those of the other.
    public func concat(_ other: Signal) -> Signal {
        .concat([self, other])
    }

    /// Returns the newest values of both signals, at each value of either, once both have one.
    ///
    /// Observes this signal first. Completes when both have, fails when either does.
    @inlinable
    public func combineLatest<Other>(_ other: Signal<Other>) -> Signal<(Value, Other)> {
        Signal<(Value, Other)> { observer in
            var (mine, its): (Value?, Other?)
            var remaining = 2
            func emit() {
                if let mine, let its { observer.next((mine, its)) }
            }
            func finish() {
                remaining -= 1
                if remaining == 0 { observer.complete() }
            }
            observer.follow(
                self,
                next: { value in
                    let forgotten = exchange(&mine, with: value)
                    emit()
                    withExtendedLifetime(forgotten) {}
                }, completed: finish)
            observer.follow(
                other,
                next: { value in
                    let forgotten = exchange(&its, with: value)
                    emit()
                    withExtendedLifetime(forgotten) {}
                }, completed: finish)
        }
    }

    /// Returns this signal with a value before all others.
    public func startWith(_ value: Value) -> Signal {
        .concat([.of(value), self])
    }

    /// Returns this signal, observed again each time that it completes.
    ///
    /// It ends when it fails. The stack does not grow. A signal that completes at once keeps the
    /// caller of `observe` until somebody cancels.
    public func repeated() -> Signal {
        .concat(repeatElement(self, count: .max))
    }
}

/// The signals of a concatenation, one at a time.
private final class Turns<Value> {
    private let signals: AnyIterator<Signal<Value>>
    private let observer: Signal<Value>.Observer
    private var isDue = false
    private var isProceeding = false

    init(_ signals: AnyIterator<Signal<Value>>, for observer: Signal<Value>.Observer) {
        self.signals = signals
        self.observer = observer
    }

    /// Observes the next signal.
    ///
    /// One that completes at once calls this from inside itself: the call is noted, and the outer
    /// one goes on.
    func proceed() {
        isDue = true
        guard !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        while isDue, !observer.isOver {
            isDue = false
            guard let signal = signals.next() else { return observer.complete() }
            observer.follow(signal, next: observer.next, completed: proceed)
        }
    }
}

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
