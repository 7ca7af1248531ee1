import Load
import Testing

@Suite("Broadcasts")
struct BroadcastsTests {
    @Test("each delivery counts from when its bid was sent")
    func latency() {
        var broadcasts = Broadcasts(observers: 2)
        broadcasts.send(3, at: 100)
        broadcasts.send(1, at: 110)
        broadcasts.hear(4, by: 0, at: 120)
        broadcasts.hear(2, by: 1, at: 115)
        broadcasts.hear(4, by: 1, at: 130)
        #expect(broadcasts.deliveries == 8)
        #expect(broadcasts.latency.count == 8)
        #expect(broadcasts.latency.highest == 30)
        #expect(broadcasts.latency.quantile(1.0 / 8) == 10)
        #expect(broadcasts.latency.quantile(0.5) == 20)
    }

    @Test("the spread is from the first observer that has all of a broadcast to the last")
    func spread() {
        var broadcasts = Broadcasts(observers: 3)
        broadcasts.send(2, at: 0)
        broadcasts.send(2, at: 1)
        broadcasts.hear(1, by: 2, at: 3)
        broadcasts.hear(2, by: 0, at: 5)
        broadcasts.hear(4, by: 1, at: 7)
        broadcasts.hear(2, by: 2, at: 9)
        #expect(broadcasts.spread.count == 1)
        #expect(broadcasts.spread.highest == 4)
    }

    @Test("what was not sent is not delivered")
    func unsent() {
        var broadcasts = Broadcasts(observers: 1)
        broadcasts.hear(1, by: 0, at: 1)
        broadcasts.send(1, at: 2)
        broadcasts.hear(5, by: 0, at: 3)
        #expect(broadcasts.deliveries == 1)
        #expect(broadcasts.sent == 1)
    }
}

@Suite("Pace")
struct PaceTests {
    @Test("bids are due at even distances, each once, however late it is looked")
    func due() {
        var pace = Pace(rate: 3, from: 1000)
        var due: [Int64] = []
        while let time = pace.takeDue(at: 1_000_001_000) { due.append(time) }
        #expect(due == [1000, 333_334_333, 666_667_666, 1_000_001_000])
        #expect(pace.next == 1_333_334_333)
    }

    @Test("nothing is due before its time")
    func early() {
        var pace = Pace(rate: 1000, from: 5)
        #expect(pace.takeDue(at: 4) == nil)
        #expect(pace.takeDue(at: 5) == 5)
        #expect(pace.takeDue(at: 1_000_004) == nil)
    }
}
