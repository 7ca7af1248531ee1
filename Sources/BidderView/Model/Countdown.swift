import Wire

/// What is left of the countdown at one instant.
public struct Countdown: Equatable, Sendable {
    /// The time left, not negative.
    public let remaining: Duration
    /// The fair warning that was given last.
    public let warning: ServerMessage.Warning?

    package init(remaining: Duration, warning: ServerMessage.Warning?) {
        self.remaining = remaining
        self.warning = warning
    }

    /// The whole seconds left, as the server counts them: rounded up.
    public var seconds: Int64 {
        let (seconds, attoseconds) = remaining.components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }

    /// How much of a full countdown is left, from 0 to 1.
    public func fraction(ofSeconds seconds: Int) -> Double {
        min(1, remaining / .seconds(max(1, seconds)))
    }
}
