import Load
import Testing

@Suite("Schedule")
struct ScheduleTests {
    @Test("bids are due at even intervals, each once, however late the clock is read")
    func due() {
        var schedule = Schedule(rate: 3, from: 1000)
        var due: [Int64] = []
        while let time = schedule.popDue(at: 1_000_001_000) { due.append(time) }
        #expect(due == [1000, 333_334_333, 666_667_666, 1_000_001_000])
        #expect(schedule.next == 1_333_334_333)
    }

    @Test("nothing is due before its time")
    func early() {
        var schedule = Schedule(rate: 1000, from: 5)
        #expect(schedule.popDue(at: 4) == nil)
        #expect(schedule.popDue(at: 5) == 5)
        #expect(schedule.popDue(at: 1_000_004) == nil)
    }
}

@Suite("Tally")
struct TallyTests {
    @Test("replies are counted by their kind, and accepted bids have a latency")
    func counting() {
        var tally = Tally()
        for reply in [.accepted, .accepted, .tooLow, .leading, .nameTaken, .refused] as [Reply] {
            tally.count(reply, after: 7)
        }
        #expect(tally.accepted == 2)
        #expect([tally.tooLow, tally.leading, tally.otherwiseRefused] == [1, 1, 2])
        #expect(tally.refused == 4)
        #expect([tally.latency.count, Int(tally.latency.maximum)] == [2, 7])
    }
}
