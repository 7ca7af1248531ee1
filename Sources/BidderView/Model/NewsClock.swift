import Auction
import Wire

/// The clock by which the news of a lot is timed: the server's, where it says the time.
struct NewsClock: Equatable, Sendable {
    /// When the lot opened by the server's clock; nil if that is unknown.
    private var opening: Duration?
    /// Whether the news is about an open lot.
    private(set) var isInLot = false
    /// The time of the lot that missed news has reached, by its bids.
    ///
    /// No missed event that follows is earlier. Its own time may be early by a second.
    private var reached = Duration.zero

    /// Follows a message.
    mutating func follow(_ message: ServerMessage, _ stamp: NewsStamp) {
        switch message {
        case .event(.lotOpened, let details):
            let elapsed = details.elapsed ?? .zero
            opening = stamp.time.map { $0 - elapsed }
            (isInLot, reached) = (true, elapsed)
        case .event(.lotSold, _), .event(.lotPassed, _): isInLot = false
        case .event(.bidPlaced(let bid), _): reached = bid.elapsed
        default: break
        }
    }

    /// When an event happened, since the lot opened; `arrival` is when its line arrived.
    func elapsed(of stamp: NewsStamp, arrival: Duration) -> Duration {
        let earliest = stamp.isReplay ? reached : .zero
        guard let time = stamp.time, let opening else {
            return stamp.isReplay ? min(earliest, arrival) : arrival
        }
        return min(max(earliest, time - opening), arrival)
    }
}
