import MarbleSupport
import Reactive
import Testing

@Suite struct SignalSharingTests {
    @Test("a shared signal is observed once, and late observers receive what comes later")
    func share() {
        let marbles = Marbles("line -a-b-c-|")
        let script = Script(marbles.timeline, observing: marbles.line.share(), at: [0, 2, 9])
        marbles.timeline.advance(to: .seconds(9))
        #expect(script.lines == ["-a-b-c-|", "---b-c-|", "---------|"])
        #expect(marbles.lives(of: "line") == ["^------!"])
    }

    @Test("a replayed signal emits the newest values to late observers first")
    func replay() {
        let marbles = Marbles("line -a-b-----c-|")
        let one = Script(marbles.timeline, observing: marbles.line.replay(1), at: [0, 4, 12])
        let two = Script(marbles.timeline, observing: marbles.line.replay(2), at: [0, 4, 12])
        marbles.timeline.advance(to: .seconds(12))
        #expect(one.lines == ["-a-b-----c-|", "----b----c-|", "------------(c|)"])
        #expect(two.lines == ["-a-b-----c-|", "----(ab)-c-|", "------------(bc|)"])
    }

    @Test("the source is cancelled with the last observer, and starts anew for the next")
    func reference() {
        let marbles = Marbles("line -a-b-c-|")
        let shared = marbles.line.replay(1)
        let first = shared.observe { _ in }
        let second = shared.observe { _ in }
        marbles.timeline.advance(to: .seconds(2))
        first.cancel()
        marbles.timeline.advance(to: .seconds(4))
        #expect(marbles.timeline.nextDeadline == .seconds(5))
        second.cancel()
        #expect(marbles.timeline.nextDeadline == nil)
        marbles.timeline.advance(to: .seconds(5))
        #expect(marbles.watch(shared, until: 2) == "------a")
        #expect(marbles.lives(of: "line") == ["^---!", "-----^-!"])
    }

    @Test("late observers of a failure receive what is kept and the failure")
    func failure() {
        let marbles = Marbles("line -a-#")
        let script = Script(marbles.timeline, observing: marbles.line.replay(1), at: [0, 5])
        marbles.timeline.advance(to: .seconds(5))
        #expect(script.lines == ["-a-#", "-----(a#)"])
    }

    @Test("a source that ends at once is started once for all observers")
    func synchronousSource() {
        var starts = 0
        let source = Signal<Character> { observer in
            starts += 1
            observer.next("a")
            observer.complete()
        }
        let replayed = source.replay(1)
        let marbles = Marbles("= -")
        #expect(marbles.watch(replayed).description == "(a|)")
        #expect(marbles.watch(replayed).marks.map(\.symbol) == ["a", "|"])
        #expect(starts == 1)
    }

    @Test("an observer that cancels on its first value stops a source that speaks at once")
    func synchronousCancellation() {
        let bag = SubscriptionBag()
        var said = 0
        let source = Signal<Int> { observer in
            while !observer.isOver {
                said += 1
                observer.next(said)
            }
        }
        source.share().observe(in: bag) { if $0 == 3 { bag.cancel() } }
        #expect(said == 3)
    }

    @Test("an observer that begins inside a value receives that value once")
    func observingInside() {
        let subject = Subject<Int>()
        let replayed = subject.signal.replay(1)
        let bag = SubscriptionBag()
        var told: [Int] = []
        replayed.observe(in: bag) { value in
            if value == 1 { replayed.observe(in: bag) { told.append($0) } }
        }
        subject.notify(1)
        subject.notify(2)
        #expect(told == [1, 2])
        bag.cancel()
    }
}

/// Several observations of one signal, begun at different ticks.
private final class Script {
    private var marks: [[Diagram.Mark]]
    private let bag = SubscriptionBag()

    var lines: [String] { marks.map { Diagram(marks: $0).description } }

    init(_ timeline: Timeline, observing signal: Signal<Character>, at ticks: [Int]) {
        marks = ticks.map { _ in [] }
        for (index, tick) in ticks.enumerated() {
            let work = timeline.schedule(at: .seconds(tick)) { [unowned self] in
                signal.observe(in: bag) {
                    self.note($0, index, timeline)
                } onEnd: {
                    self.note($0 == nil ? "|" : "#", index, timeline)
                }
            }
            bag.insert(work)
        }
    }

    private func note(_ symbol: Character, _ index: Int, _ timeline: Timeline) {
        let tick = Int(timeline.now.components.seconds)
        marks[index].append(Diagram.Mark(tick: tick, symbol: symbol))
    }
}
