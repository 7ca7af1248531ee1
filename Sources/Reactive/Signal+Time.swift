extension Signal where Value == Int {
    /// Returns a signal that counts the periods since it was observed, from 0.
    ///
    /// The first value comes after one period. It does not drift, for a timeline that is advanced
    /// late still runs each piece of work at the time it was due. The next tick is scheduled before
    /// this one is told, so it comes before what an observer schedules for the same instant.
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
    /// Returns this signal with its values and its completion told so much later.
    ///
    /// A failure is told at once, and what was on its way is not told.
    public func delay(_ delay: Duration, on timeline: Timeline) -> Signal {
        Signal { observer in
            func tellLater(_ event: Event) {
                observer.hold(timeline.enqueue(at: timeline.now + delay) { observer.send(event) })
            }
            observer.follow(
                self, next: { tellLater(.next($0)) }, completed: { tellLater(.completed) })
        }
    }

    /// Returns the values of each stretch of time, told together at its end.
    ///
    /// The first stretch begins with the observation, and not with its first value as in
    /// ReactiveCocoa; one without values is told as well. A value
    /// at the very end of a stretch belongs to the next. What has gathered when this signal
    /// completes is told before the completion, unless it is nothing.
    public func buffer(time length: Duration, on timeline: Timeline) -> Signal<[Value]> {
        Signal<[Value]> { observer in
            let buffer = Buffer(length, on: timeline, for: observer)
            observer.follow(.interval(length, on: timeline)) { _ in buffer.tellIfDue() }
            observer.follow(self, next: buffer.append, completed: buffer.complete)
        }
    }

    /// Returns at most one value in each stretch of time: the newest.
    ///
    /// A value is told at once if none was within the last `length`; else the newest is told when
    /// that is over. What waits when this signal completes is told before the completion.
    public func throttle(_ length: Duration, on timeline: Timeline) -> Signal {
        Signal { observer in
            let throttle = Throttle(length, on: timeline, for: observer)
            observer.follow(self, next: throttle.take, completed: throttle.complete)
        }
    }
}

/// The values of one stretch of time after another.
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

    /// Tells the values if their time is over.
    ///
    /// Values ask too: of what is due at the same instant, they may run before the interval.
    func tellIfDue() {
        guard timeline.now >= end else { return }
        end += length
        let gathered = values
        values = []
        observer.next(gathered)
    }

    func append(_ value: Value) {
        tellIfDue()
        values.append(value)
    }

    func complete() {
        tellIfDue()
        if !values.isEmpty { observer.next(values) }
        observer.complete()
    }
}

/// Lets one value through in each stretch of time.
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
        guard timeline.now < restEnd else { return tell(value) }
        waiting = value
        observer.hold(
            timeline.enqueue(at: restEnd) {
                if let value = self.waiting.take() { self.tell(value) }
            })
    }

    func complete() {
        if let waiting { observer.next(waiting) }
        observer.complete()
    }

    private func tell(_ value: Value) {
        restEnd = timeline.now + length
        observer.next(value)
    }
}
