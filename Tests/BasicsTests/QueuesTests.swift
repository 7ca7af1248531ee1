import Basics
import TestSupport
import Testing

@Suite struct HeapTests {
    @Test("the least element comes first, however inserting and removing alternate")
    func order() {
        var generator = SplitMix64(seed: 5)
        var heap = Heap<Int>()
        var model: [Int] = []
        for _ in 0..<2_000 {
            if Int.random(in: 0..<3, using: &generator) > 0 {
                let element = Int.random(in: 0..<100, using: &generator)
                heap.insert(element)
                model.append(element)
            } else {
                let least = model.min()
                #expect(heap.min == least)
                #expect(heap.popMin() == least)
                if let least, let place = model.firstIndex(of: least) { model.remove(at: place) }
            }
            #expect(heap.count == model.count)
        }
    }

    @Test("what remains after a removal of many is still in order")
    func removeAll() {
        var heap = Heap<Int>()
        for element in (0..<100).reversed() { heap.insert(element) }
        heap.removeAll { $0 % 3 != 0 }
        let popped = (0..<heap.count).compactMap { _ in heap.popMin() }
        #expect(popped == Array(stride(from: 0, to: 100, by: 3)))
    }
}

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

    @Test("what remains after a removal of some is still in order")
    func removeAll() {
        var queue = Queue<Int>()
        for element in 0..<100 { queue.append(element) }
        for _ in 0..<10 { _ = queue.popFirst() }
        queue.removeAll { $0 % 3 != 0 }
        #expect(queue.contains { $0 == 12 })
        #expect(!queue.contains { $0 < 12 || $0 == 50 })
        let popped = (0..<queue.count).compactMap { _ in queue.popFirst() }
        #expect(popped == Array(stride(from: 12, to: 100, by: 3)))
    }
}

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
