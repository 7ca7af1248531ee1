import Auction
import Basics

/// Decides when a server counts as silent, and when to send a ping.
///
/// While a countdown runs, a line is due each second.
package struct SilenceWatch {
    /// How much later than due a line may arrive.
    private static let grace = Duration.seconds(2)
    /// The time without a line after which a ping is sent.
    private static let idleTime = Duration.seconds(15)

    /// When the last line arrived or a ping was sent; nil before the greeting.
    private var lastLine: Instant?
    /// When the next line is due; nil if none is.
    private var nextLineDue: Instant?
    /// Whether the sale is paused, so that no countdown runs.
    private var isPaused = false

    /// Makes the watch of a connection without a greeting.
    package init() {}

    /// Whether the server has greeted.
    var isWatching: Bool { lastLine != nil }

    /// Begins to watch, with a greeting that arrives now.
    package mutating func begin(at now: Instant) {
        (lastLine, nextLineDue, isPaused) = (now, nil, false)
    }

    /// Records that a line arrives now, or that a ping is sent.
    package mutating func noteLine(at now: Instant) {
        if isWatching { lastLine = now }
    }

    /// Records when the next line is due: the next second of a countdown, or the next lot.
    package mutating func follow(_ event: SaleEvent, at now: Instant) {
        switch event {
        // In a pause it is the price before a bid that was voided.
        case .bidPlaced: nextLineDue = isPaused ? nil : now.advanced(by: .seconds(1))
        case .secondsLeft(let seconds):
            nextLineDue = seconds > 0 ? now.advanced(by: .seconds(1)) : nil
        case .nextAnnounced(_, let seconds): nextLineDue = now.advanced(by: .seconds(seconds))
        case .paused: (nextLineDue, isPaused) = (nil, true)
        case .resumed: (nextLineDue, isPaused) = (nil, false)
        case .lotOpened, .lotSold, .lotPassed, .ended, .bidVoided, .stopped: nextLineDue = nil
        case .lastReset, .warned, .hammered, .bidderKicked, .bidderJoined, .bidderLeft,
            .termsAnnounced, .askFell, .bidsSealed, .bidRevealed, .reserveMet, .valueRevealed,
            .championNamed, .awardGiven, .messageSaid, .reacted, .waiting, .rematchBegan,
            .lotRenamed, .optionsSet, .roundBegan, .memberDrawn, .memberEarned,
            .displayNameSet, .saleBegan, .nameTaken,
            .nameFreed, .nameKept,
            .nameBarred, .barEnded, .timeNoted, .gameSet, .lotPlanned, .lotAdded, .valueDrawn,
            .worthDrawn, .bidSealed, .maximumSet, .bidderMuted, .bidderUnmuted:
            break
        }
    }

    /// Restarts all timeouts after the process was suspended until now.
    package mutating func restart(at now: Instant) {
        guard isWatching else { return }
        lastLine = now
        nextLineDue = nextLineDue.map { max($0, now) }
    }

    /// When the server counts as silent; nil if no line is due.
    package var deadline: Instant? {
        guard let lastLine, let nextLineDue else { return nil }
        return max(nextLineDue, lastLine).advanced(by: Self.grace)
    }

    /// When a ping is due; nil before the greeting.
    package var pingDue: Instant? { lastLine?.advanced(by: Self.idleTime) }
}
