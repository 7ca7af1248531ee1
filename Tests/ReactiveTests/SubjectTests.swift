import MarbleSupport
import Reactive
import Testing

@Suite struct SubjectTests {
    @Test("observers receive values in the order in which they began")
    func order() {
        let subject = Subject<Int>()
        var told: [String] = []
        let subscriptions = ["a", "b", "c"].map { name in
            subject.observe { told.append("\(name)\($0)") }
        }
        subject.notify(1)
        subject.notify(2)
        #expect(told == ["a1", "b1", "c1", "a2", "b2", "c2"])
        subscriptions.forEach { $0.cancel() }
    }

    @Test("the value is the latest that was sent, also after the end")
    func value() {
        let subject = Subject<Int>()
        #expect(subject.value == nil)
        subject.notify(1)
        subject.notify(2)
        subject.complete()
        #expect(subject.value == 2)
        #expect(Subject(3).value == 3)
    }

    @Test(
        "a newcomer receives what is remembered, exactly once, and then what comes later",
        arguments: [
            (0, [1, 2], [3]), (1, [], [3]), (1, [1, 2], [2, 3]), (2, [1], [1, 3]),
            (2, [0, 1, 2], [1, 2, 3]),
        ] as [(Int, [Int], [Int])])
    func greeting(memory: Int, before: [Int], expected: [Int]) {
        let subject = Subject<Int>(remembering: memory)
        for value in before { subject.notify(value) }
        #expect(subject.value == (memory > 0 ? before.last : nil))
        var told: [Int] = []
        let subscription = subject.observe { told.append($0) }
        #expect(told == Array(expected.dropLast()))
        subject.notify(3)
        #expect(told == expected)
        subscription.cancel()
    }

    @Test("a notification from inside an observer waits its turn")
    func reentrancy() {
        let subject = Subject<Int>()
        var first: [Int] = []
        var second: [Int] = []
        let subscriptions = [
            subject.observe {
                first.append($0)
                if $0 == 1 {
                    subject.notify(2)
                    subject.notify(3)
                    #expect(subject.value == 1)
                }
            },
            subject.observe {
                second.append($0)
                if $0 == 2 { subject.notify(4) }
            },
        ]
        subject.notify(1)
        #expect(first == [1, 2, 3, 4])
        #expect(second == first)
        subscriptions.forEach { $0.cancel() }
    }

    @Test("a long chain of notifications from inside an observer does not grow the stack")
    func longChain() {
        let subject = Subject<Int>()
        var last = 0
        let subscription = subject.observe {
            last = $0
            if $0 < 200_000 { subject.notify($0 + 1) }
        }
        subject.notify(1)
        #expect(last == 200_000)
        subscription.cancel()
    }

    @Test("an observer that cancels inside a value receives nothing more, not even what waits")
    func cancellingItself() {
        let subject = Subject<Int>()
        let bag = SubscriptionBag()
        var told: [Int] = []
        bag.insert(
            subject.observe {
                told.append($0)
                subject.notify($0 + 1)
                bag.cancel()
            })
        subject.notify(1)
        subject.notify(5)
        #expect(told == [1])
    }

    @Test("an observer cancelled by one before it receives nothing")
    func cancellingAnother() {
        let subject = Subject<Int>()
        let second = SubscriptionBag()
        var told: [String] = []
        let first = subject.observe {
            told.append("first \($0)")
            second.cancel()
        }
        second.insert(subject.observe { told.append("second \($0)") })
        let third = subject.observe { told.append("third \($0)") }
        subject.notify(1)
        #expect(told == ["first 1", "third 1"])
        first.cancel()
        third.cancel()
    }

    @Test("a newcomer from inside an observer receives the current value once, then what waits")
    func observingInside() {
        let subject = Subject<Int>()
        let bag = SubscriptionBag()
        var told: [Int] = []
        bag.insert(
            subject.observe {
                guard $0 == 1 else { return }
                subject.notify(2)
                bag.insert(subject.observe { told.append($0) })
                #expect(told == [1])
            })
        subject.notify(1)
        #expect(told == [1, 2])
        bag.cancel()
    }

    @Test("what a newcomer sends while it is greeted waits until it has been")
    func notifyingFromGreeting() {
        let subject = Subject(1)
        var told: [String] = []
        let first = subject.observe { told.append("a\($0)") }
        let second = subject.observe {
            if $0 == 1 { subject.notify(2) }
            told.append("b\($0)")
        }
        #expect(told == ["a1", "b1", "a2", "b2"])
        first.cancel()
        second.cancel()
    }

