import Load
import TestSupport
import Testing

@Suite("Histogram")
struct HistogramTests {
    @Test("an empty histogram answers 0")
    func empty() {
        let histogram = Histogram()
        #expect(histogram.count == 0)
        #expect(histogram.maximum == 0)
        #expect(histogram.percentile(50) == 0)
    }

    @Test(
        "a value is found again at most 1/32 too high",
        arguments: [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1_000_000, 123_456_789, .max])
    func resolution(value: Int64) {
        var histogram = Histogram()
        histogram.record(value)
        histogram.record(.max)
        let found = histogram.percentile(50)
        #expect(found >= value)
        #expect(found - value <= value / 32)
    }

    @Test("a value alone is found exactly, as nothing is reported above the maximum")
    func exactMaximum() {
        var histogram = Histogram()
        histogram.record(1_000_001)
        #expect(histogram.percentile(50) == 1_000_001)
    }

    @Test("the values of two histograms together are those of one that has all")
    func sum() {
        var (all, odd, even) = (Histogram(), Histogram(), Histogram())
        for value in 0..<1000 as Range<Int64> {
            all.record(value * value)
            if value % 2 == 0 { even.record(value * value) } else { odd.record(value * value) }
        }
        even.add(odd)
        #expect([even.count, Int(even.maximum)] == [all.count, Int(all.maximum)])
        for percent in [1.0, 50, 99, 100] {
            #expect(even.percentile(percent) == all.percentile(percent))
        }
    }

    @Test("a negative value counts as 0")
    func negative() {
        var histogram = Histogram()
        histogram.record(-5)
        #expect(histogram.count == 1)
        #expect(histogram.percentile(100) == 0)
    }

    @Test(
        "percentiles agree with those of the sorted values",
        arguments: 1...20 as ClosedRange<UInt64>)
    func percentiles(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var histogram = Histogram()
        let values = (0..<1000).map { _ in
            Int64.random(in: 0...(1 << Int64.random(in: 0...40, using: &random)), using: &random)
        }.sorted()
        for value in values { histogram.record(value) }
        for (percent, index) in [(0.1, 0), (50, 499), (90, 899), (99.9, 998), (100, 999)] {
            let found = histogram.percentile(percent)
            #expect(found >= values[index])
            #expect(found - values[index] <= values[index] / 32)
        }
    }
}
