import Load
import Testing

@Suite("Reports of connect, hammer and idle")
struct ScenarioReportTests {
    @Test("connect: rate, greeting, and what the server keeps")
    func connect() {
        var greeting = Histogram()
        greeting.record(2_000)
        let report = Report(
            connections: 3000, nanoseconds: 1_500_000_000, greeting: greeting,
            cpuNanoseconds: 30_000_000, memoryGrowth: -4096, descriptorGrowth: 0)
        #expect(
            report.text == """
                connections                     3,000
                seconds                          1.50
                connections/s                   2,000
                greeting p50                   2.0 us
                greeting p99                   2.0 us
                greeting max                   2.0 us
                server CPU per connection     10.0 us
                server memory that stays      -4.1 kB
                server descriptors that stay        0
                """)
        #expect(
            report.json == """
                {"scenario":"connect","connections":3000,"seconds":1.50,\
                "connectionsPerSecond":2000,"greetingNanoseconds":{"p50":2000,"p99":2000,\
                "max":2000},"cpuMicrosecondsPerConnection":10.0,"kilobytesKept":-4.1,\
                "descriptorsKept":0}
                """)
    }

    @Test("connect: what is not known of the server is not told")
    func connectAlone() {
        let report = Report(
            connections: 1, nanoseconds: 1_000_000_000, greeting: Histogram(), cpuNanoseconds: nil,
            memoryGrowth: nil, descriptorGrowth: nil)
        #expect(report.text == "connections       1\nseconds        1.00\nconnections/s     1")
    }

    @Test("hammer: lateness at the first, at the bidder and at the last")
    func hammer() {
        var times = HammerTimes(seconds: 1, observers: 1)
        times.bidMade(at: 0)
        times.priceHeard(1, at: 3_000)
        times.hammerHeardByBidder(at: 1_000_005_000)
        times.hammerHeard(at: 1_000_010_000)
        var tally = Tally()
        tally.count(.ok, after: 1)
        tally.count(.tooLow, after: 1)
        let report = Report(
            observers: 1, rate: 10_000, nanoseconds: 1_000_000_000, tally: tally, times: times,
            cpuNanoseconds: 250_000_000)
        #expect(
            report.text == """
                observers                         1
                rate                         10,000
                lots                              1
                accepted                          1
                refused                           1
                late, first to hear p50      2.0 us
                late, first to hear p99      2.0 us
                late, first to hear max      2.0 us
                late, bidder p50             2.0 us
                late, bidder p99             2.0 us
                late, bidder max             2.0 us
                late, last to hear p50       7.0 us
                late, last to hear p99       7.0 us
                late, last to hear max       7.0 us
                late, least                  2.0 us
                deadline known within p50    3.0 us
                deadline known within p99    3.0 us
                deadline known within max    3.0 us
                server CPU                 25.000 %
                """)
    }

    @Test("idle: what listening costs the server")
    func idle() {
        let report = Report(
            observers: 1000, nanoseconds: 2_000_000_000, lines: 2500, cpuNanoseconds: 1_000_000,
            wakeUps: 3, memoryGrowth: 150_000)
        #expect(
            report.text == """
                observers                     1,000
                seconds                        2.00
                server CPU                  0.050 %
                server wake-ups/s              1.50
                server memory per observer  150.0 B
                lines heard by each             2.5
                """)
    }
}