    @Test("nothing is sent after the end")
    func nothingAfterEnd() {
        let subject = Subject<Int>()
        var told: [String] = []
        let subscription = subject.observe {
            told.append("\($0)")
        } onEnd: {
            told.append($0 == nil ? "completed" : "failed")
        }
        subject.notify(1)
        subject.complete()
        subject.notify(2)
        subject.fail(Broken())
        subject.complete()
        #expect(told == ["1", "completed"])
        #expect(subject.value == 1)
        subscription.cancel()
    }

    @Test("an end from inside an observer waits its turn, and what is sent after it is lost")
    func endInside() {
        let subject = Subject<Int>()
        var told: [String] = []
        let first = subject.observe {
            guard $0 == 1 else { return }
            subject.notify(2)
            subject.complete()
            subject.notify(3)
        }
        let second = subject.observe {
            told.append("\($0)")
        } onEnd: { _ in
            told.append("end")
        }
        subject.notify(1)
        #expect(told == ["1", "2", "end"])
        first.cancel()
        second.cancel()
    }

    @Test("a late observer receives the last value and the end", arguments: [true, false])
    func lateObserver(fails: Bool) {
        let subject = Subject(1)
        if fails { subject.fail(Broken()) } else { subject.complete() }
        var told: [Int] = []
        var errors: [(any Error)?] = []
        let subscription = subject.observe {
            told.append($0)
        } onEnd: {
            errors.append($0)
        }
        #expect(told == [1])
        #expect(errors.count == 1)
        #expect(errors.first.map { $0 is Broken } == fails)
        subscription.cancel()
    }

    @Test("an observer that begins inside the end receives the end")
    func observingInsideEnd() {
        let subject = Subject<Int>()
        let bag = SubscriptionBag()
        var ends = 0
        bag.insert(
            subject.observe { _ in
            } onEnd: { _ in
                bag.insert(
                    subject.observe { _ in
                    } onEnd: { _ in
                        ends += 1
                    })
            })
        subject.complete()
        #expect(ends == 1)
    }

    @Test("an observer is let go when it cancels, and all are when the subject has ended")
    func release() {
        let subject = Subject<Int>()
        weak var cancelled: Token?
        weak var ended: Token?
        func observe() -> [Subscription] {
            let tokens = [Token(), Token()]
            (cancelled, ended) = (tokens[0], tokens[1])
            return tokens.map { token in subject.observe { token.count += $0 } }
        }
        let subscriptions = observe()
        subject.notify(1)
        #expect(cancelled?.count == 1)
        subscriptions[0].cancel()
        #expect(cancelled == nil)
        #expect(ended?.count == 1)
        subject.complete()
        #expect(ended == nil)
    }

    @Test("cancelled observers do not pile up, even if nothing is notified")
    func cancelledObservers() {
        let subject = Subject<Int>()
        let bag = SubscriptionBag()
        for _ in 0..<10 { bag.insert(subject.observe { _ in }) }
        for _ in 0..<1000 {
            subject.observe { _ in }.cancel()
            #expect(subject.observerCount <= 20)
        }
    }

    @Test("a subscription does not keep the subject")
    func subjectIsReleased() {
        var subject: Subject<Int>? = Subject(1)
        weak let reference = subject
        let subscription = subject?.observe { _ in }
        subject = nil
        #expect(reference == nil)
        subscription?.cancel()
    }

    @Test("the remaining observers receive values in order when others cancel")
    func comingAndGoing() {
        let subject = Subject<Int>()
        var told: [Int] = []
        var subscriptions: [Int: Subscription] = [:]
        for name in 0..<100 {
            subscriptions[name] = subject.observe { _ in told.append(name) }
        }
        for name in 0..<100 where !name.isMultiple(of: 7) {
            subscriptions[name] = nil
            told = []
            subject.notify(name)
            #expect(told == subscriptions.keys.sorted())
        }
    }

    @Test("the signal of a subject sends its value, its changes and its end")
    func signal() {
        let subject = Subject<Character>("a")
        var told = ""
        let subscription = subject.signal.observe {
            told.append($0)
        } onEnd: { _ in
            told += "|"
        }
        subject.notify("b")
        subject.complete()
        #expect(told == "ab|")
        subscription.cancel()
    }
}

/// Something whose release can be seen.
final class Token {
    var count = 0
}
