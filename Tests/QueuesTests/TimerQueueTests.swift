import Queues
import TestSupport
import Testing

@Suite struct TimerQueueTests {
    @Test("what is due earliest comes first, and nothing before its time")
    func order() {
        var generator = SplitMix64(seed: 7)
        var timers = TimerQueue<Int, Int>()
        let dues = (0..<1_000).map { _ in Int.random(in: 0..<500, using: &generator) }
        for due in dues { timers.insert(due, due: due) }
        #expect(timers.count == 1_000)
        #expect(timers.deadline == dues.min())
        var popped: [Int] = []
        for now in 0..<500 {
            while let item = timers.popDue(at: now) {
                #expect(item == now)
                popped.append(item)
            }
        }
        #expect(popped == dues.sorted())
        #expect(timers.deadline == nil)
    }

    @Test("what is due at the same time comes in the order of insertion")
    func equalDeadlines() {
        var timers = TimerQueue<Int, Int>()
        for item in 0..<100 { timers.insert(item, due: item % 3) }
        let popped = (0..<100).compactMap { _ in timers.popFirst()?.item }
        #expect(popped == (0..<3).flatMap { due in (0..<100).filter { $0 % 3 == due } })
    }

    @Test("the first item can be looked at, and stays")
    func first() {
        var timers = TimerQueue<String, Int>()
        timers.insert("later", due: 2)
        timers.insert("sooner", due: 1)
        #expect(timers.first?.item == "sooner")
        #expect(timers.first?.due == 1)
        #expect(timers.count == 2)
    }
}
