extension Signal where Value == Int {
    /// Returns a signal that counts the periods since it was observed, from 0.
    ///
    /// The first value comes after one period. It does not drift, for a timeline that is advanced
    /// late still runs each piece of work at the time it was due. The next tick is scheduled before
    /// this one is delivered, so it comes before what an observer schedules for the same instant.
    public static func interval(_ period: Duration, on timeline: Timeline) -> Signal {
        precondition(period > .zero, "an interval needs time to pass")
        return Signal { observer in
            func schedule(_ number: Int) {
                let work = timeline.enqueue(at: timeline.now + period) {
                    schedule(number + 1)
                    observer.next(number)
                }
                observer.hold(work)
            }
            schedule(0)
        }
    }
}

extension Signal {
    /// Returns this signal with its values and its completion delayed.
    ///
    /// A failure is emitted at once, and delayed values are dropped.
    public func delay(_ delay: Duration, on timeline: Timeline) -> Signal {
        Signal { observer in
            func emitLater(_ event: Event) {
                observer.hold(timeline.enqueue(at: timeline.now + delay) { observer.send(event) })
            }
            observer.follow(
                self, next: { emitLater(.next($0)) }, completed: { emitLater(.completed) })
        }
    }

    /// Returns the values of each interval, emitted together at its end.
    ///
    /// The first interval begins with the observation, and not with its first value as in
    /// ReactiveCocoa; one without values emits an empty array. A value at the very end of an
    /// interval belongs to the next. If this signal completes, the values since the last interval
    /// are emitted before the completion, if there are any.
    public func buffer(time length: Duration, on timeline: Timeline) -> Signal<[Value]> {
        Signal<[Value]> { observer in
            let buffer = Buffer(length, on: timeline, for: observer)
            observer.follow(.interval(length, on: timeline)) { _ in buffer.emitIfDue() }
            observer.follow(self, next: buffer.append, completed: buffer.complete)
        }
    }

    /// Returns at most one value in each interval: the newest.
    ///
    /// A value is emitted at once if none was within the last `length`; else the newest is emitted
    /// at its end. A value that waits when this signal completes is emitted before the completion.
    public func throttle(_ length: Duration, on timeline: Timeline) -> Signal {
        Signal { observer in
            let throttle = Throttle(length, on: timeline, for: observer)
            observer.follow(self, next: throttle.take, completed: throttle.complete)
        }
    }
}

/// The values of one interval after another.
private final class Buffer<Value> {
    private let length: Duration
    private let timeline: Timeline
    private let observer: Signal<[Value]>.Observer
    private var values: [Value] = []
    private var end: Duration

    init(_ length: Duration, on timeline: Timeline, for observer: Signal<[Value]>.Observer) {
        self.length = length
        self.timeline = timeline
        self.observer = observer
        self.end = timeline.now + length
    }

    /// Emits the values if their interval is over.
    ///
    /// Values ask too: of what is due at the same instant, they may run before the interval.
    func emitIfDue() {
        guard timeline.now >= end else { return }
        end += length
        let gathered = values
        values = []
        observer.next(gathered)
    }

    func append(_ value: Value) {
        emitIfDue()
        values.append(value)
    }

    func complete() {
        emitIfDue()
        if !values.isEmpty { observer.next(values) }
        observer.complete()
    }
}

/// Lets one value through in each interval.
///
/// Nothing is scheduled unless a value waits, so that a rare value wakes nobody twice.
private final class Throttle<Value> {
    private let length: Duration
    private let timeline: Timeline
    private let observer: Signal<Value>.Observer
    private var waiting: Value?
    private var restEnd = Duration.zero

    init(_ length: Duration, on timeline: Timeline, for observer: Signal<Value>.Observer) {
        self.length = length
        self.timeline = timeline
        self.observer = observer
    }

    func take(_ value: Value) {
        guard waiting == nil else {
            let forgotten = exchange(&waiting, with: value)
            return withExtendedLifetime(forgotten) {}
        }
        guard timeline.now < restEnd else { return emit(value) }
        waiting = value
        observer.hold(
            timeline.enqueue(at: restEnd) {
                if let value = self.waiting.take() { self.emit(value) }
            })
    }

    func complete() {
        if let waiting { observer.next(waiting) }
        observer.complete()
    }

    private func emit(_ value: Value) {
        restEnd = timeline.now + length
        observer.next(value)
    }
}
