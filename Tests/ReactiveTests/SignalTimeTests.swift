import MarbleSupport
import Reactive
import Testing

@Suite struct SignalTimeTests {
    @Test("an interval counts its periods, and stops when it is cancelled")
    func interval() {
        let marbles = Marbles("= --0-1-2---")
        let counts = Signal.interval(.seconds(2), on: marbles.timeline).map(digit)
        marbles.expect(counts, until: 7)
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
        #expect(
            times == [
                .milliseconds(100), .milliseconds(200), .milliseconds(300), .milliseconds(400),
            ])
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

    @Test("delay emits values and the completion later")
    func delay() {
        let marbles = Marbles(
            """
            line  -ab--c|
            line  ^-----!
            =     ----ab--c|
            """)
        marbles.expect(marbles.line.delay(.seconds(3), on: marbles.timeline))
    }

    @Test("delay emits a failure at once, and drops delayed values")
    func delayedFailure() {
        let marbles = Marbles(
            """
            line  -a--b#----
            =     ---a-#
            """)
        marbles.expect(marbles.line.delay(.seconds(2), on: marbles.timeline))
    }

    @Test("delayed values are not emitted after the cancellation")
    func cancelledDelay() {
        let marbles = Marbles(
            """
            line  -ab-----
            =     ----
            """)
        marbles.expect(marbles.line.delay(.seconds(4), on: marbles.timeline), until: 4)
    }

    @Test("buffer emits the values of each interval, even if there are none, and then the rest")
    func buffer() {
        let marbles = Marbles(
            """
            line  -ab-c--------d|
            =     ---2--1--0--0-(1|)
            """)
        marbles.expect(
            marbles.line.buffer(time: .seconds(3), on: marbles.timeline).map { digit($0.count) })
    }

    @Test("a value at the very end of a stretch belongs to the next")
    func bufferBoundary() {
        let marbles = Marbles("line --a-b-c-d-|")
        let stretches = marbles.line.buffer(time: .seconds(2), on: marbles.timeline)
        var told: [String] = []
        let subscription = stretches.observe { told.append(String($0)) }
        marbles.timeline.advance(to: .seconds(10))
        #expect(told == ["", "a", "b", "c", "d"])
        subscription.cancel()
    }

    @Test("buffer fails at once and drops what it has")
    func bufferFailure() {
        let marbles = Marbles(
            """
            line  -ab-c#----
            =     ---2-#
            """)
        marbles.expect(
            marbles.line.buffer(time: .seconds(3), on: marbles.timeline).map { digit($0.count) })
    }

    @Test("throttle emits a value at once, then the newest of each interval")
    func throttle() {
        let marbles = Marbles(
            """
            line  -ab--c---def----g-|
            =     -a--b--c--e--f--g-|
            """)
        marbles.expect(marbles.line.throttle(.seconds(3), on: marbles.timeline))
    }

    @Test("throttle emits what waits before the completion, and drops it at a failure")
    func throttledEnds() {
        let ends = Marbles(
            """
            line  -ab|
            =     -a-(b|)
            """)
        ends.expect(ends.line.throttle(.seconds(4), on: ends.timeline))
        let failing = Marbles(
            """
            line  -ab#
            =     -a-#
            """)
        failing.expect(failing.line.throttle(.seconds(4), on: failing.timeline))
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

private func digit(_ number: Int) -> Character {
    Character("\(number % 10)")
}
