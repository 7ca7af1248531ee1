import Auction
import Basics
import House
import TestSupport
import Testing

@Suite struct TokenBucketTests {
    private let lines = TokenBucket.Rate(50, per: .seconds(1), burst: 200)

    private func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    @Test(
        "an empty bucket refills over time, up to its capacity",
        arguments: [
            (0, 0), (19, 0), (20, 1), (39, 1), (40, 2), (1000, 50), (3999, 199), (90_000, 200),
        ])
    func refill(milliseconds: Int64, expected: Int) {
        var bucket = TokenBucket()
        bucket.spend(200, lines, at: instant(5))
        #expect(bucket.available(lines, at: instant(5 + milliseconds)) == expected)
    }

    @Test("a full bucket gives its burst at once, and not one more")
    func burst() {
        var bucket = TokenBucket()
        let taken = (0..<300).count { _ in bucket.take(lines, at: instant(7)) }
        #expect(taken == 200)
        #expect(bucket.due(1, lines, at: instant(7)) == instant(27))
        #expect(bucket.full(lines, at: instant(7)) == instant(4007))
    }

    @Test("what was spent beyond the bucket is paid back first")
    func debt() {
        var bucket = TokenBucket()
        bucket.spend(210, lines, at: instant(0))
        #expect(bucket.available(lines, at: instant(0)) == 0)
        #expect(bucket.due(1, lines, at: instant(0)) == instant(220))
        #expect(bucket.available(lines, at: instant(219)) == 0)
        #expect(bucket.available(lines, at: instant(220)) == 1)
    }

    @Test("time that goes back changes nothing")
    func backwards() {
        var bucket = TokenBucket()
        bucket.spend(150, lines, at: instant(1000))
        #expect(bucket.available(lines, at: instant(0)) == 50)
        let isTaken = bucket.take(lines, at: instant(0))
        #expect(isTaken)
        #expect(bucket.available(lines, at: instant(1000)) == 49)
    }

    @Test(
        "a rate that no nanosecond divides does not drift, however often it is asked",
        arguments: [7, 49, 50, 999_983])
    func drift(count: Int) {
        let rate = TokenBucket.Rate(count, per: .seconds(60), burst: 3)
        var random = SplitMix64(seed: UInt64(count))
        var bucket = TokenBucket()
        var now = Instant(nanoseconds: 0)
        var taken: Int64 = 0
        for _ in 0..<20_000 {
            while bucket.take(rate, at: now) { taken += 1 }
            let step = Int64.random(in: 1...(rate.period * 2 / rate.count), using: &random)
            now = Instant(nanoseconds: now.nanoseconds + step)
        }
        while bucket.take(rate, at: now) { taken += 1 }
        let brought = Int64(Int128(now.nanoseconds) * Int128(count) / 60_000_000_000)
        #expect(taken == brought + 3)
    }

    @Test(
        "a due time is exact: one nanosecond earlier there is none",
        arguments: [1, 3, 7, 1_000_000])
    func exact(count: Int) {
        let rate = TokenBucket.Rate(count, per: .seconds(1), burst: 1)
        var bucket = TokenBucket()
        let start = Instant(nanoseconds: 12_345)
        let isTaken = bucket.take(rate, at: start)
        #expect(isTaken)
        let due = bucket.due(1, rate, at: start)
        #expect(bucket.available(rate, at: Instant(nanoseconds: due.nanoseconds - 1)) == 0)
        #expect(bucket.available(rate, at: due) == 1)
    }
}

extension TokenBucket {
    /// Spends a token if there is one; false if there is none.
    fileprivate mutating func take(_ rate: Rate, at now: Instant) -> Bool {
        guard available(rate, at: now) > 0 else { return false }
        spend(1, rate, at: now)
        return true
    }
}
