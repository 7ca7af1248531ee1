import AuctionRules
import Lobby
import Server
import Testing

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
