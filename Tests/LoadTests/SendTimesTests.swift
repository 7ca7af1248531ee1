import Load
import Testing

@Suite("SendTimes")
struct SendTimesTests {
    @Test("times come back oldest first, also around the end of the ring")
    func order() {
        var times = SendTimes(capacity: 4)
        var taken: [Int64?] = []
        for turn in 0..<5 {
            times.append(3, at: Int64(turn))
            for _ in 0..<3 { taken.append(times.takeOldest()) }
        }
        #expect(taken == (0..<5).flatMap { [$0, $0, $0] })
        #expect(times.takeOldest() == nil)
    }

    @Test("a full ring keeps them all")
    func full() {
        var times = SendTimes(capacity: 3)
        times.append(1, at: 1)
        times.append(2, at: 2)
        #expect(times.count == 3)
        #expect([times.takeOldest(), times.takeOldest(), times.takeOldest()] == [1, 2, 2])
    }

    @Test("what is outstanding is as old as it is, also around the end of the ring")
    func ages() {
        var times = SendTimes(capacity: 3)
        times.append(2, at: 1)
        _ = (times.takeOldest(), times.takeOldest())
        times.append(1, at: 5)
        times.append(1, at: 8)
        var ages = Histogram()
        times.recordAges(at: 10, in: &ages)
        #expect(ages.count == 2)
        #expect([ages.quantile(0.5), ages.highest] == [2, 5])
        #expect(times.count == 2)
    }

    @Test("a ring that is too small grows, and keeps the order", arguments: 0..<4)
    func growing(taken: Int) {
        var times = SendTimes(capacity: 4)
        times.append(taken, at: 0)
        for _ in 0..<taken { _ = times.takeOldest() }
        for time in 1...21 { times.append(1, at: Int64(time)) }
        #expect((1...21).allSatisfy { times.takeOldest() == Int64($0) })
        #expect(times.takeOldest() == nil)
    }
}
