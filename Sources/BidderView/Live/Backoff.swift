/// The delay before the next attempt to connect.
///
/// 0.2 s at first, then doubled up to 5 s; each is random within a fifth, so that clients do not all
/// reconnect at the same time.
package struct Backoff {
    private static let (minimum, maximum) = (Duration.milliseconds(200), Duration.seconds(5))

    private let chance: () -> Double
    private var next = Self.minimum

    /// Makes a backoff; `chance` returns uniform random numbers from 0 to 1.
    package init(chance: @escaping () -> Double) {
        self.chance = chance
    }

    /// Returns the delay before the next attempt, and doubles the one after.
    package mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.maximum) }
        return next * (0.8 + 0.4 * chance())
    }

    /// Starts again at the minimum delay.
    package mutating func reset() {
        next = Self.minimum
    }
}
