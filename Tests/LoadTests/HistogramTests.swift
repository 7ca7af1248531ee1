import Load
import TestSupport
import Testing

@Suite("Histogram")
struct HistogramTests {
    @Test("an empty histogram answers 0")
    func empty() {
        let histogram = Histogram()
        #expect(histogram.count == 0)
        #expect(histogram.highest == 0)
        #expect(histogram.quantile(0.5) == 0)
    }

    @Test(
        "a value is found again at most 1/32 too high",
        arguments: [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1_000_000, 123_456_789, .max])
    func resolution(value: Int64) {
        var histogram = Histogram()
        histogram.record(value)
        histogram.record(.max)
        let found = histogram.quantile(0.5)
        #expect(found >= value)
        #expect(found - value <= value / 32)
    }

    @Test("a value alone is found exactly, as nothing is reported above the highest")
    func exactHighest() {
        var histogram = Histogram()
        histogram.record(1_000_001)
        #expect(histogram.quantile(0.5) == 1_000_001)
    }

    @Test("a negative value counts as 0")
    func negative() {
        var histogram = Histogram()
        histogram.record(-5)
        #expect(histogram.count == 1)
        #expect(histogram.quantile(1) == 0)
    }

    @Test(
        "quantiles agree with those of the sorted values", arguments: 1...20 as ClosedRange<UInt64>)
    func quantiles(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var histogram = Histogram()
        let values = (0..<1000).map { _ in
            Int64.random(in: 0...(1 << Int64.random(in: 0...40, using: &random)), using: &random)
        }.sorted()
        for value in values { histogram.record(value) }
        for (share, index) in [(0.001, 0), (0.5, 499), (0.9, 899), (0.999, 998), (1, 999)] {
            let found = histogram.quantile(share)
            #expect(found >= values[index])
            #expect(found - values[index] <= values[index] / 32)
        }
    }
}
