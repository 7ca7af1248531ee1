// Releasing a value can run any code, which may send into the source that is being observed. So an
// operator that keeps a value exchanges it, and lets the old one go when the access has ended.

extension Signal {
    /// Returns this signal with each value replaced by the closure's result.
    @inlinable
    public func map<Result>(_ transform: @escaping (Value) -> Result) -> Signal<Result> {
        Signal<Result> { observer in
            observer.follow(self) { observer.next(transform($0)) }
        }
    }

    /// Returns this signal without the values that do not satisfy the predicate.
    @inlinable
    public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal {
        Signal { observer in
            observer.follow(self) { if isIncluded($0) { observer.next($0) } }
        }
    }

    /// Returns the running results of updating one value in place, one result for each value.
    ///
    /// `initial` itself is not emitted. Appending to an array costs amortised O(1), as long as no
    /// observer keeps the result before. `update` must not send to this signal, not even by
    /// releasing a value.
    @inlinable
    public func scan<Result>(
        into initial: Result, _ update: @escaping (inout Result, Value) -> Void
    ) -> Signal<Result> {
        Signal<Result> { observer in
            var result = initial
            observer.follow(self) { value in
                update(&result, value)
                observer.next(result)
            }
        }
    }

    /// Returns the first values of this signal, then completes and cancels the rest.
    ///
    /// A `count` of 0 completes without observing this signal at all.
    public func prefix(_ count: Int) -> Signal {
        precondition(count >= 0, "a prefix cannot be shorter than nothing")
        guard count > 0 else { return .empty }
        return Signal { observer in
            var emitted = 0
            observer.follow(self) { value in
                guard emitted < count else { return }
                emitted += 1
                let isLast = emitted == count
                observer.next(value)
                if isLast { observer.complete() }
            }
        }
    }

    /// Returns the latest value of this signal at each value of the trigger.
    ///
    /// Nothing is emitted before the first value. A value is emitted again at each trigger before
    /// the next one, as in ReactiveCocoa; RxSwift emits it once. Ends with the trigger, or
    /// when this signal fails; if this signal completes, its last value is sampled on.
    @inlinable
    public func sample<Trigger>(on trigger: Signal<Trigger>) -> Signal {
        Signal { observer in
            var latest: Value?
            observer.follow(
                self,
                next: { value in
                    let forgotten = exchange(&latest, with: value)
                    withExtendedLifetime(forgotten) {}
                }, completed: {})
            observer.follow(trigger) { _ in
                if let latest { observer.next(latest) }
            }
        }
    }

    /// Returns only the end of this signal, as a signal of any type of value.
    @inlinable
    public func ignoreValues<Other>() -> Signal<Other> {
        Signal<Other> { observer in
            observer.follow(self) { _ in }
        }
    }
}

extension Signal where Value: Equatable {
    /// Returns this signal without the values that equal the one before them.
    @inlinable
    public func removeDuplicates() -> Signal {
        Signal { observer in
            var last: Value?
            observer.follow(self) { value in
                if value == last { return }
                let forgotten = exchange(&last, with: value)
                observer.next(value)
                withExtendedLifetime(forgotten) {}
            }
        }
    }
}

extension Signal {
    /// Returns the events of this signal as values, the end among them, and then completes.
    public func materialize() -> Signal<Event> {
        Signal<Event> { observer in
            func finish(with end: Event) {
                observer.next(end)
                observer.complete()
            }
            observer.follow(
                self, next: { observer.next(.next($0)) },
                completed: { finish(with: .completed) }, failed: { finish(with: .failed($0)) })
        }
    }

    /// Returns this signal, followed by the closure's signal if this one fails.
    ///
    /// A failure of the closure's signal is passed on.
    public func catchError(_ replacement: @escaping (any Error) -> Signal) -> Signal {
        Signal { observer in
            observer.follow(
                self, next: observer.next,
                failed: { observer.follow(replacement($0), next: observer.next) })
        }
    }
}
