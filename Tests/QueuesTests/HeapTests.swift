import Queues
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
