import Auction
import BidderView
import Wire

/// The countdown that the server of a stage has promised.
struct StageCountdown {
    private var end: Duration?

    /// Follows a message that is sent at `now`.
    mutating func follow(_ message: ServerMessage, at now: Duration) {
        guard case .event(let event, let details) = message else { return }
        switch event {
        case .bidPlaced, .secondsLeft: end = details.remaining.map { now + $0 } ?? end
        case .lotSold, .lotPassed, .paused, .bidVoided, .lotOpened, .ended: end = nil
        default: break
        }
    }

    /// Ends the countdown.
    mutating func stop() {
        end = nil
    }

    /// The seconds that the server sent last; nil if no countdown runs.
    func secondsLeft(at now: Duration) -> Int? {
        guard let end, end > now else { return nil }
        return Int(TimeLeft(remaining: end - now, warning: nil).seconds)
    }

    /// When the server sends the next second; nil if no countdown runs.
    func nextSecond(at now: Duration) -> Duration? {
        guard let end, let seconds = secondsLeft(at: now) else { return nil }
        return end - .seconds(seconds - 1)
    }
}
