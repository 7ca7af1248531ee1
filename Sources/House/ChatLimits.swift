import Auction
import Basics

/// How often each bidder may send a message to everybody: 5 in 10 seconds.
///
/// The name counts, so a new connection changes nothing. The memory is at most twice that of the
/// names that sent a message in the last 10 seconds.
struct ChatLimits {
    private static let rate = TokenBucket.Rate(5, per: .seconds(10), burst: 5)
    /// The number of names up to which none is forgotten.
    private static let fewNames = 64

    private var buckets: [Bidder: TokenBucket] = [:]
    /// The number of names at which those that may send all their messages again are forgotten.
    private var mostNames = ChatLimits.fewNames

    /// Charges a message to a bidder, or returns the seconds to wait.
    mutating func charge(_ bidder: Bidder, at now: Instant) -> Int? {
        var bucket = buckets[bidder] ?? TokenBucket()
        guard bucket.available(Self.rate, at: now) > 0 else {
            return now.secondsRoundedUp(to: bucket.due(1, Self.rate, at: now))
        }
        bucket.spend(1, Self.rate, at: now)
        if buckets.count >= mostNames { forget(at: now) }
        buckets[bidder] = bucket
        return nil
    }

    private mutating func forget(at now: Instant) {
        buckets = buckets.filter { $0.value.full(Self.rate, at: now) > now }
        mostNames = max(2 * buckets.count, Self.fewNames)
    }
}
