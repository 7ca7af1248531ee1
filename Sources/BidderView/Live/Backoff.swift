/// How long to wait before the next attempt to connect: longer after each failure.
///
/// 0.2 s at first, then double up to 5 s, each up to a fifth longer or shorter by chance, so that a
/// server that comes back is not met by everybody at once.
package struct Backoff {
    private static let (shortest, longest) = (Duration.milliseconds(200), Duration.seconds(5))

    private let chance: () -> Double
    private var next = Self.shortest

    /// `chance` gives numbers from 0 to 1, each as likely as any other.
    package init(chance: @escaping () -> Double) {
        self.chance = chance
    }

    /// The wait before the next attempt.
    package mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.longest) }
        return next * (0.8 + 0.4 * chance())
    }

    /// Begins anew, after a success.
    package mutating func reset() {
        next = Self.shortest
    }
}
