import Basics

/// The only scheduler: runs work in the order of its deadlines as its owner advances the time.
///
/// Times are durations since the timeline's start. It never asks a clock: a loop sleeps until
/// `nextDeadline` and calls `advance(to:)` with the time by its clock, a test with any time it
/// likes.
public final class Timeline {
    /// The time: while work runs, the deadline of that work, however late it is run.
    public private(set) var now = Duration.zero

    /// - Invariant: The least entry is not cancelled.
    private var entries = Heap<Entry>()
    private var cancelledCount = 0
    private var scheduledCount = 0
    private var isAdvancing = false

    /// How many entries are kept, cancelled ones included.
    package var entryCount: Int { entries.count }

    /// Creates a timeline at the time zero, with nothing to do.
    public init() {}

    /// When `advance(to:)` next has something to do; nil if nothing is scheduled.
    ///
    /// O(1); never the deadline of cancelled work.
    public var nextDeadline: Duration? { entries.min?.deadline }

    /// Schedules work for a time.
    ///
    /// It does not run if the result is cancelled or released before. Work for a time that has
    /// passed is due at once, in the next `advance` or the present one. O(log n).
    public func schedule(at time: Duration, _ work: @escaping () -> Void) -> Subscription {
        Subscription(enqueue(at: time, work).cancel)
    }

    /// Schedules work for this long after now.
    ///
    /// It does not run if the result is cancelled or released before.
    public func schedule(after delay: Duration, _ work: @escaping () -> Void) -> Subscription {
        schedule(at: now + delay, work)
    }

    /// Runs all work that is due by then, and makes that the time.
    ///
    /// Work runs in the order of deadlines, and of scheduling among equal ones.
    ///
    /// That includes work that is scheduled meanwhile: work that always schedules more for the
    /// present never lets it end.
    public func advance(to time: Duration) {
        precondition(time >= now, "time does not run backwards")
        precondition(!isAdvancing, "work cannot advance the timeline that runs it")
        isAdvancing = true
        defer { isAdvancing = false }
        while let deadline = nextDeadline, deadline <= time {
            guard let entry = entries.popMin() else { break }
            dropCancelled()
            now = deadline
            entry.work.run()
        }
        now = time
    }
}

extension Timeline {
    /// One piece of work, which can be cancelled until it has run.
    final class Work: Cancellable {
        private var action: (() -> Void)?
        private weak var timeline: Timeline?

        init(_ action: @escaping () -> Void, on timeline: Timeline) {
            self.action = action
            self.timeline = timeline
        }

        var isOver: Bool { action == nil }

        func run() {
            action.take()?()
        }

        func cancel() {
            guard action.take() != nil else { return }
            timeline?.noteCancellation()
        }
    }

    private struct Entry: Comparable {
        let deadline: Duration
        let number: Int
        let work: Work

        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.number) < (right.deadline, right.number)
        }

        static func == (left: Entry, right: Entry) -> Bool {
            left.number == right.number
        }
    }

    /// Schedules work without a subscription, so releasing the result does not cancel it.
    func enqueue(at time: Duration, _ action: @escaping () -> Void) -> Work {
        let work = Work(action, on: self)
        scheduledCount += 1
        entries.insert(Entry(deadline: max(time, now), number: scheduledCount, work: work))
        return work
    }

    private func noteCancellation() {
        cancelledCount += 1
        dropCancelled()
    }

    /// Restores the invariant, and forgets all cancelled entries once they are half.
    ///
    /// Amortised O(log n).
    private func dropCancelled() {
        if cancelledCount * 2 > entries.count {
            entries.removeAll { $0.work.isOver }
            cancelledCount = 0
        }
        while let least = entries.min, least.work.isOver {
            _ = entries.popMin()
            cancelledCount -= 1
        }
    }
}
