/// A value that sends every change to its observers, in the order in which they began.
///
/// A new observer receives the current value at once, if there is one, and then each change
/// exactly once. A value that an observer sends meanwhile waits, so that all observers see one
/// order. An observer that has cancelled receives nothing more, not even a value that waits. After
/// `complete` or `fail` nothing is sent, except to late observers: the last value and that end.
///
/// Not `Sendable`: a subject belongs to one isolation domain, and that domain is its lock.
///
/// What runs for every value is `@inlinable`, here, in `Signal.Observer` and in the operators:
/// without a copy made for the type of the value, much of the time would go into looking that type
/// up.
public final class Subject<Value> {
    @usableFromInline typealias Event = Signal<Value>.Event

    @usableFromInline
    struct State {
        @usableFromInline var observers: [Signal<Value>.Observer] = []
        /// How many of them are cancelled, at least.
        @usableFromInline var overCount = 0
        /// What observers have sent meanwhile.
        @usableFromInline var waiting: [Event] = []
        @usableFromInline var isDelivering = false
        @usableFromInline var end: Event?
        /// The newest values, oldest first.
        ///
        /// - Invariant: At most `memory` of them.
        @usableFromInline var remembered: [Value] = []

        @usableFromInline
        init() {}
    }

    // Not checked for exclusive access at run time: the checks cost more than a delivery itself. No
    // access is under way when an observer is called or a value is released.
    @exclusivity(unchecked) @usableFromInline var state = State()
    @usableFromInline let memory: Int

    /// Creates a subject without a value, which sends a new observer its newest one.
    ///
    /// That suits state; for events see `init(remembering:)`.
    public convenience init() {
        self.init(remembering: 1)
    }

    /// Creates a subject with a first value.
    public convenience init(_ value: Value) {
        self.init()
        state.remembered = [value]
    }

    /// Creates a subject that sends a new observer its newest `memory` values, oldest first.
    ///
    /// 0 suits events: a new observer receives only later values, and `value` is always nil.
    @inlinable
    public init(remembering memory: Int) {
        precondition(memory >= 0, "a subject cannot remember less than nothing")
        self.memory = memory
    }

    /// The latest value that was delivered; a value that still waits is not it yet.
    public var value: Value? { state.remembered.last }

    /// How many observers are kept, cancelled ones included.
    package var observerCount: Int { state.observers.count }

    /// The value now and all its changes, as a signal.
    @inlinable public var signal: Signal<Value> {
        Signal(add)
    }

    /// Delivers the current value and every change, until the result is cancelled or released.
    ///
    /// `onEnd` receives the error that ended the subject, or nil if it completed.
    @inlinable
    public func observe(
        _ onNext: @escaping (Value) -> Void, onEnd: @escaping ((any Error)?) -> Void = { _ in }
    ) -> Subscription {
        signal.observe(onNext, onEnd: onEnd)
    }

    /// Delivers the current value and every change, until the bag is cancelled or released.
    ///
    /// `onEnd` receives the error that ended the subject, or nil if it completed.
    @inlinable
    public func observe(
        in bag: SubscriptionBag, _ onNext: @escaping (Value) -> Void,
        onEnd: @escaping ((any Error)?) -> Void = { _ in }
    ) {
        signal.observe(in: bag, onNext, onEnd: onEnd)
    }

    /// Sends all observers a new value.
    ///
    /// O(observers), without any allocation unless it is called from inside an observer.
    @inlinable
    public func notify(_ value: Value) {
        send(.next(value))
    }

    /// Completes the subject for all observers.
    @inlinable
    public func complete() {
        send(.completed)
    }

    /// Fails the subject for all observers.
    @inlinable
    public func fail(_ error: any Error) {
        send(.failed(error))
    }
}

extension Subject {
    @inlinable
    func send(_ event: Event) {
        guard !state.isDelivering else { return state.waiting.append(event) }
        state.isDelivering = true
        deliver(event)
        deliverWaiting()
    }

    @inlinable
    func deliverWaiting() {
        while !state.waiting.isEmpty {
            let batch = state.waiting
            state.waiting = []
            for event in batch { deliver(event) }
        }
        state.isDelivering = false
        sweep()
    }

    @inlinable
    func deliver(_ event: Event) {
        guard state.end == nil else { return }
        switch event {
        case .next(let value):
            remember(value)
            // An observer that is added meanwhile is not in `indices`; it received the value then.
            for index in state.observers.indices { state.observers[index].send(event) }
        case .completed, .failed:
            state.end = event
            let last = state.observers
            state.observers = []
            for observer in last { observer.send(event) }
        }
    }

    @inlinable
    func remember(_ value: Value) {
        guard state.remembered.count == memory else { return state.remembered.append(value) }
        guard memory > 0 else { return }
        // Moved in place: `removeFirst` of the only element would allocate.
        for index in 1..<memory { state.remembered.swapAt(index - 1, index) }
        // Released only now: its deinit may ask the subject for its value.
        var forgotten = value
        swap(&state.remembered[memory - 1], &forgotten)
        withExtendedLifetime(forgotten) {}
    }

    /// Adds an observer and sends it what it missed.
    @usableFromInline
    func add(_ observer: Signal<Value>.Observer) {
        if state.end == nil {
            state.observers.append(observer)
            observer.hold(Subscription { [weak self] in self?.noteCancellation() })
        }
        // What the new observer sends meanwhile waits, as from any observer that receives a value.
        let isFirst = !state.isDelivering
        state.isDelivering = true
        for value in state.remembered { observer.next(value) }
        if let end = state.end { observer.send(end) }
        if isFirst { deliverWaiting() }
    }

    private func noteCancellation() {
        state.overCount += 1
        if !state.isDelivering { sweep() }
    }

    /// Forgets the observers that are over, once they are half of all: O(1) for each, amortised.
    @usableFromInline
    func sweep() {
        guard state.overCount > 0, state.overCount * 2 >= state.observers.count else { return }
        state.observers.removeAll { $0.isOver }
        state.overCount = 0
    }
}
