import Load
import Testing

@Suite("BidsReport")
struct BidsReportTests {
    @Test("the table has a row for each figure, its values to the right")
    func text() {
        #expect(
            report.text == """
                bidders                     2
                outstanding                64
                seconds                  2.50
                bids/s                  1,200
                refused/s                   1
                unanswered                  3
                OK latency p50         2.0 us
                OK latency p90         2.0 us
                OK latency p99         2.0 us
                OK latency p99.9    1015.8 us
                OK latency max    123456.8 us
                """)
    }

    @Test("the JSON is one object of the same figures")
    func json() {
        #expect(
            report.json == """
                {"scenario":"bids","bidders":2,"outstanding":64,"seconds":2.50,\
                "acceptedPerSecond":1200,"refusedPerSecond":1,"accepted":3000,"tooLow":1,\
                "leading":1,"otherwiseRefused":1,"unanswered":3,"okLatencyNanoseconds":{"p50":2015,\
                "p90":2015,"p99":2015,"p99.9":1015807,"max":123456789}}
                """)
    }

    private var report: Report {
        var tally = Tally()
        for _ in 0..<2990 { tally.count(.ok, after: 2000) }
        for _ in 0..<9 { tally.count(.ok, after: 1_000_000) }
        tally.count(.ok, after: 123_456_789)
        for answer in [.tooLow, .leading, .otherError] as [Answer] {
            tally.count(answer, after: 1)
        }
        return Report(
            bidders: 2, outstanding: 64, rate: nil, nanoseconds: 2_500_000_000, tally: tally,
            latency: tally.latency, unanswered: 3)
    }
}
