import Load
import Testing

@Suite("Report")
struct ReportTests {
    @Test("each figure is a row and a key, in the order they were added")
    func figures() {
        var report = Report(of: "fanout")
        report.add("observers", "observers", 1000)
        report.add("CPU per delivery", "cpu", 3.456, places: 2, unit: "us")
        report.add("deliveries/s", "deliveriesPerSecond", 3000, in: 2_000_000_000)
        #expect(
            report.text == """
                observers           1,000
                CPU per delivery  3.46 us
                deliveries/s        1,500
                """)
        #expect(
            report.json == """
                {"scenario":"fanout","observers":1000,"cpu":3.46,"deliveriesPerSecond":1500}
                """)
    }

    @Test("an unknown figure has neither a row nor a key")
    func unknown() {
        var report = Report(of: "idle")
        report.add("memory", "memory", nil)
        report.add("CPU", "cpu", nil, places: 1)
        report.add("rate", "rate", 5, in: 0)
        report.add("latency", "latency", Histogram())
        #expect(report.text == "")
        #expect(report.json == #"{"scenario":"idle"}"#)
    }

    @Test("a count without a name is in the JSON alone")
    func nameless() {
        var report = Report(of: "bids")
        report.add(nil, "accepted", 12)
        #expect(report.text == "")
        #expect(report.json == #"{"scenario":"bids","accepted":12}"#)
    }

    @Test("percentiles are those asked for, and the maximum")
    func percentiles() {
        var times = Histogram()
        times.record(1_500)
        var report = Report(of: "fanout")
        report.add("spread", "spread", times, percentiles: [50, 99.9])
        #expect(report.text == "spread p50    1.5 us\nspread p99.9  1.5 us\nspread max    1.5 us")
        #expect(
            report.json == #"{"scenario":"fanout","spread":{"p50":1500,"p99.9":1500,"max":1500}}"#)
    }

    @Test(
        "a measure is rounded to its places, whatever its sign",
        arguments: [(-0.04, "0.0"), (-1.26, "-1.3"), (0.06, "0.1"), (2, "2.0")])
    func rounding(value: Double, text: String) {
        var report = Report(of: "connect")
        report.add("kept", "kept", value, places: 1)
        #expect(report.text == "kept  \(text)")
    }
}
