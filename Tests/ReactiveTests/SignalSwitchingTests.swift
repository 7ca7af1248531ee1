import MarbleSupport
import Reactive
import Testing

@Suite struct SignalSwitchingTests {
    @Test("the newest signal speaks, and the one before is let go")
    func switching() {
        let marbles = Marbles(
            """
            outer  -a-----b-------|
            a      -1-2-3-4-5-6-|
            a      -^-----!
            b      --7--8|
            b      -------^-----!
            =      --1-2-3--7--8--|
            """)
        marbles.expect(switched(marbles))
    }

    @Test("a value at the very tick of the switch is not emitted")
    func sameTick() {
        let marbles = Marbles(
            """
            outer  -a--b----|
            a      ---1---|
            b      -2-|
            =      -----2---|
            """)
        marbles.expect(switched(marbles))
    }

    @Test("it completes when the outer signal and the newest inner one have")
    func completion() {
        let marbles = Marbles(
            """
            outer  -a-|
            a      -1---2|
            b      |
            =      --1---2|
            """)
        marbles.expect(switched(marbles))
    }

    @Test("an outer signal that completes without a value completes it")
    func emptyOuter() {
        let marbles = Marbles(
            """
            outer  --|
            =      --|
            """)
        marbles.expect(switched(marbles))
    }

    @Test("a failure of either ends it and lets the other go", arguments: [true, false])
    func failure(ofInner: Bool) {
        let marbles = Marbles(
            """
            outer  -a---\(ofInner ? "--|" : "#")
            outer  ^----!
            a      -1--\(ofInner ? "#" : "2-3|")
            a      -^---!
            =      --1--#
            """)
        marbles.expect(switched(marbles))
    }

    @Test("cancelling lets both go")
    func cancelling() {
        let marbles = Marbles(
            """
            outer  -a---b---|
            outer  ^--!
            a      -1-2-3-|
            a      -^-!
            =      --1
            """)
        marbles.expect(switched(marbles), until: 3)
    }

    @Test("an inner signal that causes a switch while it is observed is silent from then on")
    func switchingInside() {
        let outer = Signals()
        var told: [Int] = []
        let subscription = outer.signal.switchToLatest().observe { told.append($0) }
        outer.say(
            Signal { first in
                first.next(1)
                outer.say(.of(2).concat(.never))
                first.next(3)
                #expect(first.isOver)
            })
        outer.say(.of(4))
        #expect(told == [1, 2, 4])
        subscription.cancel()
    }

    @Test("a signal that is called off can cause the next switch")
    func switchingInsideCancellation() {
        let outer = Signals()
        var told: [Int] = []
        let subscription = outer.signal.switchToLatest().observe { told.append($0) }
        outer.say(Signal { $0.hold(Subscription { outer.say(.of(1).concat(.never)) }) })
        outer.say(.of(2))
        outer.say(.of(3))
        #expect(told == [1, 3])
        subscription.cancel()
    }

    private func switched(_ marbles: Marbles) -> Signal<Character> {
        marbles.outer.map { $0 == "a" ? marbles.a : marbles.b }.switchToLatest()
    }
}

/// A source that emits whenever a test asks it to, even from inside itself.
private final class Signals {
    private var observer: Signal<Signal<Int>>.Observer?

    var signal: Signal<Signal<Int>> {
        Signal { self.observer = $0 }
    }

    func say(_ signal: Signal<Int>) {
        observer?.next(signal)
    }
}
