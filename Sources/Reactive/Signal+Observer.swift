extension Signal {
    /// The receiving end of one observation.
    ///
    /// The grammar of signals is kept here and nowhere else: after an end or a cancellation nothing
    /// is delivered, from any sender.
    public final class Observer: Cancellable {
        // Read for each value, so not checked for exclusive access at run time. It is only copied
        // and taken, and no closure runs during that.
        @exclusivity(unchecked) @usableFromInline var receive: ((Event) -> Void)?
        @usableFromInline var holdings = Holdings()
        @usableFromInline var isCancelled = false

        @inlinable
        init(_ receive: @escaping (Event) -> Void) {
            self.receive = receive
        }

        @inlinable
        convenience init(
            _ onNext: @escaping (Value) -> Void, onEnd: @escaping ((any Error)?) -> Void
        ) {
            self.init { event in
                switch event {
                case .next(let value): onNext(value)
                case .completed: onEnd(nil)
                case .failed(let error): onEnd(error)
                }
            }
        }

        /// Whether nobody listens any more: the signal has ended, or the observation was cancelled.
        @inlinable public var isOver: Bool { receive == nil }

        /// Delivers a value.
        @inlinable
        public func next(_ value: Value) {
            send(.next(value))
        }

        /// Delivers the completion of the signal.
        @inlinable
        public func complete() {
            send(.completed)
        }

        /// Delivers the failure of the signal.
        @inlinable
        public func fail(_ error: any Error) {
            send(.failed(error))
        }

        /// Delivers an event; an end is delivered after everything that the observer holds is
        /// cancelled.
        ///
        /// An end is not delivered if that cancels this observer too.
        @inlinable
        func send(_ event: Event) {
            switch event {
            case .next: receive?(event)
            case .completed, .failed: close()?(event)
            }
        }

        /// Keeps a subscription until the end or the cancellation, and cancels it then.
        ///
        /// If the end or the cancellation has come already, it is cancelled at once.
        @inlinable
        public func hold(_ subscription: Subscription) {
            hold(subscription as any Cancellable)
        }

        @inlinable
        func hold(_ item: any Cancellable) {
            guard !isOver else { return item.cancel() }
            holdings.insert(item)
        }

        @usableFromInline
        func cancel() {
            isCancelled = true
            _ = close()
        }

        /// Cancels everything that is held, and returns the closure that receives the end, if any.
        @usableFromInline
        func close() -> ((Event) -> Void)? {
            let last = receive.take()
            for item in holdings.takeAll() { item.cancel() }
            return isCancelled ? nil : last
        }
    }
}

extension Signal.Observer {
    /// Observes another signal for as long as this observer listens.
    ///
    /// An end without a handler is passed on.
    @inlinable
    func follow<Source>(
        _ source: Signal<Source>, next: @escaping (Source) -> Void,
        completed: (() -> Void)? = nil, failed: ((any Error) -> Void)? = nil
    ) {
        source.start(for: upstream(next: next, completed: completed, failed: failed))
    }

    /// Returns an observer of another signal that is cancelled with this one.
    ///
    /// The two are linked before the source starts, so a source that emits at once can be
    /// cancelled at once.
    @inlinable
    func upstream<Source>(
        next: @escaping (Source) -> Void,
        completed: (() -> Void)? = nil, failed: ((any Error) -> Void)? = nil
    ) -> Signal<Source>.Observer {
        let completed = completed ?? complete
        let failed = failed ?? fail
        let upstream = Signal<Source>.Observer { event in
            switch event {
            case .next(let value): next(value)
            case .completed: completed()
            case .failed(let error): failed(error)
            }
        }
        hold(upstream)
        return upstream
    }
}
