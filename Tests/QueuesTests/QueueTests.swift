import Queues
import TestSupport
import Testing

@Suite struct QueueTests {
    @Test("what came first goes first, however adding and removing alternate")
    func order() {
        var generator = SplitMix64(seed: 6)
        var queue = Queue<Int>()
        var added = 0
        var taken = 0
        for _ in 0..<10_000 {
            if Int.random(in: 0..<2, using: &generator) == 0 {
                queue.append(added)
                added += 1
            } else {
                let first = taken < added ? taken : nil
                #expect(queue.first == first)
                #expect(queue.popFirst() == first)
                taken = min(taken + 1, added)
            }
            #expect(queue.isEmpty == (taken == added))
        }
    }
}
