import Reactive
import TestSupport
import Testing

@Suite struct TimelineTests {
    let timeline = Timeline()

    @Test("a new timeline stands at zero with nothing to do")
    func beginning() {
        #expect(timeline.now == .zero)
        #expect(timeline.nextDeadline == nil)
    }

    @Test("work runs in the order of deadlines, and of scheduling among equal ones")
    func order() {
        var ran: [String] = []
        let bag = SubscriptionBag()
        for (seconds, name) in [(3, "c"), (1, "a"), (3, "d"), (2, "b"), (3, "e"), (9, "z")] {
            bag.insert(timeline.schedule(at: .seconds(seconds)) { ran.append(name) })
        }
        #expect(timeline.nextDeadline == .seconds(1))
        timeline.advance(to: .seconds(5))
        #expect(ran == ["a", "b", "c", "d", "e"])
        #expect(timeline.nextDeadline == .seconds(9))
    }

    @Test("work at the deadline itself is due, and a moment later is not")
    func deadline() {
        var ran: [Int] = []
        let bag = SubscriptionBag()
        bag.insert(timeline.schedule(at: .nanoseconds(10)) { ran.append(10) })
        bag.insert(timeline.schedule(at: .nanoseconds(11)) { ran.append(11) })
        timeline.advance(to: .nanoseconds(10))
        #expect(ran == [10])
    }

    @Test("while work runs, the time is its deadline, and after that the time advanced to")
    func now() {
        var times: [Duration] = []
        let bag = SubscriptionBag()
        for seconds in [1, 2] {
            bag.insert(timeline.schedule(at: .seconds(seconds)) { times.append(timeline.now) })
        }
        timeline.advance(to: .seconds(7))
        #expect(times == [.seconds(1), .seconds(2)])
        #expect(timeline.now == .seconds(7))
    }

    @Test("a delay counts from now")
    func delay() {
        timeline.advance(to: .seconds(5))
        let subscription = timeline.schedule(after: .seconds(2)) {}
        #expect(timeline.nextDeadline == .seconds(7))
        subscription.cancel()
    }

    @Test("work for a time that has passed is due at once and does not turn time back")
    func past() {
        timeline.advance(to: .seconds(5))
        var times: [Duration] = []
        let subscription = timeline.schedule(at: .seconds(1)) { times.append(timeline.now) }
        #expect(timeline.nextDeadline == .seconds(5))
        timeline.advance(to: .seconds(5))
        #expect(times == [.seconds(5)])
        subscription.cancel()
    }

    @Test("work that is scheduled while advancing runs in the same advance when due within it")
    func scheduledMeanwhile() {
        var ran: [String] = []
        let bag = SubscriptionBag()
        bag.insert(
            timeline.schedule(at: .seconds(1)) {
                ran.append("a")
                bag.insert(timeline.schedule(after: .seconds(3)) { ran.append("late") })
                bag.insert(timeline.schedule(after: .seconds(1)) { ran.append("c") })
                bag.insert(timeline.schedule(after: .zero) { ran.append("b") })
            })
        bag.insert(timeline.schedule(at: .seconds(2)) { ran.append("before c") })
        timeline.advance(to: .seconds(3))
        #expect(ran == ["a", "b", "before c", "c"])
        #expect(timeline.nextDeadline == .seconds(4))
    }

    @Test("cancelled work does not run, and its deadline is not reported")
    func cancelling() {
        var ran: [Int] = []
        let subscriptions = (1...5).map { number in
            timeline.schedule(at: .seconds(number)) { ran.append(number) }
        }
        subscriptions[0].cancel()
        subscriptions[1].cancel()
        subscriptions[3].cancel()
        #expect(timeline.nextDeadline == .seconds(3))
        timeline.advance(to: .seconds(3))
        #expect(timeline.nextDeadline == .seconds(5))
        timeline.advance(to: .seconds(9))
        #expect(ran == [3, 5])
    }

    @Test("cancelled work does not pile up")
    func cancelledEntries() {
        let bag = SubscriptionBag()
        for _ in 0..<10 { bag.insert(timeline.schedule(at: .seconds(1)) {}) }
        for _ in 0..<1000 {
            timeline.schedule(at: .seconds(2)) {}.cancel()
            #expect(timeline.entryCount <= 20)
        }
    }

    @Test("work that is due at the same instant can still be cancelled by work before it")
    func cancellingMeanwhile() {
        let second = SubscriptionBag()
        var ran: [String] = []
        let first = timeline.schedule(at: .seconds(1)) {
            ran.append("first")
            second.cancel()
        }
        second.insert(timeline.schedule(at: .seconds(1)) { ran.append("second") })
        timeline.advance(to: .seconds(1))
        #expect(ran == ["first"])
        first.cancel()
    }

    @Test("work whose subscription is released does not run")
    func releasing() {
        var count = 0
        _ = timeline.schedule(at: .seconds(1)) { count += 1 }
        #expect(timeline.nextDeadline == nil)
        timeline.advance(to: .seconds(2))
        #expect(count == 0)
    }

    @Test("cancelling work that has run does nothing")
    func cancellingLate() {
        let ran = timeline.schedule(at: .seconds(1)) {}
        let next = timeline.schedule(at: .seconds(2)) {}
        timeline.advance(to: .seconds(1))
        ran.cancel()
        #expect(timeline.nextDeadline == .seconds(2))
        next.cancel()
    }

    @Test("what work holds is released when it has run or was cancelled")
    func release() {
        weak var ran: Token?
        weak var cancelled: Token?
        func schedule() -> [Subscription] {
            let tokens = [Token(), Token()]
            (ran, cancelled) = (tokens[0], tokens[1])
            return tokens.map { token in timeline.schedule(at: .seconds(1)) { token.count += 1 } }
        }
        let subscriptions = schedule()
        subscriptions[1].cancel()
        #expect(cancelled == nil)
        #expect(ran != nil)
        timeline.advance(to: .seconds(1))
        #expect(ran == nil)
    }

    @Test(
        "any mix of scheduling, cancelling and advancing runs what a sorted list would",
        arguments: 0..<50)
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var model = TimelineModel()
        for _ in 0..<300 {
            model.step(timeline, &random)
            #expect(timeline.nextDeadline == model.pending.first?.deadline)
        }
        #expect(model.ran.list == model.expected)
    }
}

/// What a timeline must do, done with a list that is kept in order.
private struct TimelineModel {
    final class Log { var list: [Int] = [] }

    let ran = Log()
    var expected: [Int] = []
    var pending: [(deadline: Duration, number: Int, subscription: Subscription)] = []
    var scheduledCount = 0

    mutating func step(_ timeline: Timeline, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: schedule(on: timeline, after: .seconds(Int.random(in: 0..<40, using: &random)))
        case 5..<9:
            guard let index = pending.indices.randomElement(using: &random) else { return }
            pending.remove(at: index).subscription.cancel()
        default:
            let time = timeline.now + .seconds(Int.random(in: 0..<10, using: &random))
            timeline.advance(to: time)
            let due = pending.prefix { $0.deadline <= time }
            expected += due.map(\.number)
            pending.removeFirst(due.count)
        }
    }

    private mutating func schedule(on timeline: Timeline, after delay: Duration) {
        scheduledCount += 1
        let deadline = timeline.now + delay
        let subscription = timeline.schedule(after: delay) { [ran, scheduledCount] in
            ran.list.append(scheduledCount)
        }
        let index = pending.firstIndex { $0.deadline > deadline } ?? pending.endIndex
        pending.insert((deadline, scheduledCount, subscription), at: index)
    }
}
