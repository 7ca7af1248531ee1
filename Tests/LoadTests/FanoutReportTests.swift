import Load
import Testing

@Suite("FanoutResult")
struct FanoutReportTests {
    @Test("without a process the server's share is not told")
    func text() {
        let rows = Report(result).text.split(separator: "\n")
        #expect(rows.count == 18)
        #expect(rows.contains("deliveries/s        10"))
        #expect(rows.contains("lost                 2"))
        #expect(!rows.contains { $0.hasPrefix("server") || $0.contains("outstanding") })
    }

    @Test("with a process it is, for each delivery and each observer")
    func json() {
        var result = result
        result.cpuNanoseconds = 25_000
        result.residentBytes = 301
        #expect(
            Report(result).json == """
                {"scenario":"fanout","observers":2,"bids":3,"rate":100,"seconds":0.50,\
                "deliveriesPerSecond":10,"acceptedPerSecond":2,"lost":2,\
                "cpuMicrosecondsPerDelivery":5.000,"residentBytesPerConnection":150.5,\
                "deliveryNanoseconds":{"p50":2015,"p90":3000,"p99":3000,"p99.9":3000,"max":3000},\
                "okLatencyNanoseconds":{"p50":1000,"p99":1000,"max":1000},\
                "spreadNanoseconds":{"p50":1000,"p99":1000,"max":1000}}
                """)
    }

    private var result: FanoutResult {
        var result = FanoutResult()
        (result.observers, result.bids, result.rate) = (2, 3, 100)
        result.nanoseconds = 500_000_000
        result.broadcasts = Broadcasts(observers: 2)
        result.broadcasts.send(2, at: 1000)
        result.broadcasts.send(1, at: 5000)
        result.broadcasts.hear(2, by: 0, at: 3000)
        result.broadcasts.hear(2, by: 1, at: 4000)
        result.broadcasts.hear(3, by: 0, at: 6000)
        result.tally.count(.ok, after: 1000)
        result.lost = 2
        return result
    }
}
