import Basics
import Testing

@Suite struct DurationHistogramTests {
    @Test("an empty histogram has no duration in any bucket")
    func empty() {
        let histogram = DurationHistogram()
        #expect(histogram.count == 0 && histogram.sum == 0)
        #expect(histogram.cumulativeCounts == Array(repeating: 0, count: 14))
    }

    @Test(
        "a duration counts as 0 or more in the first bucket it does not exceed, and in all above",
        arguments: [
            (0, 0), (50_000, 0), (50_001, 1), (100_000, 1), (999_999, 4), (1_000_000, 4),
            (1_000_000_000, 13), (1_000_000_001, 14), (-5, 0),
        ] as [(Int64, Int)])
    func bucket(nanoseconds: Int64, first: Int) {
        var histogram = DurationHistogram()
        histogram.record(nanoseconds)
        #expect(histogram.cumulativeCounts == (0..<14).map { $0 < first ? 0 : 1 })
        #expect(histogram.count == 1 && histogram.sum == max(nanoseconds, 0))
        histogram.record(2_000_000)
        #expect(histogram.cumulativeCounts.last == (first < 14 ? 2 : 1))
        #expect(histogram.count == 2 && histogram.sum == max(nanoseconds, 0) + 2_000_000)
    }

    @Test("the bounds rise from 50 µs to 1 s")
    func bounds() {
        let bounds = DurationHistogram.bounds
        #expect(bounds.first == 50_000 && bounds.last == 1_000_000_000)
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
    }
}
