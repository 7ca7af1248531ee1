import Auction
import Basics

/// The end of a server, under way.
///
/// Everything that waits for the log becomes durable, then the log is signed off; everything is sent
/// to the connections, and they have a moment to close their sides first.
package struct Closing {
    /// How long the connections have to read what was sent.
    private static let patience = Duration.seconds(1)
    /// How long they have, once all is sent, to close their sides first.
    private static let courtesy = Duration.milliseconds(200)

    /// Whether nothing more can be made durable.
    package let isAbandoned: Bool
    /// When the server ends in any case.
    package private(set) var deadline: Instant
    /// Whether the server ends now.
    package private(set) var isFinished = false
    private var isSignedOff = false
    private var isDrainAsked = false
    private var isFlushed = false

    package init(isAbandoned: Bool = false, at now: Instant) {
        self.isAbandoned = isAbandoned
        deadline = now.advanced(by: Self.patience)
    }

    /// Whether the log must be signed off now that nothing waits for it; true once.
    package mutating func signOff() -> Bool {
        guard !isSignedOff, !isAbandoned else { return false }
        isSignedOff = true
        return true
    }

    /// Advances by what has happened.
    ///
    /// Returns whether all loops must be asked for a report when everything is sent. `areAllGone` is
    /// true if no connection is open and everything from them is handled.
    package mutating func step(
        isLogIdle: Bool, isDrained: Bool, areAllGone: Bool, at now: Instant
    ) -> Bool {
        let isWaiting = !isLogIdle && !isAbandoned
        var mustDrain = false
        if isWaiting {
            deadline = now.advanced(by: Self.patience)
        } else if !isDrainAsked {
            (isDrainAsked, mustDrain) = (true, true)
        } else if isDrained, !isFlushed {
            isFlushed = true
            deadline = min(deadline, now.advanced(by: Self.courtesy))
        }
        isFinished = areAllGone && !isWaiting || now >= deadline
        return mustDrain
    }
}
