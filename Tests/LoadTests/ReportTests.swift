import Load
import Testing

@Suite("Report")
struct ReportTests {
    @Test("each figure is a key, in the order they were added")
    func figures() {
        var report = Report(of: "fanout")
        report.add("observers", 1000)
        report.add("cpu", 3.456, places: 2)
        report.add("deliveriesPerSecond", 3000, in: 2_000_000_000)
        #expect(
            report.json == """
                {"scenario":"fanout","observers":1000,"cpu":3.46,"deliveriesPerSecond":1500}
                """)
    }

    @Test("an unknown figure has no key")
    func unknown() {
        var report = Report(of: "idle")
        report.add("memory", nil)
        report.add("cpu", nil, places: 1)
        report.add("rate", 5, in: 0)
        report.add("latency", Histogram())
        #expect(report.json == #"{"scenario":"idle"}"#)
    }

    @Test("percentiles are those asked for, and the maximum")
    func percentiles() {
        var times = Histogram()
        times.record(1_500)
        var report = Report(of: "fanout")
        report.add("spread", times, percentiles: [50, 99.9])
        #expect(
            report.json == #"{"scenario":"fanout","spread":{"p50":1500,"p99.9":1500,"max":1500}}"#)
    }

    @Test(
        "a measure is rounded to its places, whatever its sign",
        arguments: [(-0.04, "0.0"), (-1.26, "-1.3"), (0.06, "0.1"), (2, "2.0")])
    func rounding(value: Double, text: String) {
        var report = Report(of: "idle")
        report.add("kept", value, places: 1)
        #expect(report.json == #"{"scenario":"idle","kept":\#(text)}"#)
    }
}
