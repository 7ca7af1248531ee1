extension Signal {
    /// Returns this signal, observed once for all observers of the result.
    ///
    /// The first observer starts it; when the last has gone, it is cancelled, and starts anew for
    /// the next. Once it has ended, late observers receive the end.
    @inlinable
    public func share() -> Signal {
        replay(0)
    }

    /// Returns this signal, observed once for all, with its newest values for late observers.
    ///
    /// Late observers receive the `count` newest values, oldest first, and then what follows, or
    /// the end if it has ended. The first observer starts the signal; when the last has gone
    /// before the end, it is cancelled, and its values are forgotten.
    @inlinable
    public func replay(_ count: Int) -> Signal {
        let hub = Hub(self, remembering: count)
        return Signal { hub.add($0) }
    }
}

/// One observation of a signal, shared by all who need it.
@usableFromInline
final class Hub<Value> {
    @usableFromInline let source: Signal<Value>
    @usableFromInline let memory: Int
    @usableFromInline var subject: Subject<Value>
    @usableFromInline var connection: Signal<Value>.Observer?
    @usableFromInline var observerCount = 0
    @usableFromInline var hasEnded = false

    @inlinable
    init(_ source: Signal<Value>, remembering memory: Int) {
        self.source = source
        self.memory = memory
        self.subject = Subject(remembering: memory)
    }

    @inlinable
    func add(_ observer: Signal<Value>.Observer) {
        observerCount += 1
        observer.hold(Subscription(remove))
        subject.add(observer)
        connect()
    }

    /// Starts the source, unless it runs, has ended, or lost its only observer to the greeting.
    @inlinable
    func connect() {
        guard connection == nil, !hasEnded, observerCount > 0 else { return }
        let connection = Signal<Value>.Observer { [subject] event in
            switch event {
            case .next(let value): subject.notify(value)
            case .completed: self.finish(subject.complete)
            case .failed(let error): self.finish { subject.fail(error) }
            }
        }
        self.connection = connection
        source.start(for: connection)
    }

    @inlinable
    func finish(_ tellEnd: () -> Void) {
        hasEnded = true
        connection = nil
        tellEnd()
    }

    @inlinable
    func remove() {
        observerCount -= 1
        guard observerCount == 0, !hasEnded else { return }
        let forgotten = exchange(&subject, with: Subject(remembering: memory))
        defer { withExtendedLifetime(forgotten) {} }
        let last = connection.take()
        last?.cancel()
    }
}
