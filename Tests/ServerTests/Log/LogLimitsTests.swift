import Auction
import Basics
import House
import Server
import Testing

@Suite struct LineQuotaTests {
    private func admitted(_ quota: inout LineQuota, _ count: Int, at milliseconds: Int64) -> Int {
        (0..<count).count { _ in quota.admit(at: milliseconds) }
    }

    @Test("50 lines are written at once, and the others are counted")
    func burst() {
        var quota = LineQuota()
        #expect(admitted(&quota, 1000, at: 5000) == 50)
        #expect(quota.takeWithheld(at: 5999) == 0)
        #expect(quota.takeWithheld(at: 6000) == 950)
        #expect(quota.takeWithheld(at: 7000) == 0)
    }

    @Test("5 lines a second come back, up to 50")
    func rate() {
        var quota = LineQuota()
        #expect(admitted(&quota, 50, at: 1000) == 50)
        #expect(admitted(&quota, 9, at: 2000) == 5)
        #expect(quota.takeWithheld(at: 4000) == 4)
        #expect(admitted(&quota, 99, at: 4000) == 10)
        #expect(quota.takeWithheld(at: 90_000) == 89)
        #expect(admitted(&quota, 99, at: 90_000) == 50)
    }

    @Test("lines withheld all the time are counted once a second")
    func steady() {
        var quota = LineQuota()
        var told: [Int] = []
        for millisecond in Int64(0)..<4000 {
            _ = quota.admit(at: 10_000 + millisecond)
            let count = quota.takeWithheld(at: 10_000 + millisecond)
            if count > 0 { told.append(count) }
        }
        #expect(told == [951, 995, 995])
    }

    @Test("a clock that is set back withholds nothing for ever")
    func clock() {
        var quota = LineQuota()
        #expect(admitted(&quota, 60, at: 9_000_000) == 50)
        #expect(quota.takeWithheld(at: 1000) == 10)
        #expect(admitted(&quota, 60, at: 1000) == 5)
    }
}
@Suite struct LimitLogTests {
    private func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// The reasons and counts that were written, in order.
    private func refusals(_ output: LogOutput) -> [String] {
        output.end().map { $0.split(separator: " ").suffix(2).joined(separator: " ") }
    }

    @Test("the first refusal is logged at once, and then their count once a second")
    func onceASecond() throws {
        let output = try LogOutput()
        let log = Log(output.writer, level: .info)
        var limitLog = LimitLog()
        for millisecond in Int64(0)..<2500 {
            limitLog.note(.full)
            limitLog.expire(at: instant(millisecond), log)
        }
        #expect(limitLog.deadline == instant(3000))
        limitLog.expire(at: instant(3000), log)
        #expect(limitLog.deadline == nil)
        log.handOver()
        #expect(
            refusals(output) == [1, 1000, 1000, 499].map { "reason=full count=\($0)" })
    }

    @Test("each reason has a second of its own")
    func reasons() throws {
        let output = try LogOutput()
        let log = Log(output.writer, level: .info)
        var limitLog = LimitLog()
        limitLog.note(.full, count: 2)
        limitLog.expire(at: instant(0), log)
        limitLog.note(.tls, count: 3)
        limitLog.note(.full, count: 0)
        limitLog.expire(at: instant(1), log)
        #expect(limitLog.deadline == nil)
        log.handOver()
        #expect(refusals(output) == ["reason=full count=2", "reason=tls count=3"])
    }
}
