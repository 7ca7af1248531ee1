import Auction
import Basics

/// A rate limit: a bucket of tokens that refills over time.
///
/// It counts in fractions of a token, a whole number of which comes back in a nanosecond. So no
/// rate is rounded, and frequent calls change nothing.
public struct TokenBucket: Equatable, Sendable {
    /// The rate at which a bucket fills, and its capacity.
    public struct Rate: Equatable, Sendable {
        /// The number of tokens that come back in a period.
        public let count: Int64
        /// The period, in nanoseconds.
        public let period: Int64
        /// The number of tokens in a full bucket.
        public let burst: Int64

        /// The maximum of `count` and `burst` of a rate that is not multiplied.
        public static let highest = 1_000_000
        /// The maximum of a rate that is multiplied.
        private static let highestMultiple = 10 * highest

        /// Creates a rate; the period is at most a minute.
        public init(_ count: Int, per period: Duration, burst: Int) {
            let bounds = 1...Self.highest
            precondition(bounds.contains(count) && bounds.contains(burst), "1 to 1,000,000")
            precondition(period > .zero && period <= .seconds(60), "a period of up to a minute")
            (self.count, self.burst) = (Int64(count), Int64(burst))
            self.period = Instant(nanoseconds: 0).advanced(by: period).nanoseconds
        }

        private init(_ count: Int64, period: Int64, burst: Int64) {
            (self.count, self.period, self.burst) = (count, period, burst)
        }

        /// The rate multiplied by a factor, up to ten times the highest.
        package func times(_ factor: Int) -> Rate {
            let highest = Int64(Self.highestMultiple)
            return Rate(
                min(count * Int64(factor), highest), period: period,
                burst: min(burst * Int64(factor), highest))
        }

        fileprivate var capacity: Int64 { burst * period }
    }

    /// The missing units: a token has `period` units, and `count` units come back in a nanosecond.
    ///
    /// - Invariant: 0 while the bucket is full.
    private var missing: Int64 = 0
    private var updated = Instant(nanoseconds: 0)

    /// Creates a full bucket.
    public init() {}

    /// The tokens in the bucket at this instant; 0 while it is in debt.
    public func available(_ rate: Rate, at now: Instant) -> Int {
        Int(max(rate.capacity - missing(rate, at: now), 0) / rate.period)
    }

    /// Takes `count` tokens, going into debt if there are fewer; a negative count is a refund.
    public mutating func spend(_ count: Int, _ rate: Rate, at now: Instant) {
        missing = max(missing(rate, at: now) + Int64(count) * rate.period, 0)
        updated = max(now, updated)
    }

    /// When the bucket will hold `count` tokens, or be full if it never holds as many.
    public func due(_ count: Int, _ rate: Rate, at now: Instant) -> Instant {
        let room = rate.capacity - min(Int64(count), rate.burst) * rate.period
        return instant(whenMissing: room, rate, at: now)
    }

    /// When the bucket will be full.
    public func full(_ rate: Rate, at now: Instant) -> Instant {
        instant(whenMissing: 0, rate, at: now)
    }

    private func instant(whenMissing units: Int64, _ rate: Rate, at now: Instant) -> Instant {
        let excess = missing(rate, at: now) - units
        guard excess > 0 else { return now }
        let nanoseconds = excess / rate.count + (excess % rate.count == 0 ? 0 : 1)
        return now.advanced(by: .nanoseconds(nanoseconds))
    }

    private func missing(_ rate: Rate, at now: Instant) -> Int64 {
        let elapsed = now.nanoseconds - updated.nanoseconds
        if missing == 0 || elapsed <= 0 { return missing }
        return elapsed > missing / rate.count ? 0 : missing - elapsed * rate.count
    }
}
