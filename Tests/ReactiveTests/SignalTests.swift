import MarbleSupport
import Reactive
import Testing

@Suite struct SignalTests {
    @Test("nothing runs before an observer registers, and each observer starts it anew")
    func cold() {
        var starts = 0
        let signal = Signal<Int> { observer in
            starts += 1
            observer.next(starts)
        }
        #expect(starts == 0)
        var told: [Int] = []
        let first = signal.observe { told.append($0) }
        let second = signal.observe { told.append($0) }
        #expect(told == [1, 2])
        first.cancel()
        second.cancel()
    }

    @Test("after an end nothing is delivered, whatever the source emits", arguments: ["|", "#"])
    func grammar(end: Character) {
        let signal = Signal<Character> { observer in
            observer.next("a")
            if end == "|" { observer.complete() } else { observer.fail(Broken()) }
            observer.next("b")
            observer.complete()
            observer.fail(Broken())
        }
        #expect(Marbles("= -").watch(signal).description == "(a\(end))")
    }

    @Test("after the cancellation nothing is delivered, whatever the source emits")
    func silenceAfterCancel() {
        var kept: Signal<Int>.Observer?
        var told: [Int] = []
        let subscription = Signal<Int> { kept = $0 }.observe { told.append($0) }
        kept?.next(1)
        subscription.cancel()
        #expect(kept?.isOver == true)
        kept?.next(2)
        kept?.complete()
        #expect(told == [1])
    }

    @Test("a source that speaks while it is observed can be cancelled there")
    func synchronousCancellation() {
        let bag = SubscriptionBag()
        var said = 0
        let endless = Signal<Int> { observer in
            while !observer.isOver {
                said += 1
                observer.next(said)
            }
        }
        var told: [Int] = []
        endless.map { $0 * 10 }.filter { $0 > 10 }.observe(in: bag) { value in
            told.append(value)
            if told.count == 2 { bag.cancel() }
        }
        #expect(told == [20, 30])
        #expect(said == 3)
    }

    @Test("a signal is not even started in a bag that is cancelled")
    func cancelledBag() {
        let bag = SubscriptionBag()
        bag.cancel()
        var starts = 0
        Signal<Int> { _ in starts += 1 }.observe(in: bag) { _ in }
        #expect(starts == 0)
    }

    @Test("what a source holds is cancelled before the end is delivered")
    func holdings() {
        var log: [String] = []
        let signal = Signal<Int> { observer in
            observer.hold(Subscription { log.append("released") })
            observer.complete()
            observer.hold(Subscription { log.append("too late") })
        }
        let subscription = signal.observe { _ in
        } onEnd: { _ in
            log.append("end")
        }
        #expect(log == ["released", "end", "too late"])
        subscription.cancel()
    }

    @Test("an end is not delivered if releasing what is held cancels the observation")
    func cancelledByHoldings() {
        let bag = SubscriptionBag()
        var log: [String] = []
        let signal = Signal<Int> { observer in
            observer.hold(Subscription { bag.cancel() })
            observer.hold(Subscription { log.append("released") })
            observer.complete()
        }
        signal.observe(in: bag) { _ in
        } onEnd: { _ in
            log.append("end")
        }
        #expect(log == ["released"])
    }

    @Test("the end that an observer receives has the error of the failure, or none")
    func ends() {
        var errors: [(any Error)?] = []
        let failed = Signal<Int> { $0.fail(Broken()) }.observe { _ in
        } onEnd: {
            errors.append($0)
        }
        let completed = Signal<Int>.empty.observe { _ in
        } onEnd: {
            errors.append($0)
        }
        #expect(errors.map { $0 is Broken } == [true, false])
        failed.cancel()
        completed.cancel()
    }

    @Test("an event has an error only if it is a failure")
    func events() {
        #expect(Signal.Event.next(1).error == nil)
        #expect(Signal<Int>.Event.completed.error == nil)
        #expect(Signal<Int>.Event.failed(Broken()).error is Broken)
    }
}
