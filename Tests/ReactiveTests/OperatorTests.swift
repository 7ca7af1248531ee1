import MarbleSupport
import Reactive
import Testing

/// Behaviour of the operators that no diagram shows: reentrancy and memory.
@Suite struct OperatorTests {
    @Test("a list of values is emitted in order, until it is cancelled")
    func list() {
        let bag = SubscriptionBag()
        var told = ""
        Signal<Character>.of("a", "b", "c").observe(in: bag) { value in
            told.append(value)
            if value == "b" { bag.cancel() }
        }
        #expect(told == "ab")
    }

    @Test("a prefix of nothing completes without observing")
    func emptyPrefix() {
        var starts = 0
        let signal = Signal<Character> { _ in starts += 1 }
        #expect(Marbles("= -").watch(signal.prefix(0)) == "|")
        #expect(starts == 0)
    }

    @Test("a prefix is not exceeded by what is emitted from inside its last value")
    func reentrantPrefix() {
        let source = Sender<Int>()
        var told: [Int] = []
        let subscription = source.signal.prefix(1).observe {
            told.append($0)
            source.send(2)
        }
        source.send(1)
        #expect(told == [1])
        subscription.cancel()
    }

    @Test("scan into a value emits each result, and starts again for each observer")
    func scanInto() {
        let lists = Signal.of(contentsOf: 1...3).scan(into: []) { $0.append($1) }
        for _ in 0..<2 {
            var told: [[Int]] = []
            lists.observe { told.append($0) }.cancel()
            #expect(told == [[1], [1, 2], [1, 2, 3]])
        }
    }

    @Test("scan into an array appends in place")
    func scanInPlace() {
        var addresses: Set<UInt> = []
        Signal.of(contentsOf: 0..<1000).scan(into: [Int]()) { list, value in
            if list.isEmpty { list.reserveCapacity(1000) }
            list.append(value)
        }.observe { list in
            addresses.insert(list.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
        }.cancel()
        #expect(addresses.count == 1)
    }

    @Test("a concat of many signals that complete at once does not grow the stack")
    func longConcat() {
        var sum = 0
        var ends = 0
        let signals = (1...200_000).lazy.map { Signal.of($0) }
        let subscription = Signal.concat(signals).observe {
            sum += $0
        } onEnd: { _ in
            ends += 1
        }
        #expect(sum == 200_000 * 200_001 / 2)
        #expect(ends == 1)
        subscription.cancel()
    }

    @Test("a signal that completes at once is repeated without growing the stack, until cancelled")
    func endlessRepetition() {
        let bag = SubscriptionBag()
        var count = 0
        Signal.of(1).repeated().observe(in: bag) { _ in
            count += 1
            if count == 200_000 { bag.cancel() }
        }
        #expect(count == 200_000)
    }

    @Test("a signal that completes without a value can be repeated and cancelled by its source")
    func emptyRepetition() {
        let bag = SubscriptionBag()
        var count = 0
        let signal = Signal<Int> { observer in
            count += 1
            if count == 1000 { bag.cancel() }
            observer.complete()
        }
        signal.repeated().observe(in: bag) { _ in }
        #expect(count == 1000)
    }

    @Test("an inner signal that causes a switch while it is observed is silent from then on")
    func switchingInside() {
        let outer = Sender<Signal<Int>>()
        var told: [Int] = []
        let subscription = outer.signal.switchToLatest().observe { told.append($0) }
        outer.send(
            Signal { first in
                first.next(1)
                outer.send(.of(2).concat(.never))
                first.next(3)
                #expect(first.isOver)
            })
        outer.send(.of(4))
        #expect(told == [1, 2, 4])
        subscription.cancel()
    }

    @Test("a signal that is called off can cause the next switch")
    func switchingInsideCancellation() {
        let outer = Sender<Signal<Int>>()
        var told: [Int] = []
        let subscription = outer.signal.switchToLatest().observe { told.append($0) }
        outer.send(Signal { $0.hold(Subscription { outer.send(.of(1).concat(.never)) }) })
        outer.send(.of(2))
        outer.send(.of(3))
        #expect(told == [1, 3])
        subscription.cancel()
    }

    @Test("an interval does not drift, and misses nothing when time is advanced late")
    func lateAdvance() {
        let timeline = Timeline()
        var times: [Duration] = []
        let subscription = Signal.interval(.milliseconds(100), on: timeline).observe { _ in
            times.append(timeline.now)
        }
        timeline.advance(to: .milliseconds(130))
        timeline.advance(to: .milliseconds(470))
        #expect(times == [100, 200, 300, 400].map { .milliseconds($0) })
        #expect(timeline.nextDeadline == .milliseconds(500))
        subscription.cancel()
    }

    @Test("an interval can be cancelled from inside its value")
    func cancelledInside() {
        let timeline = Timeline()
        let bag = SubscriptionBag()
        var told: [Int] = []
        Signal.interval(.seconds(1), on: timeline).observe(in: bag) {
            told.append($0)
            if $0 == 1 { bag.cancel() }
        }
        timeline.advance(to: .seconds(9))
        #expect(told == [0, 1])
        #expect(timeline.nextDeadline == nil)
    }

    @Test("the next tick comes before what a tick schedules for the same instant")
    func tickOrder() {
        let timeline = Timeline()
        let bag = SubscriptionBag()
        var log: [String] = []
        Signal.interval(.seconds(1), on: timeline).observe(in: bag) { tick in
            log.append("tick \(tick)")
            bag.insert(timeline.schedule(after: .seconds(1)) { log.append("after \(tick)") })
        }
        timeline.advance(to: .seconds(3))
        #expect(log == ["tick 0", "tick 1", "after 0", "tick 2", "after 1"])
        bag.cancel()
    }

    @Test("throttle wakes nobody for a value that is alone")
    func throttledAlone() {
        let timeline = Timeline()
        let subject = Subject<Int>()
        let subscription = subject.signal.throttle(.seconds(1), on: timeline).observe { _ in }
        subject.notify(1)
        #expect(timeline.nextDeadline == nil)
        subject.notify(2)
        #expect(timeline.nextDeadline == .seconds(1))
        subscription.cancel()
        #expect(timeline.nextDeadline == nil)
    }
}

/// A source that emits whenever a test asks it to, even from inside itself.
final class Sender<Value> {
    private var observer: Signal<Value>.Observer?

    var signal: Signal<Value> {
        Signal { self.observer = $0 }
    }

    func send(_ value: Value) {
        observer?.next(value)
    }
}
