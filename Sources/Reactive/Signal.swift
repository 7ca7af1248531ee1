/// A stream of values over time, which starts anew for each observer.
///
/// It emits any number of values and then, perhaps, one end: `next* (completed | failed)?`. Nothing
/// runs before it is observed, and everything stops when the last subscription is cancelled or
/// released. All of it happens on the caller's thread, inside the call that caused it; a signal
/// belongs to one isolation domain.
///
/// Only a `Subject` queues a value that an observer sends while it receives one: if that can happen
/// behind a `combineLatest` or a `buffer`, put a `share` behind it.
public struct Signal<Value> {
    @usableFromInline let start: (Observer) -> Void

    /// Creates a signal from what a source does for each of its observers.
    ///
    /// A source may emit inside `start`. One that emits many values there asks `isOver` before
    /// each, and passes what must be cancelled when nobody observes any more to
    /// `Observer.hold`.
    @inlinable
    public init(_ start: @escaping (Observer) -> Void) {
        self.start = start
    }

    /// Starts the signal and delivers its values, until the result is cancelled or released.
    ///
    /// `onEnd` receives the error that ended the signal, or nil if it completed.
    @inlinable
    public func observe(
        _ onNext: @escaping (Value) -> Void, onEnd: @escaping ((any Error)?) -> Void = { _ in }
    ) -> Subscription {
        let observer = Observer(onNext, onEnd: onEnd)
        start(for: observer)
        return Subscription(observer.cancel)
    }

    /// Starts the signal and delivers its values, until the bag is cancelled or released.
    ///
    /// The bag has the observation before the first value is delivered, so even that one can cancel
    /// it.
    @inlinable
    public func observe(
        in bag: SubscriptionBag, _ onNext: @escaping (Value) -> Void,
        onEnd: @escaping ((any Error)?) -> Void = { _ in }
    ) {
        let observer = Observer(onNext, onEnd: onEnd)
        bag.insert(observer)
        start(for: observer)
    }

    @inlinable
    func start(for observer: Observer) {
        guard !observer.isOver else { return }
        start(observer)
    }
}

extension Signal {
    /// One event of a signal.
    public enum Event {
        /// A value; more may follow.
        case next(Value)
        /// The end, without an error.
        case completed
        /// The end, because of an error.
        case failed(any Error)

        /// The error, if this is a failure.
        public var error: (any Error)? {
            switch self {
            case .next, .completed: nil
            case .failed(let error): error
            }
        }
    }
}

extension Signal.Event: Sendable where Value: Sendable {}

extension Signal {
    /// A signal that completes without a value.
    public static var empty: Signal {
        Signal { $0.complete() }
    }

    /// A signal that never emits anything, not even an end.
    public static var never: Signal {
        Signal { _ in }
    }

    /// Returns a signal that emits these values at once and completes.
    public static func of(_ values: Value...) -> Signal {
        of(contentsOf: values)
    }

    /// Returns a signal that emits the elements of a sequence at once and completes.
    ///
    /// Each observation goes through the sequence from its beginning.
    public static func of(contentsOf values: some Sequence<Value>) -> Signal {
        Signal { observer in
            for value in values where !observer.isOver { observer.next(value) }
            observer.complete()
        }
    }
}
